import GlassesAudio
import GlassesDomain
import GlassesPluginHost
import Testing

@testable import GlassesPipeline

/// The corpus by another hand as it is spoken by Flite and understood by PocketSphinx: a figure to look at, since the recogniser is
/// the floor that always works, and a floor under it.
@Suite struct SpokenCorpusTests {
    @Test(.timeLimit(.minutes(10)))
    func spokenCommandsAreUnderstoodAsFarAsTheRecogniserUnderstandsThem() async throws {
        let host = PluginHost()
        let voice = try await host.textToSpeech(id: "org.extentos.speech-classic").get()
        let ears = try await host.speechToText(id: "org.extentos.speech-classic").get()
        let corpus = try CommandCorpus(named: "commands-test")
        var entries: [CommandCorpus.Entry] = []
        // Every third utterance: each takes about half a second on two cores.
        for (index, entry) in corpus.entries.enumerated() where index % 3 == 0 {
            var heard = entry
            heard.text = try await Self.heard(entry.text, voice, ears)
            entries.append(heard)
        }
        let score = CorpusScore(tools: corpus.tools, entries: entries)
        print(score.table("commands-test, every third utterance, through Flite and PocketSphinx"))
        #expect(score.commands >= 50)
        #expect(score.toolShare > 0.3, "most commands are lost between the voice and the recogniser")
        #expect(score.falseCallShare <= 0.1)
        await voice.shutdown()
        await ears.shutdown()
    }

    private static func heard(
        _ text: String, _ voice: any TextToSpeechEngine, _ ears: any SpeechToTextEngine
    ) async throws -> String {
        let resampler = try Resampler(inputRate: voice.sampleRate, outputRate: ears.sampleRate)
        let utterance = ears.start { _ in }
        for try await block in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) {
            _ = utterance.push(resampler.process(block.samples))
        }
        _ = utterance.push(resampler.flush())
        return try await utterance.finish().text
    }
}
