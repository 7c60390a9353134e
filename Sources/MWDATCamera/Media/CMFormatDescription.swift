import Foundation

/// A code of four letters.
public typealias FourCharCode = UInt32

/// HEVC with its parameter sets in the description, `hvc1`.
public let kCMVideoCodecType_HEVC: FourCharCode = 0x6876_6331

/// A size in whole pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// Pixels across.
    public var width: Int32
    /// Pixels down.
    public var height: Int32

    /// A size of `width` by `height` pixels.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// What a sample is: what stands in for Core Media's type.
public final class CMFormatDescription: Sendable {
    /// ``kCMVideoCodecType_HEVC``, or ``kCVPixelFormatType_420YpCbCr8Planar``.
    public let mediaSubType: FourCharCode
    /// The pictures' size.
    public let dimensions: CMVideoDimensions
    /// HEVC's parameter sets (VPS, SPS, PPS), each without a length or start code; empty for raw pictures.
    public let parameterSets: [Data]
    /// How many bytes the length before each NAL unit has: 1, 2 or 4; 0 for raw pictures.
    public let nalUnitHeaderLength: Int

    init(mediaSubType: FourCharCode, width: Int, height: Int, configuration: HEVCConfiguration? = nil) {
        self.mediaSubType = mediaSubType
        dimensions = CMVideoDimensions(width: Int32(clamping: width), height: Int32(clamping: height))
        parameterSets = configuration?.parameterSets ?? []
        nalUnitHeaderLength = configuration?.lengthSize ?? 0
    }
}

/// Core Media's name for the description of pictures.
public typealias CMVideoFormatDescription = CMFormatDescription
