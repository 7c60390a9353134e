import Foundation
import GlassesPluginKit
import MWDATBridge
import MWDATCore

/// The settings of one instance.
struct MetaSettings: Sendable {
    /// The way to the glasses.
    enum Way: Sendable {
        /// There is none.
        case none
        /// "mockLink": the socket of a mock device kit, an absolute path.
        case mockLink(String)
        /// "bridge": a phone. "pairingFile" keeps the keys of paired phones; without it they are forgotten with the process.
        case bridge(DATBridgeConfiguration)
    }

    /// The way to the glasses.
    var way: Way
    /// "appId", "appName" and "callbackScheme": what the companion is told of the app. The scheme is what its URLs begin with,
    /// `extentos://` by default.
    var app: Configuration
    /// "display": whether there is one; nil finds it out from the glasses that are known when the plugin starts.
    var hasDisplay: Bool?

    /// The bundle identifier that stands for an app which tells none.
    private static let unnamed = "org.extentos.app"

    init(_ settings: PluginSettings) throws(PluginFailure) {
        way = try Self.way(settings)
        hasDisplay = try settings.bool("display")
        let identifier = try settings.string("appId") ?? Self.unnamed
        app = Configuration(
            bundleIdentifier: identifier, appName: try settings.string("appName") ?? identifier,
            appLinkURLScheme: try settings.string("callbackScheme") ?? "extentos://")
    }

    /// Whether there is a way to glasses.
    var hasWay: Bool { if case .none = way { false } else { true } }

    private static func way(_ settings: PluginSettings) throws(PluginFailure) -> Way {
        let (mock, bridge) = (try settings.string("mockLink"), try settings.string("bridge"))
        if let bridge {
            let transport = try transport(bridge)
            return .bridge(
                DATBridgeConfiguration(transport: transport, pairingFile: try settings.string("pairingFile")))
        }
        guard let mock else { return .none }
        guard mock.hasPrefix("/") else {
            throw .invalid("invalid_settings", "The setting mockLink has to be an absolute path.")
        }
        return .mockLink(mock)
    }

    /// `tcp://ADDRESS:PORT`, `ws://…` and `wss://…` call the phone; `listen-tcp://ADDRESS:PORT` and `listen-ws://ADDRESS:PORT` wait for it.
    private static func transport(_ text: String) throws(PluginFailure) -> DATBridgeConfiguration.Transport {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        if parts.count == 2 {
            switch parts[0] {
            case "tcp": return .dialTCP(parts[1])
            case "listen-tcp": return .listenTCP(parts[1])
            case "listen-ws": return .listenWebSocket(parts[1])
            case "ws", "wss": if let url = URL(string: text) { return .dialWebSocket(url) }
            default: break
            }
        }
        throw .invalid(
            "invalid_settings",
            "The setting bridge has to be tcp://, ws://, wss://, listen-tcp:// or listen-ws:// and an address with its port."
        )
    }
}
