public import CGlassesPlugin
import GlassesPluginKit

/// The plugin's entry: speech recognition by Moonshine, from the files that Scripts/speech-engines installs.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(speechToText: MoonshineEngine.self)
}
