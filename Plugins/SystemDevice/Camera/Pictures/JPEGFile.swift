import Glibc

/// What is read of a JPEG file without decoding it. Hostile bytes only give nil.
enum JPEGFile {
    private static let mark: UInt8 = 0xFF
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA

    /// The bytes up to the last end-of-image marker, which cameras may pad; nil for what does not begin as a file or has no end.
    static func wholeLength(_ file: UnsafeRawBufferPointer) -> Int? {
        guard file.count >= 4, file[0] == mark, file[1] == startOfImage else { return nil }
        var end = file.count
        while end >= 4 {
            if file[end - 1] == endOfImage, file[end - 2] == mark { return end }
            end -= 1
        }
        return nil
    }

    /// The picture's size in pixels, from the frame header; nil when there is none before the first scan.
    static func size(_ file: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
        var size: (Int, Int)?
        _ = walk(file) { marker, segment in
            // All of C0…CF but the tables (C4, CC) and the reserved C8 are frame headers.
            guard (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker), segment.count >= 5 else {
                return
            }
            size = (Int(segment[3]) << 8 | Int(segment[4]), Int(segment[1]) << 8 | Int(segment[2]))
        }
        guard let size, size.0 > 0, size.1 > 0 else { return nil }
        return size
    }

    /// The length of the first file in `bytes`, found by its structure, so that a preview inside it does not end it; nil when its
    /// end is not there.
    static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard var position = walk(bytes, { _, _ in }) else { return nil }
        // Coded pixels: a mark is followed by 0 or a restart marker, until another marker comes.
        while position + 1 < bytes.count {
            guard let next = find(mark, in: bytes, from: position), next + 1 < bytes.count else { return nil }
            switch bytes[next + 1] {
            case endOfImage: return next + 2
            case 0, 0xD0...0xD7: position = next + 2
            case mark: position = next + 1
            default:
                // Another segment, as progressive files have between their scans.
                guard next + 3 < bytes.count else { return nil }
                position = next + 2 + (Int(bytes[next + 2]) << 8 | Int(bytes[next + 3]))
            }
        }
        return nil
    }

    /// Calls `visit` with each segment before the first scan, and answers where its coded pixels begin; nil when they do not.
    private static func walk(
        _ file: UnsafeRawBufferPointer, _ visit: (UInt8, UnsafeRawBufferPointer) -> Void
    ) -> Int? {
        guard file.count >= 4, file[0] == mark, file[1] == startOfImage else { return nil }
        var position = 2
        while position + 3 < file.count {
            guard file[position] == mark else { return nil }
            let marker = file[position + 1]
            if marker == mark {
                position += 1
                continue
            }
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            guard length >= 2, position + 2 + length <= file.count else { return nil }
            visit(marker, UnsafeRawBufferPointer(rebasing: file[position + 4..<position + 2 + length]))
            position += 2 + length
            if marker == startOfScan { return position }
        }
        return nil
    }

    private static func find(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return base.distance(to: UnsafeRawPointer(found))
    }
}
