import GlassesAudio
import GlassesDomain
import Testing

@Suite("An utterance detector whose judge answers late")
struct JudgedElsewhereTests {
    private static let rate = 16_000
    private static let piece = 512
    /// 1.5 s and 0.6 s of speech, from 1.5 s and from 5 s on, in 7 s.
    private static let samples = UtteranceDetectorTests.twoUtterances(rate: rate, noiseDBFS: nil)

    /// Whether a perfect judge hears speech in the piece that ends at `end`.
    private static func isSpeech(_ end: Int64) -> Bool {
        let milliseconds = end * 1_000 / Int64(rate)
        return (1_500..<3_000).contains(milliseconds) || (5_000..<5_600).contains(milliseconds)
    }

    /// Feeds the stream in pieces of 20 ms in real time; each piece of the judge is judged `delay` ms later, until the judge
    /// falls silent at `silentFrom` ms or says that it fails at `failsAt`.
    private static func run(
        delay: Int, silentFrom: Int = .max, failsAt: Int = .max, chunkMs: Int = 20
    ) throws -> [UtteranceEvent] {
        var detector = try UtteranceDetector(sampleRate: rate)
        let base = detector.awaitJudge()
        #expect(base == 0)
        var events: [UtteranceEvent] = []
        var judged: Int64 = 0
        for start in stride(from: 0, to: samples.count, by: rate * chunkMs / 1_000) {
            let chunk = Array(samples[start...].prefix(rate * chunkMs / 1_000))
            let milliseconds = start * 1_000 / rate
            if milliseconds >= failsAt { events += detector.judgeFailed() }
            events += detector.process(chunk, at: .zero.advanced(by: .milliseconds(milliseconds)))
            let due = Int64(start + chunk.count - delay * rate / 1_000)
            while judged + Int64(piece) <= due, milliseconds < silentFrom {
                let end = judged + Int64(piece)
                events += detector.judged(judged..<end, probability: isSpeech(end) ? 0.95 : 0.02)
                judged = end
            }
        }
        return events + detector.finish()
    }

    private static func losses(_ events: [UtteranceEvent]) -> [JudgeLoss] {
        events.compactMap { if case .judgeLost(let loss) = $0 { loss } else { nil } }
    }

    /// Both utterances are there once, each with exactly its audio.
    private static func expectBoth(_ events: [UtteranceEvent]) throws {
        let found = try UtteranceDetectorTests.utterances(of: events)
        try #require(found.count == 2)
        for (utterance, (begin, end)) in zip(found, [(1_500, 3_000), (5_000, 5_600)]) {
            let first = Int(utterance.start) * 1_000 / rate + 300
            #expect(abs(first - begin) <= 120)
            let last = Int(utterance.lastVoiced ?? 0) * 1_000 / rate
            #expect(abs(last - end) <= 160)
            #expect(utterance.audio == Array(samples[Int(utterance.start)..<Int(utterance.end ?? 0)]))
        }
    }

    @Test(
        "Judgements up to 250 ms late cut the same utterances, whole and without a loss", arguments: [0, 32, 100, 250])
    func delayed(delay: Int) throws {
        let events = try Self.run(delay: delay)
        #expect(Self.losses(events) == [])
        try Self.expectBoth(events)
    }

    @Test("Large pieces of audio are no lag of the judge", arguments: [200, 500, 1_000])
    func largeChunks(chunkMs: Int) throws {
        let events = try Self.run(delay: 0, chunkMs: chunkMs)
        #expect(Self.losses(events) == [])
        try Self.expectBoth(events)
    }

    @Test(
        "A judge that falls silent is replaced within 300 ms, before, inside and after an utterance",
        arguments: [0, 1_400, 1_600, 2_500, 3_200, 5_100])
    func fallsSilent(at milliseconds: Int) throws {
        let events = try Self.run(delay: 0, silentFrom: milliseconds)
        #expect(Self.losses(events) == [.lagged])
        try Self.expectBoth(events)
    }

    @Test(
        "A judge that fails is replaced at once, and what it left unjudged is not lost",
        arguments: [1_450, 1_700, 2_900])
    func fails(at milliseconds: Int) throws {
        let events = try Self.run(delay: 120, failsAt: milliseconds)
        #expect(Self.losses(events) == [.failed])
        try Self.expectBoth(events)
    }

    @Test("A judge that lags by more than 300 ms is given up")
    func lags() throws {
        let events = try Self.run(delay: 450)
        #expect(Self.losses(events) == [.lagged])
        try Self.expectBoth(events)
    }

    @Test("More than two seconds at once do not wait for the judge")
    func isOverrun() throws {
        var detector = try UtteranceDetector(sampleRate: Self.rate)
        _ = detector.awaitJudge()
        let events = detector.process(Self.samples) + detector.finish()
        #expect(Self.losses(events) == [.overrun])
        try Self.expectBoth(events)
    }

    @Test("A judgement that was overtaken by a clear changes nothing, and one with a gap is filled by energy")
    func overtaken() throws {
        var detector = try UtteranceDetector(sampleRate: Self.rate)
        _ = detector.awaitJudge()
        let speech = Array(Self.samples[24_000..<40_000])
        #expect(detector.process(speech, at: .zero) == [])
        detector.clear()
        #expect(detector.judged(0..<16_000, probability: 1) == [])
        #expect(detector.process(speech, at: .zero) == [])
        let events = detector.judged(31_488..<32_000, probability: 1)
        let found = try UtteranceDetectorTests.utterances(of: events)
        #expect(found.count == 1)
        #expect(found.first.map { (16_000...18_000).contains($0.start) } == true)
    }

    @Test("The judge may be handed the stream again after a loss")
    func returns() throws {
        var detector = try UtteranceDetector(sampleRate: Self.rate)
        _ = detector.awaitJudge()
        _ = detector.process([Int16](repeating: 0, count: 1_000))
        #expect(detector.judgeFailed() == [.judgeLost(.failed)])
        #expect(!detector.isJudgedElsewhere)
        #expect(detector.awaitJudge() == 1_000)
        #expect(detector.judgeFailed() == [.judgeLost(.failed)])
        #expect(detector.judgeFailed() == [])
    }
}
