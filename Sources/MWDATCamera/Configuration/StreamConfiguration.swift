/// How a stream is wished. It cannot change while the stream lives: stop it and add another one.
///
/// Resolution and rate are wishes: when the link is narrow, pictures become smaller first and fewer then. The values here stay
/// what was asked for.
public struct StreamConfiguration: Sendable, Hashable {
    /// The rates that glasses have, in pictures a second.
    public static let frameRates: [UInt] = [2, 7, 15, 24, 30]

    /// How the pictures arrive; `raw` by default.
    public let videoCodec: VideoCodec
    /// How large they are; `medium` by default.
    public let resolution: StreamingResolution
    /// Pictures a second, one of ``frameRates``; 30 by default.
    public let frameRate: UInt
    /// How the microphone's sound arrives with the pictures; nil, the default, for none. Experimental.
    public let audioCodec: AudioCodec?

    /// A configuration with the given values.
    ///
    /// A `frameRate` that glasses do not have becomes the nearest that they have, the lower of two; a line on standard error
    /// says so once for each value.
    public init(
        videoCodec: VideoCodec, resolution: StreamingResolution, frameRate: UInt, audioCodec: AudioCodec? = nil
    ) {
        self.videoCodec = videoCodec
        self.resolution = resolution
        self.frameRate = Self.snapped(frameRate)
        self.audioCodec = audioCodec
        if self.frameRate != frameRate { FrameRateNotice.shared.tell(asked: frameRate, used: self.frameRate) }
    }

    /// Raw pictures of medium size, 30 a second, without sound.
    public init() { self.init(videoCodec: .raw, resolution: .medium, frameRate: 30) }

    /// A configuration of version 0.6. `skipAppLaunch` has no effect: no app is launched on the glasses.
    @available(*, deprecated, message: "No app is launched here; leave skipAppLaunch out.")
    public init(videoCodec: VideoCodec, resolution: StreamingResolution, frameRate: UInt, skipAppLaunch: Bool) {
        self.init(videoCodec: videoCodec, resolution: resolution, frameRate: frameRate)
    }

    /// The nearest rate that glasses have, the lower of two.
    static func snapped(_ rate: UInt) -> UInt {
        frameRates.min { distance($0, rate) < distance($1, rate) } ?? rate
    }

    private static func distance(_ left: UInt, _ right: UInt) -> UInt { left > right ? left - right : right - left }
}

/// The name of versions 0.1 to 0.6.
@available(*, deprecated, renamed: "StreamConfiguration")
public typealias StreamSessionConfig = StreamConfiguration
