import CTurboJPEG
import Foundation
import GlassesDomain

/// Writes JPEG files with libjpeg-turbo; owns its handle, for one thread.
final class JPEGEncoder {
    private let handle: tjhandle

    init() throws(MediaError) {
        guard let handle = tjInitCompress() else { throw .outOfMemory }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// A picture as a JPEG file; `quality` is brought into 1–100.
    func file(of picture: PlanarPicture, quality: Int) throws(MediaError) -> Data {
        let picture = picture.converted(to: .full)
        let subsampling = Int32(TJSAMP_420.rawValue)
        let capacity = tjBufSize(Int32(picture.width), Int32(picture.height), subsampling)
        var size = capacity
        var result: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
            var target = buffer.baseAddress
            result = Self.withPlanes(of: picture) { planes, strides in
                tjCompressFromYUVPlanes(
                    handle, planes, Int32(picture.width), strides, Int32(picture.height), subsampling, &target, &size,
                    Int32(min(max(quality, 1), 100)), TJFLAG_NOREALLOC)
            }
            count = result == 0 ? Int(size) : 0
        }
        guard result == 0 else {
            throw .coderFailed(code: "jpeg", message: String(cString: tjGetErrorStr2(handle)))
        }
        return Data(bytes)
    }

    private static func withPlanes(
        of picture: PlanarPicture,
        _ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafePointer<Int32>) -> Int32
    ) -> Int32 {
        picture.luma.bytes.withUnsafeBufferPointer { luma in
            picture.blue.bytes.withUnsafeBufferPointer { blue in
                picture.red.bytes.withUnsafeBufferPointer { red in
                    var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    let strides = [picture.luma.width, picture.blue.width, picture.red.width].map(Int32.init)
                    return body(&planes, strides)
                }
            }
        }
    }
}
