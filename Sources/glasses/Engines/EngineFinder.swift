import GlassesCore
import GlassesPluginHost

/// Loads speech engines in the order in which the runtime does: the best one that works.
struct EngineFinder: Sendable {
    private let host: PluginHost

    init(host: PluginHost) { self.host = host }

    /// The recogniser of the plugin `id`, or with nil the first that works.
    func recogniser(id: String? = nil) async -> Result<any SpeechToTextEngine, Problem> {
        guard let id else {
            return await first(.stt, "speech recogniser") { await host.speechToText(id: $0) }
        }
        let found = await host.speechToText(id: id)
        let installed = await host.plugins(kind: .stt).map(\.manifest.id)
        let names = installed.isEmpty ? "" : " Installed recognisers: \(installed.joined(separator: ", "))."
        return found.mapError {
            Problem(code: $0.code, $0.message + names, command: "glasses plugins list")
        }
    }

    /// A voice that works.
    func synthesiser() async -> Result<any TextToSpeechEngine, Problem> {
        await first(.tts, "voice") { await host.textToSpeech(id: $0) }
    }

    /// What judges speech in recordings: the engine of the plugin `id`, or with nil the first that works; energy, which is nil, when
    /// it was chosen or no engine works.
    func judge(id: String? = nil) async -> Result<(any VoiceActivityEngine)?, Problem> {
        if id == SpeechChoice.energy { return .success(nil) }
        if let id {
            return await host.voiceActivity(id: id).map { $0 }
                .mapError { Problem(code: $0.code, $0.message, command: "glasses plugins list") }
        }
        guard case .success(let engine) = await detector() else { return .success(nil) }
        return .success(engine)
    }

    /// A judge of speech that works.
    func detector() async -> Result<any VoiceActivityEngine, Problem> {
        await first(.vad, "voice activity detector") { await host.voiceActivity(id: $0) }
    }

    private func first<Engine>(
        _ kind: PluginKind, _ noun: String, load: (String) async -> Result<Engine, SpeechEngineError>
    ) async -> Result<Engine, Problem> {
        var problem = Problem.missingEngine(noun, refused: await host.scan().refused(kind: kind).first)
        for plugin in await host.engines(kind: kind) {
            switch await load(plugin.manifest.id) {
            case .success(let engine): return .success(engine)
            case .failure(let error): problem = Problem(error)
            }
        }
        return .failure(problem)
    }
}

extension Problem: Error {}

extension TextToSpeechEngine {
    /// The whole audio of `text`.
    func audio(of text: String, voice: String? = nil, rate: Float = 1) async throws -> PCMBlock {
        var samples: [Int16] = []
        for try await block in synthesize(text, voice: voice, rate: rate, pitch: 0) { samples += block.samples }
        return PCMBlock(samples: samples, sampleRate: sampleRate)
    }
}

extension SpeechToTextEngine {
    /// The words of one utterance at the engine's rate; `onPartial` gets what is understood meanwhile, on any thread.
    func recognise(
        _ samples: [Int16], onPartial: @escaping @Sendable (RecognitionResult) -> Void = { _ in }
    ) async throws(SpeechEngineError) -> RecognitionResult {
        let utterance = start(onPartial: onPartial)
        guard utterance.push(samples) else {
            utterance.cancel()
            throw SpeechEngineError(code: "engine_busy", message: "The utterance is longer than the recogniser takes.")
        }
        return try await utterance.finish()
    }
}
