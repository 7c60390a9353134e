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

    /// The plugin's id.
    var pluginID: String
    /// Its settings.
    var settings: [String: JSONValue]
    /// Why it was chosen: `explicit_config`, or `fallback_default` for `.auto`.
    var source: String

    /// The selection for `choice`. `.auto` takes this machine's own microphone and loudspeaker.
    init(_ choice: TransportChoice) {
        settings = [:]
        source = "explicit_config"
        switch choice {
        case .auto:
            pluginID = PluginID.systemDevice
            source = "fallback_default"
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
    }
}
