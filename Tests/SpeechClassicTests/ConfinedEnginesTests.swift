import GlassesDomain
import GlassesPluginHost
import Testing
import WordErrors

extension SpeechClassicTests {
    /// The engines in their confined children, which load models and libraries of their own.
    @Suite struct ConfinedEnginesTests {
        @Test func inTheirChildrenTheySpeakAndUnderstand() async throws {
            let host = ClassicEngines.host(.process)
            let voice = try await host.textToSpeech(id: ClassicEngines.id).get()
            let recognizer = try await host.speechToText(id: ClassicEngines.id).get()
            let spoken = try await voice.samples(of: "stop listening")
            let result = try await recognizer.recognize(spoken)
            #expect(WordErrorRate(reference: "stop listening", heard: result.text).errors <= 1)
            let inProcess = try await ClassicEngines.synthesizer()
            // The voice's noise differs with what was spoken before; its length does not.
            #expect(try await inProcess.samples(of: "stop listening").count == spoken.count)
            for engine in [voice, inProcess] { await engine.shutdown() }
            await recognizer.shutdown()
        }
    }
}
