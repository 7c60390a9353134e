import GlassesDomain
import GlassesWebSocket
import Synchronization

/// A receiver that keeps what it was told.
final class TestReceiver: WebSocketReceiver {
    private struct State {
        var messages: [RealtimeMessage] = []
        var drains = 0
        var closures: [ConnectionClosure] = []
    }

    private let state = Mutex(State())

    func received(_ message: RealtimeMessage) { state.withLock { $0.messages.append(message) } }
    func drained() { state.withLock { $0.drains += 1 } }
    func closed(_ closure: ConnectionClosure) { state.withLock { $0.closures.append(closure) } }

    var messages: [RealtimeMessage] { state.withLock { $0.messages } }
    var drains: Int { state.withLock { $0.drains } }
    var closures: [ConnectionClosure] { state.withLock { $0.closures } }

    /// The messages, once there are `count`.
    func messages(_ count: Int, within limit: Duration = .seconds(10)) async throws -> [RealtimeMessage] {
        try await eventually(within: limit) { self.messages.count >= count }
        return messages
    }

    /// The end, once it was told.
    func closure(within limit: Duration = .seconds(10)) async throws -> ConnectionClosure {
        try await eventually(within: limit) { !self.closures.isEmpty }
        return closures[0]
    }
}

/// What was waited for did not happen.
struct TooLate: Error {}

/// Waits until `condition` holds; throws ``TooLate`` after `limit`.
func eventually(within limit: Duration = .seconds(10), _ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { throw TooLate() }
        try await Task.sleep(for: .milliseconds(1))
    }
}

extension RealtimeMessage {
    /// A text message.
    static func text(_ text: String) -> RealtimeMessage { .text(Array(text.utf8)) }
}
