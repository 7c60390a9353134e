@_spi(ExtentosTools) import GlassesCore
import GlassesMedia
import GlassesPipeline
import GlassesPluginHost
import Synchronization

/// The speech engines of a gateway, and why there is one less.
struct GatewayEngines: Sendable {
    let recogniser: (any SpeechToTextEngine)?
    let voice: (any TextToSpeechEngine)?
    let detector: (any VoiceActivityEngine)?
    let problems: [Problem]
    let brain: any PipelineBrain
    /// Where text goes when 'local' answers, and the rest of the audio.
    let destination: AudioDestination

    /// Loads the engines that are installed, which takes up to 3 s, beside the brain that was selected. `changed` is told, on any thread,
    /// when another engine serves from then on, and `noticed` when another brain does.
    static func load(
        _ host: PluginHost, _ choice: SpeechChoice, _ brain: BrainSelection,
        changed: @escaping @Sendable (PluginKind, EngineNotice) -> Void,
        noticed: @escaping @Sendable (PipelineNotice) -> Void
    ) async -> GatewayEngines {
        let unavailable = Mutex<[PluginKind: Problem]>([:])
        let installation = SpeechInstallation(host: host, choice: choice, clock: .live) { kind, notice in
            if case .unavailable(_, let error) = notice { unavailable.withLock { $0[kind] = Problem(error) } }
            if case .replaced = notice { changed(kind, notice) }
        }
        async let recogniser = installation.recognizer()
        async let voice = installation.synthesizer()
        async let detector = installation.voiceActivity()
        let (loadedRecogniser, loadedVoice) = (await recogniser, await voice)
        let scan = await host.scan()
        let why = { (kind: PluginKind, noun: String) in
            unavailable.withLock { $0[kind] } ?? Problem.missingEngine(noun, refused: scan.refused(kind: kind).first)
        }
        var problems: [Problem] = []
        if loadedRecogniser == nil { problems.append(why(.stt, "speech recogniser")) }
        if loadedVoice == nil { problems.append(why(.tts, "voice")) }
        return GatewayEngines(
            recogniser: loadedRecogniser, voice: loadedVoice, detector: await detector, problems: problems,
            brain: brain.brain(pictures: TurboPictureCoder(), clock: .live, notify: noticed),
            destination: brain.destination)
    }

    /// What the gateway serves sessions with.
    var pipeline: PipelineEngines {
        PipelineEngines(
            recognizer: recogniser, synthesizer: voice, voiceActivity: detector,
            brain: brain)
    }

    /// Tells what is missing on standard error: sessions work without it, by text.
    func reportProblems(to console: Console) { for problem in problems { console.report(problem) } }

    func shutdown() async {
        await recogniser?.shutdown()
        await voice?.shutdown()
        await detector?.shutdown()
    }
}
