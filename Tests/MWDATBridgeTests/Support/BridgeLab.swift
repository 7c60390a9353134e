import Foundation
import Synchronization

@testable import MWDATBridge
@testable import MWDATCore

/// A bridge that listens on this machine, with what its link delivered and the code it shows.
final class BridgeLab: Sendable {
    let bridge: DATBridge
    let deliveries = Deliveries()
    private let shown: Codes

    /// Few rounds, since hashing is tested elsewhere; ready when the link has said that nobody is there.
    init(
        _ transport: DATBridgeConfiguration.Transport = .listenTCP("127.0.0.1:0"), pairingFile: String? = nil,
        heartbeat: Duration = .seconds(5), waitsForRefusal: Bool = true
    ) async throws {
        let shown = Codes()
        bridge = try DATBridge(
            DATBridgeConfiguration(
                transport: transport, name: "lab", pairingFile: pairingFile, heartbeat: heartbeat),
            rounds: 10, onPairingCode: { shown.add($0.text) })
        self.shown = shown
        bridge.link.open(deliveries.take)
        guard waitsForRefusal else { return }
        guard try await eventually({ deliveries.refusals.count == 1 }) else { throw POSIXError(.ETIMEDOUT) }
    }

    var code: String { shown.all.last ?? "" }
    var codesShown: Int { shown.all.count }
    var address: String { bridge.address ?? "" }

    /// Lets a phone in.
    func pair(_ phone: ScriptedPhone, isMute: Bool = false) async -> ScriptedPhone.Greeting {
        await phone.enter(.code(code), isMute: isMute)
    }

    /// What a phone says first.
    static let available = LinkEvent.available(LinkPeer(name: "phone", version: "1"))

    /// Whether a phone has said it, so many times.
    func isAvailable(times: Int = 1) -> Bool { deliveries.all.filter { $0 == Self.available }.count == times }

    func stop() async { await onThread { [bridge] in bridge.stop() } }

    private final class Codes: Sendable {
        private let codes = Mutex<[String]>([])
        var all: [String] { codes.withLock { $0 } }
        func add(_ code: String) { codes.withLock { $0.append(code) } }
    }
}

/// A path in a new folder.
func temporaryPath(_ name: String) -> String {
    NSTemporaryDirectory() + "/mwdat-\(UUID().uuidString)/" + name
}
