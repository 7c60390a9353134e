import Foundation
import GlassesDomain

/// Which plugin serves a ``TransportChoice``, and why.
struct TransportSelection: Sendable, Hashable {
    /// The ids of the transports that have a name in the API.
    enum PluginID {
        static let systemDevice = "org.extentos.system-device"
        static let metaDAT = "org.extentos.meta-dat"
        static let simulator = "org.extentos.simulator"
    }

    /// The device that gives glasses without sound of their own a microphone and a loudspeaker.
    struct Sound: Sendable, Hashable {
        /// The plugin's id.
        var pluginID: String
        /// Its settings.
        var settings: [String: JSONValue] = [:]
    }

    /// What can be found out before a choice.
    struct Surroundings: Sendable {
        /// Whether a pair of Meta glasses is there: the app says so, or a mock device kit is enabled.
        var hasMetaDevice = false
    }

    /// The plugin's id.
    var pluginID: String
    /// Its settings.
    var settings: [String: JSONValue]
    /// Why it was chosen: `explicit_config`, `bonded_devices`, or `fallback_default` for `.auto`.
    var source: String
    /// What gives the sound; nil where the plugin has its own, or none is wanted.
    var sound: Sound?

    /// The selection for `choice`. `.auto` takes Meta glasses that are there, else this machine's own devices.
    init(_ choice: TransportChoice, _ surroundings: Surroundings = Surroundings()) {
        settings = [:]
        source = "explicit_config"
        switch choice {
        case .auto:
            pluginID = surroundings.hasMetaDevice ? PluginID.metaDAT : PluginID.systemDevice
            source = surroundings.hasMetaDevice ? "bonded_devices" : "fallback_default"
        case .realMeta: pluginID = PluginID.metaDAT
        case .systemAudio: pluginID = PluginID.systemDevice
        case .simulated(.browser(let url)):
            pluginID = PluginID.simulator
            settings = ["url": .string(url.absoluteString)]
        case .simulated(.local): pluginID = PluginID.simulator
        case .plugin(let id, let given):
            pluginID = id
            settings = given
        }
        if pluginID == PluginID.metaDAT { sound = Self.takeSound(from: &settings) }
    }

    /// `"audio"` names another plugin for the sound, or `"none"`; `"audioSettings"` are that plugin's.
    private static func takeSound(from settings: inout [String: JSONValue]) -> Sound? {
        let id = settings.removeValue(forKey: "audio")?.stringValue ?? PluginID.systemDevice
        let own = settings.removeValue(forKey: "audioSettings")?.objectValue ?? [:]
        return id == "none" ? nil : Sound(pluginID: id, settings: own)
    }
}
