import GlassesAudio
import Testing

@Suite struct EnergyVADTests {
    /// The share of voiced frames of `signal` from `skipMs` on.
    static func voicedShare(
        of signal: [Double], rate: Int = 16_000, frameMs: Int = 20, skipMs: Int = 0
    ) throws -> Double {
        let decisions = try decisions(on: Signals.pcm(signal), rate: rate, frameMs: frameMs).dropFirst(skipMs / frameMs)
        return Double(decisions.count { $0.isVoiced }) / Double(decisions.count)
    }

    static func decisions(on samples: [Int16], rate: Int = 16_000, frameMs: Int = 20) throws -> [VADDecision] {
        var vad = try EnergyVAD(sampleRate: rate, frameMs: frameMs)
        return stride(from: 0, through: samples.count - vad.frameLength, by: vad.frameLength).map {
            vad.process(samples[$0..<$0 + vad.frameLength].span)
        }
    }

    static let steadySounds: [(String, [Double])] = [
        ("silence", Signals.silence(seconds: 4, rate: 16_000)),
        ("offset", [Double](repeating: 0.3, count: 64_000)),
        (
            "hum",
            Signals.mix(
                Signals.sine(50, seconds: 4, rate: 16_000, amplitude: 0.2),
                Signals.sine(150, seconds: 4, rate: 16_000, amplitude: 0.05))
        ),
        ("quiet noise", Signals.noise(dBFS: -50, seconds: 4, rate: 16_000)),
        ("loud noise", Signals.noise(dBFS: -25, seconds: 4, rate: 16_000)),
        ("tone", Signals.sine(1_000, seconds: 4, rate: 16_000, amplitude: 0.02)),
    ]

    @Test("A steady sound is not speech", arguments: steadySounds)
    func steadySoundIsNotSpeech(name: String, signal: [Double]) throws {
        #expect(try Self.voicedShare(of: signal) == 0)
    }

    @Test("A steady sound that begins is taken for noise within 600 ms", arguments: [-20.0, -35])
    func suddenNoise(level: Double) throws {
        let signal = Signals.silence(seconds: 3, rate: 16_000) + Signals.noise(dBFS: level, seconds: 4, rate: 16_000)
        #expect(try Self.voicedShare(of: signal, skipMs: 2_980) > 0.05)
        #expect(try Self.voicedShare(of: signal, skipMs: 3_600) == 0)
    }

    @Test("When a noise ends the floor falls at once, so that quiet speech is heard", arguments: [-25.0, -40])
    func noiseEnds(level: Double) throws {
        let noise = Signals.noise(dBFS: level, seconds: 3, rate: 16_000)
        let gap = Signals.noise(dBFS: -65, seconds: 0.1, rate: 16_000)
        let speech = Signals.mix(
            Signals.speech(seconds: 2, rate: 16_000, dBFS: -25), Signals.noise(dBFS: -65, seconds: 2, rate: 16_000))
        #expect(try Self.voicedShare(of: noise + gap + speech, skipMs: 3_100) > 0.5)
    }

    @Test("Speech stands out at every rate and frame length", arguments: [8_000, 16_000, 48_000], [10, 20, 40])
    func speechIsVoiced(rate: Int, frameMs: Int) throws {
        let signal = Signals.silence(seconds: 1, rate: rate) + Signals.speech(seconds: 2, rate: rate)
        let noisy = Signals.mix(signal, Signals.noise(dBFS: -38, seconds: 3, rate: rate))
        #expect(try Self.voicedShare(of: noisy, rate: rate, frameMs: frameMs, skipMs: 1_000) > 0.5)
        let before = Array(noisy.prefix(rate))
        #expect(try Self.voicedShare(of: before, rate: rate, frameMs: frameMs) == 0)
    }

    @Test("Ten seconds of speech without a pause are not taken for noise")
    func longSpeech() throws {
        let signal = Signals.mix(
            Signals.speech(seconds: 10, rate: 16_000), Signals.noise(dBFS: -45, seconds: 10, rate: 16_000))
        #expect(try Self.voicedShare(of: signal, skipMs: 7_000) > 0.6)
    }

    @Test("Speech over an offset, over hum and clipped is still speech", arguments: ["offset", "hum", "clipped"])
    func disturbedSpeech(kind: String) throws {
        let speech = Signals.silence(seconds: 1, rate: 16_000) + Signals.speech(seconds: 3, rate: 16_000)
        let signal =
            switch kind {
            case "offset": speech.map { $0 + 0.3 }
            case "hum": Signals.mix(speech, Signals.sine(50, seconds: 4, rate: 16_000, amplitude: 0.2))
            default: speech.map { $0 * 20 }
            }
        #expect(try Self.voicedShare(of: signal, skipMs: 1_000) > 0.6)
        #expect(try Self.voicedShare(of: Array(signal.prefix(16_000))) == 0)
    }

    @Test("A stream that begins in mid-word is heard from its first syllables on")
    func beginsWithSpeech() throws {
        let signal = Signals.mix(
            Signals.speech(seconds: 1, rate: 16_000), Signals.noise(dBFS: -55, seconds: 1, rate: 16_000))
        #expect(try Self.voicedShare(of: signal) > 0.6)
    }

    @Test("A probability is a probability, and an empty frame is silence")
    func probabilityRange() throws {
        for decision in try Self.decisions(on: Signals.pcm(Signals.speech(seconds: 1, rate: 16_000))) {
            #expect((0...1).contains(decision.probability))
        }
        var vad = try EnergyVAD(sampleRate: 16_000)
        #expect(!vad.process([Int16]().span).isVoiced)
    }

    @Test("A frame length outside 10 to 40 ms is refused", arguments: [0, -20, 9, 41])
    func badFrameLength(milliseconds: Int) {
        #expect(throws: AudioFormatError.unsupportedFrameLength(milliseconds: milliseconds)) {
            try EnergyVAD(sampleRate: 16_000, frameMs: milliseconds)
        }
    }
}
