import GlassesRealtime

/// What the parts behind a session can do; fixed for its life.
struct PipelineProfile: Equatable, Sendable {
    /// The model name that the session reports.
    var model: String
    /// Whether there is a recogniser.
    var canRecognize: Bool
    /// Whether there is a synthesiser.
    var canSynthesize: Bool
    /// Whether the brain looks at pictures.
    var acceptsImages: Bool
    /// Whether there is a judge of speech beside the energy of the sound.
    var hasJudge = false
    /// The synthesiser's default voice.
    var voice: String?
}

extension PipelineProfile {
    /// A session that no client has configured yet.
    var session: RealtimeSession {
        var session = RealtimeSession(model: model)
        session.output.voice = voice.map(Voice.named)
        return session
    }
}
