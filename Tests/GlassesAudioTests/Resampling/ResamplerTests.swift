import GlassesAudio
import Testing

@Suite struct ResamplerTests {
    static let fieldRates = [8_000, 16_000, 44_100, 48_000]

    static func resample(_ samples: [Int16], from input: Int, to output: Int) throws -> [Int16] {
        let resampler = try Resampler(inputRate: input, outputRate: output)
        return resampler.process(samples) + resampler.flush()
    }

    /// Field bug A34.
    @Test("One second of a 1 kHz sine stays one second of 1 kHz", arguments: fieldRates, [1, 2])
    func sineKeepsLengthAndPitch(rate: Int, channels: Int) throws {
        let sine = Signals.pcm(Signals.sine(1_000, seconds: 1, rate: rate))
        var mixer = try ChannelMixer(channels: channels)
        let mono = mixer.downmix(sine.flatMap { [Int16](repeating: $0, count: channels) })
        let provider = try Self.resample(mono, from: rate, to: 24_000)
        #expect(abs(provider.count - 24_000) <= 1)
        try expectOneKilohertz(provider, rate: 24_000)
        let back = try Self.resample(provider, from: 24_000, to: rate)
        #expect(abs(back.count - rate) <= 1)
        try expectOneKilohertz(back, rate: rate)
    }

    func expectOneKilohertz(_ samples: [Int16], rate: Int) throws {
        let coarse = Array(stride(from: 200.0, to: 3_900, by: 200))
        let candidates = coarse + Array(stride(from: 975.0, through: 1_025, by: 5))
        let peak = try #require(Signals.peak(in: samples, rate: rate, among: candidates))
        #expect(abs(peak - 1_000) <= 5)
        #expect(abs(Signals.amplitude(of: 1_000, in: samples, rate: rate) - 0.5) < 0.01)
    }

    @Test("The output lies in time where the input lay", arguments: fieldRates)
    func latencyIsCompensated(rate: Int) throws {
        let input = Signals.pcm(Signals.sine(1_000, seconds: 1, rate: rate))
        let expected = Signals.pcm(Signals.sine(1_000, seconds: 1, rate: 24_000))
        let output = try Self.resample(input, from: rate, to: 24_000)
        let middle = 2_400..<21_600
        let worst = zip(output[middle], expected[middle]).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(worst) < 200)
    }

    @Test("How the stream is cut into calls changes no sample", arguments: [8_000, 44_100, 48_000], [24_000, 16_000])
    func chunksDoNotMatter(input: Int, output: Int) throws {
        let samples = Signals.pcm(Signals.noise(dBFS: -20, seconds: 0.3, rate: input))
        let whole = try Self.resample(samples, from: input, to: output)
        for sizes in [[1], [7, 1, 333, 20], [4_095, 1, 4_097]] {
            let resampler = try Resampler(inputRate: input, outputRate: output)
            var pieces: [Int16] = []
            var rest = samples[...]
            var turn = 0
            while !rest.isEmpty {
                let piece = rest.prefix(sizes[turn % sizes.count])
                rest = rest.dropFirst(piece.count)
                turn += 1
                resampler.process(piece.span, appendingTo: &pieces)
            }
            resampler.flush(appendingTo: &pieces)
            #expect(pieces == whole)
        }
    }

    @Test(
        "N frames become N × out ÷ in, rounded",
        arguments: [
            (8_000, 192_000, 1), (192_000, 8_000, 100_001), (44_100, 48_000, 44_101), (11_025, 24_000, 12_345),
            (44_101, 24_000, 50_000), (48_000, 44_100, 3), (24_000, 16_000, 0),
        ])
    func totalIsExact(input: Int, output: Int, frames: Int) throws {
        let result = try Self.resample([Int16](repeating: 100, count: frames), from: input, to: output)
        #expect(result.count == (frames * output + input / 2) / input)
    }

    @Test("A long stream does not drift")
    func longStream() throws {
        let resampler = try Resampler(inputRate: 44_100, outputRate: 48_000)
        let block = [Int16](repeating: 0, count: 4_410)
        var output: [Int16] = []
        var total = 0
        for _ in 0..<605 {
            output.removeAll(keepingCapacity: true)
            resampler.process(block.span, appendingTo: &output)
            total += output.count
        }
        #expect(total + resampler.flush().count == 605 * 4_800)
    }

    @Test("Equal rates pass every sample through at once")
    func identity() throws {
        let samples = Signals.pcm(Signals.noise(dBFS: -20, seconds: 0.1, rate: 24_000))
        let resampler = try Resampler(inputRate: 24_000, outputRate: 24_000)
        #expect(resampler.process(samples) == samples)
        #expect(resampler.flush().isEmpty)
    }

    @Test("After a flush a new stream begins as if the resampler were new")
    func flushBeginsAgain() throws {
        let samples = Signals.pcm(Signals.noise(dBFS: -20, seconds: 0.1, rate: 16_000))
        let resampler = try Resampler(inputRate: 16_000, outputRate: 24_000)
        let first = resampler.process(samples) + resampler.flush()
        _ = resampler.process([1, 2, 3])
        resampler.reset()
        let second = resampler.process(samples) + resampler.flush()
        #expect(first == second)
    }

    @Test("With the stated room reserved the output never moves")
    func reservedOutputIsEnough() throws {
        let resampler = try Resampler(inputRate: 44_100, outputRate: 48_000)
        for size in [1, 441, 882, 10_000] {
            let produced = resampler.process([Int16](repeating: 5, count: size)).count
            #expect(produced <= resampler.maximumOutputFrames(for: size))
        }
    }

    @Test("Full-scale input saturates instead of wrapping")
    func saturation() throws {
        let square = (0..<16_000).map { $0 / 8 % 2 == 0 ? Int16.max : Int16.min }
        let output = try Self.resample(square, from: 16_000, to: 48_000)
        for (index, sample) in output.enumerated() where (index / 24) % 2 == 0 && (8..<16).contains(index % 24) {
            #expect(sample > 20_000)
        }
    }

    @Test("A frequency that the new rate cannot carry is removed, not folded back")
    func aliasesAreFiltered() throws {
        let input = Signals.pcm(Signals.sine(15_000, seconds: 0.5, rate: 48_000))
        let output = try Self.resample(input, from: 48_000, to: 24_000)
        #expect(LevelMeter.level(of: Array(output[1_200..<10_800])).rmsDBFS < -70)
    }

    @Test("A rate outside 8 to 192 kHz is refused", arguments: [0, -1, 7_999, 192_001, Int.max, Int.min])
    func badRates(rate: Int) {
        #expect(throws: AudioFormatError.unsupportedSampleRate(rate)) {
            try Resampler(inputRate: rate, outputRate: 24_000)
        }
        #expect(throws: AudioFormatError.unsupportedSampleRate(rate)) {
            try Resampler(inputRate: 24_000, outputRate: rate)
        }
    }
}
