import CTurboJPEG
import Foundation

/// JPEG files, read and written by libjpeg-turbo.
enum JPEGFile {
    private static let sideLimit = 65_500

    /// The pixels of a file, upright.
    static func pixels(in file: Data) throws(DecoderError) -> Pixels {
        guard let handle = tjInitDecompress() else { throw .configurationError(OSStatus(TJERR_FATAL.rawValue)) }
        defer { tjDestroy(handle) }
        let result: Result<Pixels, DecoderError> = file.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return .failure(.invalidFormat) }
            return read(start, count: UInt(bytes.count), handle)
        }
        return try result.get().turnedUpright(EXIFOrientation(of: file))
    }

    private static func read(
        _ start: UnsafePointer<UInt8>, count: UInt, _ handle: tjhandle
    ) -> Result<Pixels, DecoderError> {
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colours) == 0,
            UIImage.isAllowed(width: Int(width), height: Int(height))
        else { return .failure(.invalidFormat) }
        let size = 4 * Int(width) * Int(height)
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, written in
            status = tjDecompress2(
                handle, start, count, buffer.baseAddress, width, 0, height, Int32(TJPF_RGBA.rawValue),
                TJFLAG_LIMITSCANS)
            // After a failure the array is thrown away; its bytes have to be something all the same.
            if status != 0 { buffer.initialize(repeating: 0) }
            written = size
        }
        guard status == 0 || isHarmless(handle) else {
            return .failure(.decodingFailed(tjGetErrorCode(handle)))
        }
        return .success(Pixels(width: Int(width), height: Int(height), bytes: bytes))
    }

    /// Whether the last call only warned of bytes too many before the end: cameras fill their files up with such. Every other
    /// warning is a damaged picture.
    private static func isHarmless(_ handle: tjhandle) -> Bool {
        tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && String(cString: tjGetErrorStr2(handle)).hasSuffix("extraneous bytes before marker 0xd9")
    }

    /// The file of pixels, without their alpha; `quality` from 0 to 1. Nil without memory for it, or when a side is too long.
    static func file(of pixels: Pixels, quality: Double) -> Data? {
        guard max(pixels.width, pixels.height) <= sideLimit, let handle = tjInitCompress() else { return nil }
        defer { tjDestroy(handle) }
        let subsampling = Int32(TJSAMP_420.rawValue)
        let (width, height) = (Int32(pixels.width), Int32(pixels.height))
        var size = tjBufSize(width, height, subsampling)
        var file = Data(count: Int(size))
        let status = file.withUnsafeMutableBytes { buffer in
            var target = buffer.bindMemory(to: UInt8.self).baseAddress
            return pixels.bytes.withUnsafeBufferPointer { source in
                tjCompress2(
                    handle, source.baseAddress, width, 0, height, Int32(TJPF_RGBA.rawValue), &target, &size,
                    subsampling, percent(quality), TJFLAG_NOREALLOC)
            }
        }
        return status == 0 ? file.prefix(Int(size)) : nil
    }

    /// libjpeg's quality, 1 to 100; what is no number counts as the best.
    private static func percent(_ quality: Double) -> Int32 {
        quality.isNaN ? 100 : Int32((min(max(quality, 0.01), 1) * 100).rounded())
    }
}
