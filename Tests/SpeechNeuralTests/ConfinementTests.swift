import GlassesDomain
import GlassesPluginHost
import SpokenSamples
import Synchronization
import Testing
import WordErrors

extension SpeechNeuralTests {
    @Suite struct ConfinementTests {
        @Test func aChildWithoutRightsReadsTheEnginesAndHears() async throws {
            let recording = try #require(try Recordings.festival(["take a picture"]).first)
            let recognizer = try await NeuralEngines.confining.speechToText(id: NeuralEngines.id).get()
            let heard = try await recognizer.recognize(recording.samples).text
            #expect(WordErrorRate(reference: recording.words, heard: heard).errors == 0)
            await recognizer.shutdown()
        }

        @Test func aChildWithoutRightsJudgesVoices() async throws {
            let recording = try #require(try Recordings.festival(["take a picture"]).first)
            let detector = try await NeuralEngines.confining.voiceActivity(id: NeuralEngines.id).get()
            let spoken = Mutex(0)
            let stream = detector.start(
                onActivity: { activity in if activity.probability > 0.5 { spoken.withLock { $0 += 1 } } },
                onFailure: { Issue.record("\($0)") })
            stream.push(Array(recording.samples.prefix(30_000)))
            // Half a second of it at least.
            #expect(await eventually { spoken.withLock { $0 } > 15 })
            stream.end()
            await detector.shutdown()
        }
    }
}
