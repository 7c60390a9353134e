import GlassesDomain

/// A client's end of a session in this process; letting go of it closes the session.
public final class PipelineConnection: RealtimeConnection {
    /// The session's messages and its end; one consumer. The session makes no more audio while 4 MiB wait here.
    public let inbound: AsyncStream<RealtimeInbound>
    private let driver: PipelineDriver

    init(driver: PipelineDriver) {
        self.driver = driver
        let outbound = driver.outbound
        inbound = AsyncStream(unfolding: { await outbound.next() })
        Task(executorPreference: driver.tasks) { await driver.run() }
    }

    deinit { driver.close(Self.closure(code: 1_001, reason: "")) }

    /// Takes a message at once; callable on any thread. Refusal means that the session has ended, or ends because its client
    /// sends faster than it works.
    public func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        switch message {
        case .text(let bytes): return driver.receive(bytes) ? .accepted : .refused
        case .binary:
            // No binary extension is negotiated here; a WebSocket server would close with 1003.
            driver.close(
                ConnectionClosure(
                    code: "unsupported_data", message: "The embedded pipeline takes text messages only.",
                    closeCode: 1_003))
            return .refused
        }
    }

    /// Whether so much waits for the session that its client should be held back; callable on any thread.
    public var isBehind: Bool { driver.isBehind }

    /// Calls `action` once, on any thread, when half of what makes the session lag behind is done or the session has ended; at
    /// once when that is so already. It replaces an earlier action.
    public func whenCaughtUp(_ action: @escaping @Sendable () -> Void) { driver.whenCaughtUp(action) }

    /// Ends the session at once, callable on any thread; later calls change nothing.
    public func close(code: UInt16, reason: String) { driver.close(Self.closure(code: code, reason: reason)) }

    private static func closure(code: UInt16, reason: String) -> ConnectionClosure {
        ConnectionClosure(
            code: "closed", message: reason.isEmpty ? "The session was closed." : reason, closeCode: code)
    }
}
