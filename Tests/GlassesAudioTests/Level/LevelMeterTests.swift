import GlassesAudio
import Testing

@Suite struct LevelMeterTests {
    @Test("A sine of half amplitude has an RMS of 0.354 and a peak of 0.5")
    func sine() {
        let level = LevelMeter.level(of: Signals.pcm(Signals.sine(1_000, seconds: 0.5, rate: 48_000)))
        #expect(abs(level.rms - 0.35355) < 0.0005)
        #expect(abs(level.peak - 0.5) < 0.0005)
        #expect(abs(level.rmsDBFS + 9.03) < 0.05)
        #expect(abs(level.peakDBFS + 6.02) < 0.05)
    }

    @Test("Full scale is 0 dBFS, also on its negative side")
    func fullScale() {
        let level = LevelMeter.level(of: [Int16.min, Int16.min])
        #expect(level.peak == 1)
        #expect(level.rms == 1)
        #expect(level.rmsDBFS == 0)
    }

    @Test("Silence and nothing at all are −100 dBFS", arguments: [[], [0, 0, 0]] as [[Int16]])
    func silence(samples: [Int16]) {
        let level = LevelMeter.level(of: samples)
        #expect(level == .silence)
        #expect(level.rmsDBFS == -100)
        #expect(level.peakDBFS == -100)
    }

    @Test("Taking a level begins a new stretch")
    func takeResets() {
        var meter = LevelMeter()
        meter.add([Int16.max, Int16.max].span)
        meter.add([Int16(0), 0].span)
        #expect(meter.take().rms < 0.71)
        meter.add([Int16(3_277), -3_277].span)
        #expect(abs(meter.take().peakDBFS + 20) < 0.01)
        #expect(meter.take() == .silence)
    }
}
