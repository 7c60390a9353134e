import GlassesAudio
import Testing

@Suite struct ChannelMixerTests {
    @Test(
        "A frame becomes the rounded mean of its channels",
        arguments: [
            (1, [5, -7, Int16.min], [5, -7, Int16.min]),
            (2, [100, 300, -100, -301], [200, -201]),
            (2, [Int16.max, Int16.max, Int16.min, Int16.min], [Int16.max, Int16.min]),
            (3, [1, 1, 2, -1, -1, -2], [1, -1]),
        ] as [(Int, [Int16], [Int16])])
    func means(channels: Int, interleaved: [Int16], mono: [Int16]) throws {
        var mixer = try ChannelMixer(channels: channels)
        #expect(mixer.downmix(interleaved) == mono)
    }

    @Test("A frame split between two calls is mixed once it is whole", arguments: [2, 6, 64])
    func splitFrames(channels: Int) throws {
        let interleaved = (0..<channels * 5).map { Int16($0 * 10) }
        var whole = try ChannelMixer(channels: channels)
        var single = try ChannelMixer(channels: channels)
        let expected = whole.downmix(interleaved)
        #expect(expected.count == 5)
        #expect(interleaved.flatMap { single.downmix([$0]) } == expected)
    }

    @Test("A channel count outside 1 to 64 is refused", arguments: [0, -2, 65])
    func badCounts(channels: Int) {
        #expect(throws: AudioFormatError.unsupportedChannelCount(channels)) { try ChannelMixer(channels: channels) }
    }
}
