public import CGlassesPlugin
import GlassesPluginKit
import SpeechNeuralEngines

/// The plugin's entry: speech recognition by Moonshine and voice activity by Silero, from the files that
/// Scripts/speech-engines installs.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(speechToText: MoonshineEngine.self, voiceActivity: SileroEngine.self)
}
