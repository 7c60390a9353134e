public import CGlassesPlugin
import GlassesPluginKit

/// The plugin's entry: dictation by PocketSphinx and voices by Flite, both from Debian's packages.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(speechToText: PocketSphinxEngine.self, textToSpeech: FliteEngine.self)
}
