import GlassesDomain
import GlassesRealtime

/// Realtime sessions over one set of engines, for a server that configures them and serves them to others.
///
/// ```swift
/// let service = PipelineService(engines: engines, clock: clock)
/// let connection = service.open(service.session(model: "local"))
/// ```
public struct PipelineService: Sendable {
    private let parts: PipelineParts
    private let makeId: @Sendable (_ prefix: String) -> String

    /// A service whose sessions share `engines`. Their tasks run on `executor`; nil means Swift's shared pool. `makeId` gives an
    /// id that begins with its argument and is unique among all sessions; by default it is random. `notify` gets what can
    /// be told of the sessions, on any thread, and must return at once.
    public init(
        engines: PipelineEngines, clock: ClockPort, executor: (any TaskExecutor)? = nil,
        notify: @escaping @Sendable (PipelineNotice) -> Void = { _ in },
        makeId: @escaping @Sendable (_ prefix: String) -> String = PipelineConnector.randomId
    ) {
        parts = PipelineParts(engines: engines, clock: clock, executor: executor, notify: notify)
        self.makeId = makeId
    }

    /// The configuration of a session that reports `model` and that no client has changed yet.
    public func session(model: String) -> RealtimeSession { parts.profile(model: model).session }

    /// `session` after an update that came from outside a session, or the error to answer with.
    public func configured(
        _ session: RealtimeSession, by update: SessionUpdate
    ) -> Result<RealtimeSession, RealtimeErrorInfo> {
        PipelineMachine.applying(update, to: session, voiceIsFixed: false)
    }

    /// Starts a session with `session` as its configuration and a new id; its first message is `session.created`.
    public func open(_ session: RealtimeSession) -> PipelineConnection {
        let profile = parts.profile(model: session.model ?? PipelineConnector.defaultModel)
        let machine = PipelineMachine(profile: profile, configured: session, makeId: makeId)
        return PipelineConnection(driver: PipelineDriver(parts: parts, machine: machine))
    }
}
