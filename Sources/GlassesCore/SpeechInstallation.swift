public import GlassesDomain
public import GlassesPipeline
public import GlassesPluginHost

/// The speech engines that are installed, in the order in which they serve: the chosen one, then by rank.
@_spi(ExtentosTools)
public struct SpeechInstallation: Sendable {
    /// What becomes of the engines of a kind, on any thread.
    public typealias Notify = @Sendable (PluginKind, EngineNotice) -> Void

    private let host: PluginHost
    private let choice: SpeechChoice
    private let clock: ClockPort
    private let executor: (any TaskExecutor)?
    private let notify: Notify

    /// The engines that `host` finds. Their tasks run on `executor`, nil meaning Swift's shared pool.
    public init(
        host: PluginHost, choice: SpeechChoice, clock: ClockPort, executor: (any TaskExecutor)? = nil,
        notify: @escaping Notify
    ) {
        self.host = host
        self.choice = choice
        self.clock = clock
        self.executor = executor
        self.notify = notify
    }

    /// The best recogniser that works, with the others behind it; nil when none does. Takes up to 3 s.
    public func recognizer() async -> (any SpeechToTextEngine)? {
        let roster = await roster(.stt, choice.recognizer, load: { await host.speechToText(id: $0) }) {
            await $0.shutdown()
        }
        return await FallbackRecognizer.open(roster, clock: clock, executor: executor)
    }

    /// The best voice that works, with the others behind it; nil when none does. Takes up to 3 s.
    public func synthesizer() async -> (any TextToSpeechEngine)? {
        let roster = await roster(.tts, choice.voice, load: { await host.textToSpeech(id: $0) }) {
            await $0.shutdown()
        }
        return await FallbackSynthesizer.open(roster, executor: executor)
    }

    /// The best judge of speech that works, with the others behind it; nil when none does, or none is wanted. Takes up to 3 s.
    public func voiceActivity() async -> (any VoiceActivityEngine)? {
        guard choice.voiceActivity != SpeechChoice.energy else { return nil }
        let roster = await roster(.vad, choice.voiceActivity, load: { await host.voiceActivity(id: $0) }) {
            await $0.shutdown()
        }
        return await FallbackVoiceActivity.open(roster, executor: executor)
    }

    private func roster<Engine: Sendable>(
        _ kind: PluginKind, _ preferred: String?,
        load: @escaping @Sendable (String) async -> Result<Engine, SpeechEngineError>,
        end: @escaping @Sendable (Engine) async -> Void
    ) async -> EngineRoster<Engine> {
        let plugins = await host.engines(kind: kind, preferred: preferred)
        if let preferred, plugins.first?.manifest.isMeant(by: preferred) != true {
            let message =
                "The engine \(preferred) is not installed, so the best one serves. `glasses plugins list` shows them."
            notify(kind, .unavailable(name: preferred, SpeechEngineError(code: "engine_unavailable", message: message)))
        }
        let candidates = plugins.map { plugin in
            EngineCandidate(name: plugin.manifest.id) { await load(plugin.manifest.id) }
        }
        return EngineRoster(candidates, clock: clock, executor: executor, end: end) { [notify] in notify(kind, $0) }
    }
}
