import Dispatch
import Foundation
import GlassesDomain
import GlassesPipeline
import GlassesServer
import Glibc
import Synchronization

@testable import GlassesGateway

/// A gateway in this process on a free port, with engines that tests can predict.
final class GatewayRig: Sendable {
    let gateway: Gateway
    let configuration: GatewayConfiguration
    private let journal = Journal()

    var base: String { gateway.baseURL }
    /// The same as a URL of plain requests.
    var http: String { base.replacingOccurrences(of: "ws", with: "http") }
    /// What the gateway told so far.
    var events: [GatewayEvent] { journal.events.withLock { $0 } }

    private final class Journal: Sendable {
        let events = Mutex<[GatewayEvent]>([])
    }

    init(
        recognizer: (any SpeechToTextEngine)? = FakeRecognizer("hello there"),
        _ change: (inout GatewayConfiguration) throws -> Void = { _ in }
    ) throws {
        var configuration = GatewayConfiguration(
            server: ServerConfiguration(listen: try ListenAddress("127.0.0.1:0")),
            engines: PipelineEngines(recognizer: recognizer, synthesizer: FakeSynthesizer(), brain: FakeBrain()))
        configuration.drain = .zero
        configuration.onEvent = { [journal] event in journal.events.withLock { $0.append(event) } }
        try change(&configuration)
        self.configuration = configuration
        gateway = try Gateway.start(configuration, clock: RealClock.port)
    }

    /// Waits until the gateway has told something.
    func waitForEvent(_ isWanted: @Sendable (GatewayEvent) -> Bool) async throws -> GatewayEvent {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if let event = events.first(where: isWanted) { return event }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw SocketClient.Missing(description: "the gateway never told it: \(events)")
    }
}

/// The machine's clocks with ten times the patience: no bound of an engine runs out because a busy machine is slow.
enum RealClock {
    static let port = ClockPort(
        now: now, sleepUntil: { moment in try await Task.sleep(for: now().duration(to: moment) * 10) },
        wallClockMilliseconds: { Int64(Date().timeIntervalSince1970 * 1_000) })

    private static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
