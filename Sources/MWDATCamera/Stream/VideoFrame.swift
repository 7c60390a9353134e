import Foundation
import MWDATCore

/// One picture of a stream.
public struct VideoFrame: Sendable {
    /// The picture in the stream's configured form, with its time, size and format.
    public let sampleBuffer: CMSampleBuffer

    /// The picture as an image, on any thread; about a millisecond for 720 × 1280. Nil for ``VideoCodec/hvc1``, whose pictures the app
    /// decodes, and when there is no memory.
    public func makeUIImage() -> sending UIImage? {
        guard let picture = sampleBuffer.imageBuffer else { return nil }
        let result: Result<UIImage, DecoderError> = picture.bytes.withUnsafeBytes { bytes in
            do throws(DecoderError) {
                return .success(try UIImage(width: picture.width, height: picture.height, i420: bytes))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let image): return image
        case .failure(let error):
            Warnings.tell("a frame gave no image: \(error.description)")
            return nil
        }
    }
}
