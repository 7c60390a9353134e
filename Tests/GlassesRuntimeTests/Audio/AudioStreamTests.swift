import Foundation
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite(.timeLimit(.minutes(1))) struct AudioStreamTests {
    private static let words = RecognitionResult(text: "hello", confidence: 0.9)

    private func harness(_ script: FakeRecognizer.Script = .init(final: .success(words))) async -> AudioHarness {
        let harness = AudioHarness(recognizer: FakeRecognizer(script))
        await harness.connect()
        return harness
    }

    private func untilOpen(_ harness: AudioHarness) async {
        await eventually("the microphone opens") { harness.device.simulatedMicrophone.isOpen }
    }

    @Test func anUtteranceBecomesOneFinalTranscriptWithItsPlaceInTheStream() async {
        let harness = await harness()
        var transcripts = harness.audio.transcriptions(config: TranscriptionConfig()).makeAsyncIterator()
        await untilOpen(harness)
        harness.hearUtterance()
        guard case .final(let text, let confidence, let start?, let end?)? = await transcripts.next() else {
            Issue.record("a final transcript comes")
            return
        }
        #expect(text == "hello")
        #expect(confidence == 0.9)
        #expect((0...520).contains(start), "at most the padding before the tone")
        #expect((1_480...2_300).contains(end), "at least the tone, at most the silence that ends it")
    }

    @Test(arguments: [
        (TranscriptionConfig(minPartialConfidence: 0.3), ["loud"]),
        (TranscriptionConfig(minPartialConfidence: 0), ["soft", "loud"]),
        (TranscriptionConfig(minPartialConfidence: 0.3, partial: false), []),
    ])
    func partialTranscriptsBelowTheConfidenceAreLeftOut(config: TranscriptionConfig, expected: [String]) async {
        let partials = [
            RecognitionResult(text: "soft", confidence: 0.1), RecognitionResult(text: "loud", confidence: 0.5),
            RecognitionResult(text: "", confidence: 1),
        ]
        let harness = await harness(.init(partials: partials, final: .success(Self.words)))
        let transcripts = harness.audio.transcriptions(config: config)
        await untilOpen(harness)
        harness.hearUtterance()
        var heard: [String] = []
        for await transcript in transcripts {
            guard case .partial(let text, _) = transcript else { break }
            heard.append(text)
        }
        #expect(heard == expected)
    }

    @Test func aClosedGateReleasesTheMicrophoneAndTheStreamGoesOnWhenItOpens() async {
        let harness = await harness()
        var transcripts = harness.audio.transcriptions(config: TranscriptionConfig()).makeAsyncIterator()
        await untilOpen(harness)
        await harness.hub.setGate(.closed(toggle: "privacy_mode"))
        #expect(!harness.device.simulatedMicrophone.isOpen)
        harness.hearUtterance()
        await harness.hub.setGate(.open)
        #expect(harness.device.simulatedMicrophone.isOpen)
        harness.hearUtterance()
        guard case .final(_, _, _, let end?)? = await transcripts.next() else {
            Issue.record("a final transcript comes")
            return
        }
        #expect(end < 3_000, "what was said behind the gate was not heard")
    }

    @Test func anUtteranceThatFailsIsLoggedAndTheStreamGoesOn() async {
        let harness = await harness(.init(final: .failure(.init(code: "engine_failed", message: "It broke."))))
        let transcripts = harness.audio.transcriptions(config: TranscriptionConfig())
        await untilOpen(harness)
        harness.hearUtterance()
        harness.hearUtterance()
        await eventually("both failures are logged") {
            await harness.events.lines.filter { $0 == "transcription.failed" }.count == 2
        }
        await harness.audio.shutdown()
        for await transcript in transcripts { Issue.record("\(transcript) was made up") }
    }

    @Test func anEngineThatFallsBehindLosesUtterancesAndAudioAudibly() async {
        let harness = await harness(.init(final: .success(Self.words), accepts: false, hangs: true))
        let transcripts = harness.audio.transcriptions(config: TranscriptionConfig())
        await untilOpen(harness)
        for _ in 0..<ContinuousRecognition.waitingLimit { harness.hearUtterance() }
        #expect(await !harness.events.lines.contains("transcription.failed"))
        harness.hearUtterance()
        await eventually("the ninth utterance is refused") {
            await harness.events.lines.contains("transcription.failed")
        }
        let dropped = await harness.events.lines.filter { $0 == "transcription.audio_dropped" }
        #expect(dropped.count == ContinuousRecognition.waitingLimit + 1, "once an utterance")
        await harness.audio.shutdown()
        for await _ in transcripts {}
    }

    @Test(arguments: [
        ("de-DE", false), ("", false), ("english", false), ("en", true), ("en-GB", true), ("EN_us", true),
    ])
    func aLanguageThatTheEngineDoesNotHaveEndsTheStream(language: String, isKnown: Bool) async {
        let harness = await harness()
        let transcripts = harness.audio.transcriptions(config: TranscriptionConfig(language: language))
        if isKnown {
            await untilOpen(harness)
            await harness.audio.shutdown()
        }
        for await _ in transcripts {}
        #expect(await harness.events.lines.contains("transcription.language_unavailable") != isKnown)
    }

    @Test func chunksHaveTheAskedRateAndLength() async {
        let harness = await harness()
        let config = AudioChunkConfig(chunkMillis: 50, sampleRate: 8_000, backpressure: .suspend(bufferSize: 64))
        let chunks = harness.audio.audioChunks(config: config)
        await untilOpen(harness)
        for _ in 0..<50 { harness.device.simulatedMicrophone.hear([Int16](repeating: 100, count: 320)) }
        await harness.audio.shutdown()
        var lengths: [Int] = []
        for await chunk in chunks {
            #expect(chunk.sampleRate == 8_000)
            lengths.append(chunk.samples.count)
        }
        #expect(lengths == [Int](repeating: 800, count: 19), "one second, less the resampler's delay")
    }

    @Test func aShutdownFinishesEveryStreamAndReleasesTheMicrophone() async {
        let harness = await harness()
        let chunks = harness.audio.audioChunks(config: AudioChunkConfig())
        let transcripts = harness.audio.transcriptions(config: TranscriptionConfig())
        await untilOpen(harness)
        await harness.audio.shutdown()
        for await _ in chunks {}
        for await _ in transcripts {}
        await eventually("the microphone is released") { !harness.device.simulatedMicrophone.isOpen }
        for await _ in harness.audio.audioChunks(config: AudioChunkConfig()) {}
        for await _ in harness.audio.transcriptions(config: TranscriptionConfig()) {}
        #expect(await harness.audio.speak("hello", config: SpeakConfig()).failure == .notConnected)
    }

    @Test func aConsumerThatEndsReleasesTheMicrophone() async {
        let harness = await harness()
        let reading = Task { for await _ in harness.audio.audioChunks(config: AudioChunkConfig()) {} }
        await untilOpen(harness)
        reading.cancel()
        await eventually("the microphone is released") { !harness.device.simulatedMicrophone.isOpen }
    }

    @Test func shuttingTheGlassesDownFinishesTheirStreams() async {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        let chunks = harness.glasses.audio.audioChunks(config: AudioChunkConfig())
        await eventually("the microphone opens") { harness.device.simulatedMicrophone.isOpen }
        await harness.glasses.shutdown()
        for await _ in chunks {}
        #expect(!harness.device.simulatedMicrophone.isOpen)
    }

    @Test func chunksThatNobodyTakesInTimeAreCounted() async {
        let harness = await harness()
        let chunks = harness.audio.audioChunks(
            config: AudioChunkConfig(chunkMillis: 10, sampleRate: 16_000, backpressure: .dropOldest))
        await untilOpen(harness)
        harness.device.simulatedMicrophone.hear([Int16](repeating: 1, count: 160 * 20))
        await eventually("the first one is told") { await harness.events.lines.contains("audio_chunks.dropped") }
        var kept = 0
        for await _ in chunks {
            kept += 1
            if kept == 16 { break }
        }
        #expect(kept == 16)
    }
}
