import GlassesAudio
import GlassesDomain
import GlassesPluginHost

/// Sentences spoken by the installed voice, as a microphone at 16 kHz hears them.
actor Speech {
    private var voice: (any TextToSpeechEngine)?
    private var spoken: [String: [Int16]] = [:]

    /// The samples of `text`, with a third of a second of silence around them.
    func samples(_ text: String) async throws -> [Int16] {
        if let samples = spoken[text] { return samples }
        let engine: any TextToSpeechEngine
        if let voice {
            engine = voice
        } else {
            engine = try await PluginHost().textToSpeech(id: "org.extentos.speech-classic").get()
            voice = engine
        }
        var samples: [Int16] = []
        for try await block in engine.synthesize(text, voice: nil, rate: 1, pitch: 0) { samples += block.samples }
        let resampler = try Resampler(inputRate: engine.sampleRate, outputRate: 16_000)
        let silence = [Int16](repeating: 0, count: 5_000)
        let result = silence + resampler.process(samples) + resampler.flush() + silence
        spoken[text] = result
        return result
    }

    /// Ends the voice.
    func shutdown() async { await voice?.shutdown() }
}
