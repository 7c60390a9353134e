import GlassesDomain
import GlassesPipeline
import GlassesRealtime

/// What the endpoints of one gateway share.
struct GatewayParts: Sendable {
    let admissions: Admissions
    let registry: SessionRegistry
    let catalog: ModelCatalog
    let pipeline: PipelineService
    /// What answers chats on this machine.
    let brain: any PipelineBrain
    /// What is remembered for clients; nil when nothing is.
    let memory: GatewayMemory?
    let server = ServerReference()
    let clock: ClockPort
    /// How long a session of the pipeline may last.
    let sessionLength: Duration
    /// How long an upstream may take for a chat answer.
    let chatTime: Duration

    init(configuration: GatewayConfiguration, clock: ClockPort) {
        admissions = Admissions(tokens: configuration.tokens, clock: clock)
        registry = SessionRegistry(configuration: configuration, clock: clock)
        catalog = ModelCatalog(upstreams: configuration.upstreams)
        pipeline = PipelineService(engines: configuration.engines, clock: clock)
        memory = configuration.memoryFolder.map(GatewayMemory.init(folder:))
        brain = configuration.engines.brain
        self.clock = clock
        sessionLength = configuration.sessionLength
        chatTime = configuration.chatTime
    }

    /// The session that a client secret with `update` stands for, or why there can be none.
    func configuration(_ update: SessionUpdate?) -> Result<RealtimeSession, RealtimeErrorInfo> {
        switch catalog.destination(of: update?.model) {
        case nil: return .failure(catalog.unknownModelError)
        case .pipeline(let model): return pipelineSession(model: model, update)
        case .upstream:
            // What the upstream itself does not take, it says when a session begins.
            let session = RealtimeSession(type: update?.type ?? .realtime, model: update?.model)
            return update.map { session.applying($0, rules: SessionRules(allowsMCPTools: true)) } ?? .success(session)
        }
    }

    /// The configuration of a session of the pipeline, or why there can be none.
    func pipelineSession(model: String, _ update: SessionUpdate?) -> Result<RealtimeSession, RealtimeErrorInfo> {
        let session = pipeline.session(model: model)
        guard let update else { return .success(session) }
        if update.type == .transcription {
            let message = "This model holds conversations only. Send \"realtime\", with audio.input.transcription."
            return .failure(.invalidRequest("session.type", message))
        }
        return pipeline.configured(session, by: update)
    }
}
