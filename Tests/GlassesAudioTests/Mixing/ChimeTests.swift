import GlassesAudio
import Testing

@Suite struct ChimeTests {
    @Test("The timer's ring is one second of its two tones at any rate", arguments: [8_000, 16_000, 24_000, 48_000])
    func timerRing(rate: Int) throws {
        let ring = try Chime.timer.samples(sampleRate: rate)
        #expect(ring.count == rate)
        let first = Array(ring[..<(rate * 18 / 100)])
        let second = Array(ring[(rate * 18 / 100)..<(rate / 2)])
        let candidates = Array(stride(from: 500.0, to: 2_000, by: 100)) + [870, 880, 890, 1_308.5, 1_318.5, 1_328.5]
        #expect(abs(try #require(Signals.peak(in: first, rate: rate, among: candidates)) - 880) < 1)
        #expect(abs(try #require(Signals.peak(in: second, rate: rate, among: candidates)) - 1_318.5) < 1)
        #expect(ring[(rate / 2)...].allSatisfy { $0 == 0 })
        #expect(abs(LevelMeter.level(of: ring).peak - 0.4) < 0.01)
    }

    @Test("Tones fade in and out, so that no sample jumps")
    func noClicks() throws {
        let ring = try Chime.timer.samples(sampleRate: 48_000)
        #expect(ring.first == 0)
        let jump = zip(ring, ring.dropFirst()).map { abs(Int($0) - Int($1)) }.max()
        // A full tone of 1,318.5 Hz moves by at most 2π·f/rate of its amplitude a sample.
        #expect(try #require(jump) < Int(0.4 * 32_767 * 0.18))
    }

    @Test("Impossible tones are silent, and impossible values are brought into range")
    func impossibleTones() throws {
        let tones = [-5, 0, 9_000, .infinity, .nan].map { Chime.Tone(frequency: $0, milliseconds: 10) }
        let samples = try Chime(tones: tones, amplitude: 9).samples(sampleRate: 16_000)
        #expect(samples == [Int16](repeating: 0, count: 5 * 160))
        #expect(Chime.Tone(frequency: 1, milliseconds: -1).milliseconds == 0)
        #expect(Chime.Tone(frequency: 1, milliseconds: .max).milliseconds == 10_000)
        #expect(Chime(tones: [], amplitude: .nan).amplitude == 0)
        #expect(try Chime(tones: []).samples(sampleRate: 16_000).isEmpty)
        #expect(throws: AudioFormatError.unsupportedSampleRate(1)) { try Chime.timer.samples(sampleRate: 1) }
    }
}
