import CTurboJPEG
import Foundation
import GlassesDomain

/// Reads JPEG files with libjpeg-turbo; owns its handle, for one thread.
final class JPEGDecoder {
    /// What the header of a file says.
    struct Header {
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colours: Int32 = 0
    }

    /// The denominator of libjpeg's scales: a file can be decoded at 1/8, 2/8 … 8/8 of its size.
    private static let eighths = 8

    private let handle: tjhandle
    private let maximumPixels: Int

    init(maximumPixels: Int) throws(MediaError) {
        guard let handle = tjInitDecompress() else { throw .outOfMemory }
        self.handle = handle
        self.maximumPixels = maximumPixels
    }

    deinit { tjDestroy(handle) }

    /// The picture, at the smallest of libjpeg's scales whose longest side is not below `longestSide`; nil for the whole size.
    func picture(in file: Data, longestSide: Int? = nil) throws(MediaError) -> PlanarPicture {
        let header = try header(of: file)
        let eighths = longestSide.map { Self.scale(for: $0, header) } ?? Self.eighths
        let (width, height) = (Self.scaled(header.width, eighths), Self.scaled(header.height, eighths))
        switch header.colours {
        case Int32(TJCS_YCbCr.rawValue), Int32(TJCS_GRAY.rawValue):
            return try planes(in: file, width: width, height: height, subsampling: header.subsampling)
        case Int32(TJCS_RGB.rawValue):
            return try recoded(pixels(in: file, width: width, height: height), width: width, height: height)
        default: throw .undecodable(reason: "a JPEG file for print, in CMYK colours")
        }
    }

    /// The pixels, four bytes each: R, G, B and 255.
    func rgba(in file: Data) throws(MediaError) -> Plane {
        let header = try header(of: file)
        return try pixels(in: file, width: Int(header.width), height: Int(header.height))
    }

    /// The header; pictures without pixels, or with too many, are refused.
    func header(of file: Data) throws(MediaError) -> Header {
        var header = Header()
        let result = file.withBytes { bytes, count in
            tjDecompressHeader3(
                handle, bytes, count, &header.width, &header.height, &header.subsampling, &header.colours)
        }
        guard result == 0 else { throw .undecodable(reason: complaint) }
        let (width, height) = (Int(header.width), Int(header.height))
        guard width > 0, height > 0, width * height <= maximumPixels else {
            throw .unsupportedSize(width: width, height: height)
        }
        return header
    }

    private static func scaled(_ size: Int32, _ eighths: Int) -> Int {
        (Int(size) * eighths + Self.eighths - 1) / Self.eighths
    }

    private static func scale(for longestSide: Int, _ header: Header) -> Int {
        let longest = max(header.width, header.height)
        return (1...eighths).first { scaled(longest, $0) >= longestSide } ?? eighths
    }

    /// Decodes the whole file and throws what is wrong with it.
    func check(_ file: Data) throws(MediaError) -> Header {
        let header = try header(of: file)
        switch header.colours {
        case Int32(TJCS_YCbCr.rawValue), Int32(TJCS_GRAY.rawValue):
            _ = try packed(
                in: file, width: Int(header.width), height: Int(header.height), subsampling: header.subsampling)
        default: _ = try pixels(in: file, width: Int(header.width), height: Int(header.height))
        }
        return header
    }

    /// The planes as they are stored, brought to 4:2:0.
    private func planes(
        in file: Data, width: Int, height: Int, subsampling: Int32
    ) throws(MediaError) -> PlanarPicture {
        let packed = try packed(in: file, width: width, height: height, subsampling: subsampling)
        var offset = 0
        func next(_ component: Int32) -> Plane {
            let plane = packed.part(
                at: offset, width: Int(tjPlaneWidth(component, Int32(width), subsampling)),
                height: Int(tjPlaneHeight(component, Int32(height), subsampling)))
            offset += plane.bytes.count
            return plane
        }
        let luma = next(0).resized(width: width, height: height)
        guard subsampling != Int32(TJSAMP_GRAY.rawValue) else {
            let chroma = Plane(width: (width + 1) / 2, height: (height + 1) / 2, shade: 128)
            return PlanarPicture(width: width, height: height, range: .full, luma: luma, blue: chroma, red: chroma)
        }
        return PlanarPicture(
            width: width, height: height, range: .full, luma: luma,
            blue: try Self.quartered(next(1), subsampling, width: width, height: height),
            red: try Self.quartered(next(2), subsampling, width: width, height: height))
    }

