import Foundation
import MWDATCore

extension VideoCodec {
    var onLink: LinkCoding {
        switch self {
        case .raw: .i420
        case .hvc1: .hvc1
        }
    }
}

extension LinkFrame {
    /// The largest coded picture that is taken: more than an uncompressed one of the largest size.
    private static let codedLimit = 4 << 20

    /// What an HEVC picture that can be decoded alone tells of itself and of those after it; nil for others.
    var toldFormat: CMFormatDescription? {
        guard coding == .hvc1, isKeyFrame, let configuration = HEVCConfiguration(parameterSets) else { return nil }
        return CMFormatDescription(
            mediaSubType: kCMVideoCodecType_HEVC, width: width, height: height, configuration: configuration)
    }

    /// Whether its size and its bytes fit each other.
    fileprivate var isWellFormed: Bool {
        switch coding {
        case .i420: CVPixelBuffer.fits(width: width, height: height, count: bytes.count)
        case .hvc1:
            !bytes.isEmpty && bytes.count <= Self.codedLimit && (1...CVPixelBuffer.sideLimit).contains(width)
                && (1...CVPixelBuffer.sideLimit).contains(height)
        }
    }

    /// The sample of a well-formed picture.
    func sample(at time: CMTime, _ format: CMFormatDescription?) -> CMSampleBuffer? {
        switch coding {
        case .i420: CVPixelBuffer(width: width, height: height, bytes: bytes).map { CMSampleBuffer($0, at: time) }
        case .hvc1: format.map { CMSampleBuffer(bytes, $0, isKeyFrame: isKeyFrame, at: time) }
        }
    }
}

extension PictureFacts {
    /// The facts of a picture; `format` is what decodes it, nil when that is not known.
    init(_ frame: LinkFrame, _ format: CMFormatDescription?) {
        coding = frame.coding
        isWellFormed = frame.isWellFormed
        isKeyFrame = frame.coding == .i420 || frame.isKeyFrame && format != nil
        time = frame.time
    }
}

extension SoundFacts {
    /// Rates that sound has.
    private static let rates = 8_000...48_000
    /// The longest block that is taken: ten seconds of the fastest rate.
    private static let byteLimit = 960_000

    init(_ sound: LinkAudio) {
        isUsable =
            Self.rates.contains(sound.sampleRate) && !sound.bytes.isEmpty && sound.bytes.count.isMultiple(of: 2)
            && sound.bytes.count <= Self.byteLimit
        time = sound.time
    }
}

extension LinkPhoto {
    /// Whether it begins as a file of its format does.
    var isPicture: Bool {
        switch format {
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .heic: bytes.dropFirst(4).starts(with: Data("ftyp".utf8))
        }
    }
}
