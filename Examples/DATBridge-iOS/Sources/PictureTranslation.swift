import Foundation
import MWDATCamera

#if canImport(CoreMedia)
    import CoreMedia
    import CoreVideo
#endif

/// Makes raw pictures of the toolkit into the bridge's: packed I420 (section 5.3).
struct PictureTranslation {
    private var began: Double?
    private var last = 0

    /// The fields and bytes of a picture; nil when the toolkit's has none.
    mutating func message(_ frame: VideoFrame, session: Int, stream: Int) -> BridgeMessage? {
        guard let picture = CMSampleBufferGetImageBuffer(frame.sampleBuffer), let bytes = Self.planes(picture) else {
            return nil
        }
        let now = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(frame.sampleBuffer))
        let start = began ?? now
        began = start
        last = max(last, now.isFinite && start.isFinite ? Int((now - start) * 1e9) : 0)
        return BridgeMessage(
            kind: "frame",
            fields: [
                "session": .integer(session), "stream": .integer(stream), "coding": .text("i420"),
                "width": .integer(CVPixelBufferGetWidth(picture)), "height": .integer(CVPixelBufferGetHeight(picture)),
                "time": .integer(last), "keyFrame": .flag(true), "parameters": .integer(0),
            ], payload: bytes)
    }

    #if canImport(CoreMedia)
        /// The vendor's pictures are bi-planar (420v): rows may be padded, and U and V alternate.
        private static func planes(_ picture: CVPixelBuffer) -> Data? {
            CVPixelBufferLockBaseAddress(picture, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
            guard CVPixelBufferGetPlaneCount(picture) == 2,
                let luma = CVPixelBufferGetBaseAddressOfPlane(picture, 0)?.assumingMemoryBound(to: UInt8.self),
                let chroma = CVPixelBufferGetBaseAddressOfPlane(picture, 1)?.assumingMemoryBound(to: UInt8.self)
            else { return nil }
            let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
            let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
            var bytes = Data(capacity: width * height + 2 * halfWidth * halfHeight)
            for row in 0..<height {
                bytes.append(luma + row * CVPixelBufferGetBytesPerRowOfPlane(picture, 0), count: width)
            }
            for offset in 0...1 {
                for row in 0..<halfHeight {
                    let line = chroma + row * CVPixelBufferGetBytesPerRowOfPlane(picture, 1)
                    for column in 0..<halfWidth { bytes.append(line[2 * column + offset]) }
                }
            }
            return bytes
        }
    #else
        /// The substitute on Linux is planar and packed already.
        private static func planes(_ picture: CVPixelBuffer) -> Data? { picture.bytes }
    #endif
}
