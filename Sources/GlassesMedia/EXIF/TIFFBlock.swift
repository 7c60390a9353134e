/// One entry of a TIFF directory.
struct TIFFEntry: Equatable {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    var value: [UInt8]

    /// A number of two bytes.
    init(tag: UInt16, short: UInt16) {
        self.init(tag: tag, type: 3, count: 1, value: ByteOrder.big(short))
    }

    /// A number of four bytes.
    init(tag: UInt16, long: UInt32) {
        self.init(tag: tag, type: 4, count: 1, value: ByteOrder.big(long))
    }

    /// ASCII letters; the end mark is added.
    init(tag: UInt16, text: String) {
        let value = Array(text.utf8) + [0]
        self.init(tag: tag, type: 2, count: UInt32(value.count), value: value)
    }

    /// Bytes of a meaning that the tag tells.
    init(tag: UInt16, raw value: [UInt8]) {
        self.init(tag: tag, type: 7, count: UInt32(value.count), value: value)
    }

    private init(tag: UInt16, type: UInt16, count: UInt32, value: [UInt8]) {
        (self.tag, self.type, self.count, self.value) = (tag, type, count, value)
    }
}

/// Writes a TIFF block, the highest byte first: a directory, and EXIF's own that it points at.
enum TIFFBlock {
    private static let header = 8
    private static let exifPointer: UInt16 = 0x8769

    /// The block; both lists are in the order of their tags, all of the first below EXIF's pointer.
    static func bytes(_ entries: [TIFFEntry], exif: [TIFFEntry]) -> [UInt8] {
        let start: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, UInt8(header)]
        guard !exif.isEmpty else { return start + directory(entries, at: header) }
        let size = directory(entries + [TIFFEntry(tag: exifPointer, long: 0)], at: header).count
        let pointer = TIFFEntry(tag: exifPointer, long: UInt32(header + size))
        return start + directory(entries + [pointer], at: header) + directory(exif, at: header + size)
    }

    /// A directory and, after it, the values that do not fit into four bytes; `offset` is where it lies in the block.
    private static func directory(_ entries: [TIFFEntry], at offset: Int) -> [UInt8] {
        var table = ByteOrder.big(UInt16(entries.count))
        var values: [UInt8] = []
        let valuesOffset = offset + 2 + 12 * entries.count + 4
        for entry in entries {
            table += ByteOrder.big(entry.tag) + ByteOrder.big(entry.type) + ByteOrder.big(entry.count)
            if entry.value.count <= 4 {
                table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                table += ByteOrder.big(UInt32(valuesOffset + values.count))
                values += entry.value
                if values.count % 2 == 1 { values.append(0) }
            }
        }
        return table + [0, 0, 0, 0] + values
    }
}
