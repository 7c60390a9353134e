import Foundation
import GlassesServer
import Glibc

/// How a bridge reaches the phone, and where it keeps what it knows of phones.
public struct DATBridgeConfiguration: Sendable {
    /// The way between the phone and this machine.
    public enum Transport: Sendable, Hashable {
        /// The phone calls here over plain TCP: `ADDRESS:PORT`, the port 0 for any free one.
        case listenTCP(String)
        /// The phone calls here over WebSocket, at the path `/dat-bridge`; with TLS when files for it are given.
        /// `hosts` are further names that this machine has on the network.
        case listenWebSocket(String, hosts: [String] = [], tls: TLSFiles? = nil)
        /// This machine calls the phone over plain TCP: `ADDRESS:PORT`, no name.
        case dialTCP(String)
        /// This machine calls the phone over WebSocket, `ws` or `wss`; `caFile` is a PEM file of authorities to trust
        /// instead of the system's.
        case dialWebSocket(URL, caFile: String? = nil)
    }

    /// The way between the phone and this machine.
    public var transport: Transport
    /// What a person reads on the phone, such as this machine's name; 1 to 64 bytes.
    public var name: String
    /// Where the keys of paired phones are kept, with mode 0600; nil forgets them with the process.
    public var pairingFile: String?
    /// How long a phone may be silent before it is asked for a sign of life; whole seconds, 1 to 60, 5 by default.
    /// After three times as long it counts as gone.
    public var heartbeat: Duration

    /// A configuration with the given values.
    public init(
        transport: Transport, name: String = DATBridgeConfiguration.machineName,
        pairingFile: String? = DATBridgeConfiguration.standardPairingFile, heartbeat: Duration = .seconds(5)
    ) {
        self.transport = transport
        self.name = name
        self.pairingFile = pairingFile
        self.heartbeat = heartbeat
    }

    /// This machine's name, as the kernel has it.
    public static var machineName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count) == 0 else { return "Linux" }
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? "Linux" : String(decoding: bytes, as: UTF8.self)
    }

    /// `$XDG_DATA_HOME/extentos/dat-bridge.json`, or the same below `~/.local/share`.
    public static var standardPairingFile: String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
        return home + "/extentos/dat-bridge.json"
    }
}
