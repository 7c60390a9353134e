import Foundation

/// How a JPEG file's picture is turned, as its EXIF tells.
struct EXIFOrientation: Equatable {
    /// Quarters of a circle, clockwise, that turn the picture upright: 0 to 3.
    var quarters: Int

    private static let orientationTag = 0x0112
    private static let entrySize = 12
    /// Marker, length and `Exif\0\0`, after which the TIFF block begins.
    private static let headerSize = 10

    /// Reads `file`; a file without EXIF, or with a damaged one, is upright. Mirrored pictures are turned, too, and stay mirrored.
    init(of file: Data) {
        switch Self.number(in: [UInt8](file.prefix(Self.searchLimit))) {
        case 3, 4: quarters = 2
        case 5, 8: quarters = 3
        case 6, 7: quarters = 1
        default: quarters = 0
        }
    }

    /// EXIF stands in the first segments, each of which is at most this long; JFIF's may come before it.
    private static let searchLimit = 2 * 65_537

    private static func number(in bytes: [UInt8]) -> Int? {
        var offset = 2
        while offset + headerSize < bytes.count, bytes[offset] == 0xFF {
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            if bytes[offset + 1] == 0xE1, bytes[(offset + 4)...].starts(with: Array("Exif\0\0".utf8)) {
                return number(inBlock: Array(bytes[(offset + headerSize)...].prefix(max(length - 8, 0))))
            }
            // The picture's data begins: no segment comes after it.
            guard bytes[offset + 1] != 0xDA, length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    /// The orientation in a TIFF block of either byte order.
    private static func number(inBlock block: [UInt8]) -> Int? {
        let isLittle = block.starts(with: Array("II".utf8))
        guard isLittle || block.starts(with: Array("MM".utf8)) else { return nil }
        func value(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, offset + size <= block.count else { return nil }
            let bytes = block[offset..<offset + size]
            return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = value(at: 4, size: 4), let entries = value(at: directory, size: 2) else { return nil }
        for entry in 0..<entries {
            let offset = directory + 2 + entry * entrySize
            guard let tag = value(at: offset, size: 2) else { return nil }
            if tag == orientationTag { return value(at: offset + 8, size: 2) }
        }
        return nil
    }
}
