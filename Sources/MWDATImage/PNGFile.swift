import CPNG
import Foundation

/// PNG files, read and written by libpng.
enum PNGFile {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a file begins as one.
    static func isPNG(_ file: Data) -> Bool { file.starts(with: signature) }

    /// The pixels of a file.
    static func pixels(in file: Data) throws(DecoderError) -> Pixels {
        let result: Result<Pixels, DecoderError> = file.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return .failure(.invalidFormat) }
            return read(start, count: bytes.count)
        }
        return try result.get()
    }

    private static func read(_ start: UnsafeRawPointer, count: Int) -> Result<Pixels, DecoderError> {
        var image = blankImage()
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, start, count) != 0 else { return .failure(.invalidFormat) }
        let (width, height) = (Int(image.width), Int(image.height))
        guard UIImage.isAllowed(width: width, height: height) else { return .failure(.invalidFormat) }
        image.format = cpng_rgba
        var isRead = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { buffer, count in
            isRead = png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0
            count = isRead ? 4 * width * height : 0
        }
        guard isRead else { return .failure(.decodingFailed(OSStatus(bitPattern: image.warning_or_error))) }
        return .success(Pixels(width: width, height: height, bytes: bytes))
    }

    /// The file of pixels; nil without memory for it.
    static func file(of pixels: Pixels) -> Data? {
        var image = blankImage()
        defer { png_image_free(&image) }
        image.width = png_uint_32(pixels.width)
        image.height = png_uint_32(pixels.height)
        image.format = cpng_rgba
        return pixels.bytes.withUnsafeBufferPointer { source in
            // The first call only tells how large the file becomes.
            var size = png_alloc_size_t(0)
            guard png_image_write_to_memory(&image, nil, &size, 0, source.baseAddress, 0, nil) != 0 else { return nil }
            var file = Data(count: Int(size))
            let isWritten = file.withUnsafeMutableBytes { target in
                png_image_write_to_memory(&image, target.baseAddress, &size, 0, source.baseAddress, 0, nil) != 0
            }
            return isWritten ? file.prefix(Int(size)) : nil
        }
    }

    private static func blankImage() -> png_image {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        return image
    }
}
