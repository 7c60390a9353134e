import GlassesDomain

/// A client's end of a session in this process; letting go of it closes the session.
final class PipelineConnection: RealtimeConnection {
    let inbound: AsyncStream<RealtimeInbound>
    private let driver: PipelineDriver

    init(driver: PipelineDriver) {
        self.driver = driver
        let outbound = driver.outbound
        inbound = AsyncStream(unfolding: { await outbound.next() })
        Task { await driver.run() }
    }

    deinit { driver.close(Self.closure(code: 1_001, reason: "")) }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
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

    func close(code: UInt16, reason: String) { driver.close(Self.closure(code: code, reason: reason)) }

    private static func closure(code: UInt16, reason: String) -> ConnectionClosure {
        ConnectionClosure(
            code: "closed", message: reason.isEmpty ? "The session was closed." : reason, closeCode: code)
    }
}
