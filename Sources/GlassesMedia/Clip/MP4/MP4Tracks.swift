/// The kind of file: what its first box says.
enum MP4Brand: Equatable {
    /// MPEG-4.
    case mp4
    /// QuickTime, which has Motion JPEG and PCM.
    case quickTime
}

/// How the pictures of a clip are coded.
enum VideoCoding: Equatable {
    /// H.264, with its parameter sets.
    case h264(sequence: [UInt8], picture: [UInt8])
    /// A JPEG file for each picture.
    case motionJPEG
}

/// How the sound of a clip is coded.
enum SoundCoding: Equatable {
    /// Opus at 48 kHz; a player leaves out the first `preSkip` samples. `inputRate` is what it was made of.
    case opus(preSkip: Int, inputRate: Int)
    /// 16 bits, the lowest byte first.
    case pcm
}

/// The pictures of a clip.
struct MP4VideoTrack: Equatable {
    /// Pixels as they are stored.
    var width: Int
    /// Pixels as they are stored.
    var height: Int
    /// Clockwise degrees that turn the picture upright: 0, 90, 180 or 270.
    var rotation: Int
    var coding: VideoCoding

    static let identifier = 1
    /// Units of its times in a second.
    static let timescale = 90_000
}

/// The sound of a clip: mono.
struct MP4SoundTrack: Equatable {
    /// Samples a second, and units of its times.
    var rate: Int
    var coding: SoundCoding

    static let identifier = 2
}

/// One picture, or one packet of sound.
struct MP4Sample: Equatable {
    var bytes: [UInt8]
    /// In units of the track's time.
    var duration: Int
    /// Whether it can be decoded without those before it.
    var isKey: Bool
}
