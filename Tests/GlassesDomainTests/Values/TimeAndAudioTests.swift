import Testing

@testable import GlassesDomain

@Suite struct TimeAndAudioTests {
    @Test func timesSaturateInsteadOfOverflowing() {
        #expect(MonotonicTime(nanoseconds: .max).advanced(by: .seconds(1)).nanoseconds == .max)
        #expect(MonotonicTime(nanoseconds: .min).advanced(by: .seconds(-1)).nanoseconds == .min)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.fromSeconds(.infinity).wholeNanoseconds == .max)
        #expect(Duration.fromSeconds(.nan) == .zero)
        #expect(Duration.fromSeconds(1.5) == .milliseconds(1500))
    }

    @Test func aDurationBetweenTwoTimesHasASign() {
        let early = MonotonicTime(nanoseconds: 100)
        let late = early.advanced(by: .nanoseconds(50))
        #expect(early < late)
        #expect(early.duration(to: late) == .nanoseconds(50))
        #expect(late.duration(to: early) == .nanoseconds(-50))
    }

    @Test func samplesAndLittleEndianBytesAreTheSame() {
        let block = PCMBlock(samples: [0, 1, -1, .max, .min, 0x1234], sampleRate: 8000)
        #expect(block.littleEndianBytes == [0, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0x80, 0x34, 0x12])
        #expect(PCMBlock.samples(littleEndian: block.littleEndianBytes) == block.samples)
        #expect(PCMBlock.samples(littleEndian: [1, 0, 7]) == [1])
        #expect(block.duration == .microseconds(750))
        #expect(PCMBlock(samples: [1], sampleRate: 0).duration == .zero)
    }
}
