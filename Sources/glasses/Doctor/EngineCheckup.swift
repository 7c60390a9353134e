import GlassesAudio
import GlassesCore
import GlassesPluginHost

/// Lets the voice say a word and the recogniser hear it.
enum EngineCheckup {
    /// A word that the smallest recogniser hears right.
    private static let word = "hello"

    static func run(_ host: PluginHost) async -> [Finding] {
        let finder = EngineFinder(host: host)
        let voice = await finder.synthesiser()
        let recogniser = await finder.recogniser()
        var findings = [finding("voice", voice.map(\.id)), finding("recogniser", recogniser.map(\.id))]
        if case .success(let voice) = voice, case .success(let recogniser) = recogniser {
            findings.append(await hear(voice, recogniser))
        }
        if case .success(let voice) = voice { await voice.shutdown() }
        if case .success(let recogniser) = recogniser { await recogniser.shutdown() }
        return findings
    }

    private static func finding(_ subject: String, _ engine: Result<String, Problem>) -> Finding {
        switch engine {
        case .success(let id): Finding(subject: subject, level: .ok, text: id)
        case .failure(let problem): Finding(subject, problem)
        }
    }

    private static func hear(_ voice: any TextToSpeechEngine, _ recogniser: any SpeechToTextEngine) async -> Finding {
        let subject = "recognition"
        do {
            let speech = try await voice.audio(of: word)
            let resampler = try Resampler(inputRate: speech.sampleRate, outputRate: recogniser.sampleRate)
            // Recognisers measure the background before the first word.
            let silence = [Int16](repeating: 0, count: recogniser.sampleRate / 2)
            let samples = silence + resampler.process(speech.samples) + resampler.flush() + silence
            let heard = try await recogniser.recognise(samples).text
            if heard.lowercased().contains(word) {
                return Finding(subject: subject, level: .ok, text: "a synthesised word was recognised")
            }
            return Finding(
                subject: subject, level: .failed, text: "a synthesised \"\(word)\" was heard as \"\(heard)\"",
                command: "sudo apt-get install --reinstall pocketsphinx-en-us libpocketsphinx3")
        } catch {
            return Finding(
                subject: subject, level: .failed, text: "the engines failed: \(String(describing: error))",
                command: "Scripts/setup")
        }
    }
}
