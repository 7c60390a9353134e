import Foundation

/// One sample of a stream: what stands in for Core Media's type.
///
/// A raw picture has an ``imageBuffer``, a coded one a ``dataBuffer``. It cannot be changed, and may be used on any thread.
public final class CMSampleBuffer: Sendable {
    /// When the sample is to be shown. The times of one stream object increase strictly, over restarts, too; its first one is 0.
    public let presentationTimeStamp: CMTime
    /// What the sample is.
    public let formatDescription: CMFormatDescription?
    /// The decoded picture; nil when it is coded.
    public let imageBuffer: CVPixelBuffer?
    /// A coded picture: HEVC's NAL units, each after its length; nil when it is decoded.
    public let dataBuffer: Data?
    /// Whether the picture can be decoded without others; always true for a decoded one.
    public let isKeyFrame: Bool

    /// A sample holds one picture.
    public var numSamples: Int { 1 }

    /// A decoded picture.
    init(_ picture: CVPixelBuffer, at time: CMTime) {
        presentationTimeStamp = time
        formatDescription = CMFormatDescription(
            mediaSubType: picture.pixelFormatType, width: picture.width, height: picture.height)
        imageBuffer = picture
        dataBuffer = nil
        isKeyFrame = true
    }

    /// A coded picture.
    init(_ unit: Data, _ format: CMFormatDescription, isKeyFrame: Bool, at time: CMTime) {
        presentationTimeStamp = time
        formatDescription = format
        imageBuffer = nil
        dataBuffer = unit
        self.isKeyFrame = isKeyFrame
    }
}
