import GlassesAudio
import GlassesDomain
import GlassesPluginHost
import Testing

@testable import GlassesPipeline

/// The shortest words with which people cut an answer, spoken by the classic voices.
@Suite(.serialized) struct SpokenBargeInTests {
    private static let words = ["stop", "no", "okay", "wait", "hey"]
    private static let voices = ["cmu_us_slt", "cmu_us_rms", "cmu_us_awb"]

    @Test func eachOfTheShortestWordsIsHeardOverAnAnswerWithin400Milliseconds() async throws {
        let voice = try await PluginHost().textToSpeech(id: "org.extentos.speech-classic").get()
        for name in Self.voices {
            for word in Self.words {
                let delay = try await Self.delay(of: word, by: voice, name)
                #expect(delay.map { $0 <= 400 } == true, "\(word) by \(name): \(delay.map(String.init) ?? "not heard")")
            }
        }
        await voice.shutdown()
    }

    /// From the first voiced sample to the moment in which the word cuts an answer, in ms; nil when it does not.
    private static func delay(of word: String, by voice: any TextToSpeechEngine, _ name: String) async throws -> Int? {
        var spoken: [Int16] = []
        for try await block in voice.synthesize(word, voice: name, rate: 1, pitch: 0) { spoken += block.samples }
        let resampler = try Resampler(inputRate: voice.sampleRate, outputRate: PipelineLimits.sampleRate)
        let sound = resampler.process(spoken) + resampler.flush()
        let loud = try #require(sound.firstIndex { abs(Int($0)) > 1_000 })
        var detector = try UtteranceDetector(sampleRate: PipelineLimits.sampleRate)
        detector.isOverAnswer = true
        let lead = Sound.silence(ms: 1_000)
        let samples = lead + sound + Sound.silence(ms: 600)
        for start in stride(from: 0, to: samples.count, by: 480) {
            let events = detector.process(Array(samples[start...].prefix(480)))
            let hasStarted = events.contains { if case .speechStarted = $0 { true } else { false } }
            if hasStarted { return (start + 480 - lead.count - loud) / 24 }
        }
        return nil
    }
}
