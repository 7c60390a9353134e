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
        var findings = [
            await finding("voice", voice.map(\.id), host, .tts),
            await finding("recogniser", recogniser.map(\.id), host, .stt), await detector(finder, host),
        ]
        if case .success(let voice) = voice, case .success(let recogniser) = recogniser {
            findings.append(await hear(voice, recogniser))
        }
        if case .success(let voice) = voice { await voice.shutdown() }
        if case .success(let recogniser) = recogniser { await recogniser.shutdown() }
        return findings
    }

    /// The engine that serves, and what stands behind it.
    private static func finding(
        _ subject: String, _ engine: Result<String, Problem>, _ host: PluginHost, _ kind: PluginKind
    ) async -> Finding {
        switch engine {
        case .success(let id):
            let others = await host.engines(kind: kind).filter { !$0.manifest.isMeant(by: id) }.map(\.manifest.id)
            let behind = others.isEmpty ? "" : "; behind it: \(others.joined(separator: ", "))"
            return Finding(subject: subject, level: .ok, text: id + behind)
        case .failure(let problem): return Finding(subject, problem)
        }
    }

    /// Speech is found without an engine, too.
    private static func detector(_ finder: EngineFinder, _ host: PluginHost) async -> Finding {
        let subject = "speech detector"
        guard !(await host.engines(kind: .vad)).isEmpty else {
            return Finding(subject: subject, level: .ok, text: "the level of the sound; no engine is installed")
        }
        let detector = await finder.detector()
        if case .success(let detector) = detector { await detector.shutdown() }
        return await finding(subject, detector.map(\.id), host, .vad)
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
