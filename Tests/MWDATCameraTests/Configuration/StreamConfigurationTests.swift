import Testing

@testable import MWDATCamera

@Suite struct StreamConfigurationTests {
    @Test(
        "A rate that glasses do not have becomes the nearest that they have",
        arguments: [
            (UInt(0), UInt(2)), (2, 2), (4, 2), (5, 7), (7, 7), (11, 7), (12, 15), (15, 15), (19, 15), (20, 24),
            (24, 24),
            (27, 24), (28, 30), (30, 30), (60, 30), (.max, 30),
        ])
    func rate(asked: UInt, used: UInt) {
        #expect(StreamConfiguration(videoCodec: .raw, resolution: .low, frameRate: asked).frameRate == used)
    }

    @Test func withoutWishesAStreamIsRawMediumAndFast() {
        let config = StreamConfiguration()
        #expect(config == StreamConfiguration(videoCodec: .raw, resolution: .medium, frameRate: 30))
        #expect(config.audioCodec == nil)
    }

    @Test(
        "Each resolution has its size",
        arguments: [
            (StreamingResolution.high, UInt(720), UInt(1280)), (.medium, 504, 896), (.low, 360, 640),
        ])
    func size(resolution: StreamingResolution, width: UInt, height: UInt) {
        #expect(resolution.videoFrameSize == VideoFrameSize(width: width, height: height))
    }
}