    /// A chroma plane in 4:2:0.
    private static func quartered(
        _ plane: Plane, _ subsampling: Int32, width: Int, height: Int
    ) throws(MediaError) -> Plane {
        switch subsampling {
        case Int32(TJSAMP_420.rawValue): plane
        case Int32(TJSAMP_422.rawValue): plane.withHalvedRows()
        default: try plane.scaled(width: (width + 1) / 2, height: (height + 1) / 2)
        }
    }

    /// All planes one after the other, without gaps, as one long row.
    private func packed(in file: Data, width: Int, height: Int, subsampling: Int32) throws(MediaError) -> Plane {
        var result: Int32 = 0
        let size = Int(tjBufSizeYUV2(Int32(width), 1, Int32(height), subsampling))
        let planes = Plane(width: size, height: 1) { target in
            result = file.withBytes { bytes, count in
                tjDecompressToYUV2(
                    handle, bytes, count, target, Int32(width), 1, Int32(height), TJFLAG_LIMITSCANS)
            }
        }
        try refuseDamage(result)
        return planes
    }

    private func pixels(in file: Data, width: Int, height: Int) throws(MediaError) -> Plane {
        var result: Int32 = 0
        let pixels = Plane(width: 4 * width, height: height) { target in
            result = file.withBytes { bytes, count in
                tjDecompress2(
                    handle, bytes, count, target, Int32(width), 0, Int32(height), Int32(TJPF_RGBA.rawValue),
                    TJFLAG_LIMITSCANS)
            }
        }
        try refuseDamage(result)
        return pixels
    }

    /// The picture of pixels that were stored as R, G and B.
    private func recoded(_ pixels: Plane, width: Int, height: Int) throws(MediaError) -> PlanarPicture {
        guard let coder = tjInitCompress() else { throw .outOfMemory }
        defer { tjDestroy(coder) }
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        var result: Int32 = 0
        let packed = Plane(width: halfWidth * halfHeight * 6, height: 1) { target in
            result = pixels.bytes.withUnsafeBufferPointer { source in
                tjEncodeYUV3(
                    coder, source.baseAddress, Int32(width), 0, Int32(height), Int32(TJPF_RGBA.rawValue), target, 1,
                    Int32(TJSAMP_420.rawValue), 0)
            }
        }
        guard result == 0 else { throw .undecodable(reason: String(cString: tjGetErrorStr2(coder))) }
        let chroma = halfWidth * halfHeight
        return PlanarPicture(
            width: width, height: height, range: .full,
            luma: packed.part(at: 0, width: 2 * halfWidth, height: 2 * halfHeight),
            blue: packed.part(at: 4 * chroma, width: halfWidth, height: halfHeight),
            red: packed.part(at: 5 * chroma, width: halfWidth, height: halfHeight))
    }

    /// A warning is a damaged picture, too, but for bytes too many before the end: cameras fill their files up with such.
    private func refuseDamage(_ result: Int32) throws(MediaError) {
        guard result != 0 else { return }
        let reason = complaint
        let isWarning = tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        guard isWarning, reason.hasSuffix("extraneous bytes before marker 0xd9") else {
            throw .undecodable(reason: reason)
        }
    }

    private var complaint: String { String(cString: tjGetErrorStr2(handle)) }
}

extension Plane {
    fileprivate func part(at offset: Int, width: Int, height: Int) -> Plane {
        bytes.withUnsafeBufferPointer { source in
            Plane(width: width, height: height) { target in
                if let start = source.baseAddress { target.update(from: start + offset, count: width * height) }
            }
        }
    }
}

extension Data {
    /// Lends the bytes to C; an empty file has none.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>?, UInt) -> Result) -> Result {
        withUnsafeBytes { body($0.bindMemory(to: UInt8.self).baseAddress, UInt($0.count)) }
    }
}
