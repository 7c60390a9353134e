import GlassesAudio
import Testing

@Suite struct UtteranceDetectorTests {
    struct Utterance: Equatable {
        var start: Int64
        var audio: [Int16]
        var end: Int64?
        var lastVoiced: Int64?
    }

    static func utterances(of events: [UtteranceEvent]) throws -> [Utterance] {
        var found: [Utterance] = []
        for event in events {
            switch event {
            case .speechPaused, .speechResumed, .judgeLost: break
            case .speechStarted(let start, let audio): found.append(Utterance(start: start.frame, audio: audio))
            case .speechContinued(let audio):
                try #require(found.last != nil && found.last?.end == nil)
                found[found.count - 1].audio += audio
            case .speechStopped(let end, let lastVoiced, _):
                try #require(found.last != nil && found.last?.end == nil)
                found[found.count - 1].end = end.frame
                found[found.count - 1].lastVoiced = lastVoiced.frame
            }
        }
        return found
    }

    /// Speech from 1.5 s to 3.0 s and from 5.0 s to 5.6 s.
    static func twoUtterances(rate: Int, noiseDBFS: Double?) -> [Int16] {
        let signal =
            Signals.silence(seconds: 1.5, rate: rate) + Signals.speech(seconds: 1.5, rate: rate)
            + Signals.silence(seconds: 2, rate: rate) + Signals.speech(seconds: 0.6, rate: rate, seed: 11)
            + Signals.silence(seconds: 1.4, rate: rate)
        guard let noiseDBFS else { return Signals.pcm(signal) }
        return Signals.pcm(Signals.mix(signal, Signals.noise(dBFS: noiseDBFS, seconds: 7, rate: rate)))
    }

    @Test(
        "Two utterances are found where they are, in silence and in noise 15 dB below them",
        arguments: [8_000, 16_000, 48_000], [nil, -37] as [Double?])
    func findsUtterances(rate: Int, noise: Double?) throws {
        let samples = Self.twoUtterances(rate: rate, noiseDBFS: noise)
        var detector = try UtteranceDetector(sampleRate: rate)
        let found = try Self.utterances(of: detector.process(samples))
        try #require(found.count == 2)
        for (utterance, (begin, end)) in zip(found, [(1_500, 3_000), (5_000, 5_600)]) {
            let onset = Int(utterance.start) * 1_000 / rate + 300
            #expect(abs(onset - begin) <= 100)
            let lastVoiced = try #require(utterance.lastVoiced)
            #expect(abs(Int(lastVoiced) * 1_000 / rate - end) <= 140)
            let stop = try #require(utterance.end)
            #expect(stop - lastVoiced == Int64(rate / 2))
            #expect(utterance.audio == Array(samples[Int(utterance.start)..<Int(stop)]))
        }
    }

    @Test("How the stream is cut into pieces changes no utterance", arguments: [1, 37, 160, 319, 5_000])
    func pieces(size: Int) throws {
        let samples = Self.twoUtterances(rate: 8_000, noiseDBFS: -45)
        var whole = try UtteranceDetector(sampleRate: 8_000)
        var cut = try UtteranceDetector(sampleRate: 8_000)
        var events: [UtteranceEvent] = []
        for start in stride(from: 0, to: samples.count, by: size) {
            events += cut.process(Array(samples[start..<min(start + size, samples.count)]))
        }
        let expected = try Self.utterances(of: whole.process(samples))
        #expect(expected.count == 2)
        #expect(try Self.utterances(of: events) == expected)
    }

    @Test("Finishing in mid-word delivers every sample and one ending")
    func finish() throws {
        let samples = Array(Self.twoUtterances(rate: 16_000, noiseDBFS: nil).prefix(32_077))
        var detector = try UtteranceDetector(sampleRate: 16_000)
        let found = try Self.utterances(of: detector.process(samples) + detector.finish())
        try #require(found.count == 1)
        #expect(found[0].end == 32_077)
        #expect(found[0].audio == Array(samples[Int(found[0].start)...]))
        #expect(detector.finish() == [])
    }

    @Test("Finishing in a pause that the last incomplete frame completes still gives one ending")
    func finishAtTheLastFrame() throws {
        let speech = Signals.silence(seconds: 1, rate: 16_000) + Signals.speech(seconds: 1, rate: 16_000)
        let samples = Signals.pcm(speech + Signals.silence(seconds: 2, rate: 16_000))
        for length in stride(from: 32_000 + 7_000, to: 32_000 + 11_000, by: 331) {
            var detector = try UtteranceDetector(sampleRate: 16_000)
            let events = detector.process(Array(samples.prefix(length))) + detector.finish()
            let found = try Self.utterances(of: events)
            #expect(found.count == 1)
            #expect(found.first?.end != nil)
        }
    }

    @Test("Clearing in mid-word ends it without an event, and the next utterance does not reach back")
    func clear() throws {
        let samples = Self.twoUtterances(rate: 16_000, noiseDBFS: nil)
        var detector = try UtteranceDetector(sampleRate: 16_000)
        let before = detector.process(Array(samples.prefix(36_007)))
        detector.clear()
        let after = try Self.utterances(of: detector.process(Array(samples.dropFirst(36_007))))
        #expect(try Self.utterances(of: before).map(\.end) == [nil])
        try #require(after.count == 2)
        #expect(after[0].start >= 36_007)
        #expect(after.allSatisfy { $0.end != nil })
    }

    @Test("A steady noise that begins gives at most one short utterance")
    func suddenNoise() throws {
        let signal =
            Signals.noise(dBFS: -60, seconds: 3, rate: 16_000) + Signals.noise(dBFS: -25, seconds: 20, rate: 16_000)
        var detector = try UtteranceDetector(sampleRate: 16_000)
        let found = try Self.utterances(of: detector.process(Signals.pcm(signal)))
        #expect(found.count <= 1)
        for utterance in found {
            let end = try #require(utterance.end)
            #expect(end <= 16_000 * 42 / 10)
        }
    }

    @Test("An unsupported rate is refused", arguments: [0, 4_000, 500_000])
    func badRates(rate: Int) {
        #expect(throws: AudioFormatError.unsupportedSampleRate(rate)) { try UtteranceDetector(sampleRate: rate) }
        #expect(throws: AudioFormatError.unsupportedSampleRate(rate)) { try Endpointer(sampleRate: rate) }
    }
}
