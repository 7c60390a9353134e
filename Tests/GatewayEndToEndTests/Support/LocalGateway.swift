import Foundation
import GlassesDomain
import GlassesServer
import Synchronization

@testable import GlassesCore
@testable import GlassesGateway

/// A gateway in this process on a free port, with engines that tests can foretell.
final class LocalGateway: Sendable {
    /// What its clients present, where it asks for it.
    static let token = "lab-token-1"

    private final class Journal: Sendable {
        let events = Mutex<[GatewayEvent]>([])
    }

    let ear = CountingEar()
    let gateway: Gateway
    private let journal = Journal()

    init(
        clock: ClockPort = LiveClock.port, _ change: (inout GatewayConfiguration) throws -> Void = { _ in }
    ) throws {
        var configuration = GatewayConfiguration(
            server: ServerConfiguration(listen: try ListenAddress("127.0.0.1:0")), engines: PredictableEngines.make(ear)
        )
        configuration.drain = .zero
        configuration.onEvent = { [journal] event in journal.events.withLock { $0.append(event) } }
        try change(&configuration)
        gateway = try Gateway.start(configuration, clock: clock)
    }

    /// A gateway that relays its model `far` to another one.
    static func relay(to upstream: String) throws -> LocalGateway {
        try LocalGateway {
            $0.tokens = try GatewayTokens(variable: token)
            let far = Upstream(
                url: upstream + "/realtime?model=local", host: "127.0.0.1", model: "local", key: nil,
                keyHeader: .authorization, certificateAuthority: nil, capabilities: .init())
            $0.upstreams = Upstreams(models: ["far": far], defaultModel: "far")
        }
    }

    var url: URL {
        get throws {
            guard let url = URL(string: gateway.baseURL) else { throw GatewayProcess.NotUp(output: gateway.baseURL) }
            return url
        }
    }

    /// Sessions that were opened.
    var started: Int {
        journal.events.withLock { $0.count { if case .sessionStarted = $0 { true } else { false } } }
    }

    /// Whether a session's audio travelled as Opus.
    var usesOpus: Bool {
        journal.events.withLock {
            $0.contains { if case .sessionStarted(let session) = $0 { session.isOpus } else { false } }
        }
    }

    /// Binary frames of ended sessions that could not be taken.
    var droppedFrames: Int {
        journal.events.withLock {
            $0.reduce(0) { if case .sessionEnded(_, let summary) = $1 { $0 + summary.droppedFrames } else { $0 } }
        }
    }

    /// The close codes of the sessions that ended, in order.
    var closeCodes: [UInt16] {
        journal.events.withLock {
            $0.compactMap { if case .sessionEnded(_, let summary) = $0 { summary.closeCode } else { nil } }
        }
    }
}
