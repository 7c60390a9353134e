import GlassesDomain
import GlassesRealtime

/// The embedded provider: realtime sessions that are served in this process.
///
/// ```swift
/// let connector = PipelineConnector.make(engines: engines, clock: clock)
/// let connection = try await connector.connect(RealtimeRequest())
/// ```
public enum PipelineConnector {
    /// The model name that sessions report when a request names none.
    public static let defaultModel = "local"

    /// A connector whose sessions share `engines`; each connection is a session of its own, open at once.
    ///
    /// The sessions' tasks run on `executor`; nil means Swift's shared pool, which serves as long as no code of the process
    /// blocks its threads. `makeId` gives an id that begins with its argument and is unique among all sessions; by default it
    /// is random. The connections' queues are bounded: a client that sends faster than the session works, or does not read, is
    /// closed with the code `overloaded`. `destination` says where audio and text go. `notify` gets
    /// what can be told of the sessions, on any thread, and must return at once.
    public static func make(
        engines: PipelineEngines, clock: ClockPort, executor: (any TaskExecutor)? = nil,
        destination: AudioDestination = .thisMachine, notify: @escaping @Sendable (PipelineNotice) -> Void = { _ in },
        makeId: @escaping @Sendable (_ prefix: String) -> String = randomId
    ) -> RealtimeConnector {
        let service = PipelineService(
            engines: engines, clock: clock, executor: executor, notify: notify, makeId: makeId)
        var connector = RealtimeConnector(
            providerName: "embedded", defaultModel: defaultModel,
            audioDestination: destination.sentence,
            canCompose: engines.brain.canCompose
        ) { request in
            service.open(service.session(model: request.model ?? defaultModel))
        }
        connector.pictures = engines.brain.seesImages ? .seen : .measured
        return connector
    }

    /// `prefix` and 96 random bits.
    public static func randomId(_ prefix: String) -> String {
        let high = String(UInt64.random(in: .min ... .max), radix: 16)
        let low = String(UInt32.random(in: .min ... .max), radix: 16)
        return prefix + String(repeating: "0", count: 16 - high.count) + high
            + String(repeating: "0", count: 8 - low.count) + low
    }
}
