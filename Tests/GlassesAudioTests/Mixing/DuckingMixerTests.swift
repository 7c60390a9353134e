import GlassesAudio
import Testing

@Suite struct DuckingMixerTests {
    static let rate = 16_000
    /// The ramp in frames: 30 ms.
    static let ramp = 480

    /// Mixes `count` frames of a constant stream in blocks of 160.
    static func run(_ mixer: inout DuckingMixer, stream: Int16 = 10_000, count: Int) -> [Int16] {
        var output: [Int16] = []
        for _ in 0..<count / 160 {
            var block = [Int16](repeating: stream, count: 160)
            mixer.mix(into: &block)
            output += block
        }
        return output
    }

    static func largestStep(_ samples: [Int16]) -> Int {
        zip(samples, samples.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test("Without a sound the stream is untouched")
    func idle() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate)
        #expect(Self.run(&mixer, count: 320) == [Int16](repeating: 10_000, count: 320))
        #expect(!mixer.isActive)
    }

    @Test("While a sound plays the stream is lowered, and it comes back afterwards, without steps")
    func ducking() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate, duckedGain: 0.25)
        mixer.play([Int16](repeating: 0, count: 1_600))
        let output = Self.run(&mixer, count: 4_800)
        #expect(output[(Self.ramp + 1)..<1_600].allSatisfy { $0 == 2_500 })
        #expect(output[(1_600 + Self.ramp + 1)...].allSatisfy { $0 == 10_000 })
        #expect(Self.largestStep(output) <= 16)
        #expect(!mixer.isActive)
        #expect(!mixer.isPlaying)
    }

    @Test("The sound is added to the lowered stream and played as often as asked")
    func repeats() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate, duckedGain: 0.5)
        mixer.play([Int16](repeating: 100, count: 800) + [Int16](repeating: -100, count: 800), repeats: 3)
        let output = Self.run(&mixer, count: 8_000)
        #expect(output[2_000] == 5_100 && output[3_000] == 4_900 && output[3_300] == 5_100)
        #expect(output[4_799] == 4_900)
        #expect(output[4_801 + Self.ramp] == 10_000)
    }

    @Test("Over silence the sound is heard as it is")
    func overSilence() throws {
        let ring = try Chime.timer.samples(sampleRate: Self.rate)
        var mixer = try DuckingMixer(sampleRate: Self.rate)
        mixer.play(ring)
        #expect(Self.run(&mixer, stream: 0, count: 16_000) == ring)
    }

    @Test("A loud sum saturates instead of wrapping", arguments: [Int16.max, .min])
    func saturation(value: Int16) throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate, duckedGain: 1)
        mixer.play([Int16](repeating: value, count: 160))
        #expect(Self.run(&mixer, stream: value, count: 160).allSatisfy { $0 == value })
    }

    @Test("Stopping fades the sound out and brings the stream back")
    func stop() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate, duckedGain: 0.2)
        mixer.play([Int16](repeating: 20_000, count: 1_600), repeats: 1_000)
        let playing = Self.run(&mixer, stream: 1_000, count: 1_600)
        mixer.stop()
        let after = Self.run(&mixer, stream: 1_000, count: 1_600)
        #expect(playing[1_599] == 20_200)
        #expect(Self.largestStep([playing[1_599]] + after) <= 64)
        #expect(after[(2 * Self.ramp + 4)...].allSatisfy { $0 == 1_000 })
        #expect(!mixer.isActive)
    }

    @Test("Stopping when nothing plays does not cut the next sound short")
    func stopIdle() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate)
        mixer.stop()
        mixer.play([Int16](repeating: 500, count: 800))
        #expect(Self.run(&mixer, stream: 0, count: 800) == [Int16](repeating: 500, count: 800))
    }

    @Test("A second sound begins after the first has faded out")
    func secondSound() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate)
        mixer.play([Int16](repeating: 10_000, count: 16_000))
        _ = Self.run(&mixer, stream: 0, count: 320)
        mixer.play([Int16](repeating: -500, count: 1_600))
        let output = Self.run(&mixer, stream: 0, count: 4_800)
        #expect(output[Self.ramp / 2] > 0)
        #expect(output[(Self.ramp + 4)..<2_000].allSatisfy { $0 == -500 })
        #expect(output[2_200...].allSatisfy { $0 == 0 })
    }

    @Test("Stopping drops a sound that waits")
    func stopDropsBoth() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate)
        mixer.play([Int16](repeating: 10_000, count: 16_000))
        mixer.play([Int16](repeating: -500, count: 1_600))
        mixer.stop()
        #expect(Self.run(&mixer, stream: 0, count: 4_800).allSatisfy { $0 >= 0 })
        #expect(!mixer.isActive)
    }

    @Test("An empty sound, no repeats and impossible gains change nothing that they should not")
    func oddArguments() throws {
        var mixer = try DuckingMixer(sampleRate: Self.rate, duckedGain: .nan)
        mixer.play([])
        mixer.play([1, 2], repeats: 0)
        mixer.play([1, 2], repeats: -3)
        #expect(!mixer.isActive)
        var silent = try DuckingMixer(sampleRate: Self.rate, duckedGain: -4)
        silent.play([Int16](repeating: 0, count: 1_600))
        #expect(Self.run(&silent, count: 800).last == 0)
        #expect(throws: AudioFormatError.unsupportedSampleRate(5)) { try DuckingMixer(sampleRate: 5) }
    }
}
