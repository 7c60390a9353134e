/// Checks UTF-8 that comes in pieces and fails at the first byte after which no valid text can follow.
struct TextCheck {
    /// How many bytes of the character that was begun are missing.
    private var missing: UInt8 = 0
    /// The range that the next byte must lie in: it excludes overlong forms, surrogates and what lies above U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text could end here.
    var isAtCharacterEnd: Bool { missing == 0 }

    /// Takes the next piece; false when the text can no longer become valid.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        var offset = 0
        while offset < count {
            if missing == 0 {
                offset = Self.skipASCII(base, from: offset, count: count)
                guard offset < count else { return true }
                guard begin(base.load(fromByteOffset: offset, as: UInt8.self)) else { return false }
                offset &+= 1
            }
            while missing > 0 && offset < count {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                guard byte >= lowest && byte <= highest else { return false }
                (lowest, highest) = (0x80, 0xBF)
                missing &-= 1
                offset &+= 1
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }

    /// The offset of the first byte that is not ASCII, or `count`.
    private static func skipASCII(_ base: UnsafeRawPointer, from start: Int, count: Int) -> Int {
        let high: UInt64 = 0x8080_8080_8080_8080
        var offset = start
        while offset &+ 32 <= count {
            let a = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let b = base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            let c = base.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self)
            let d = base.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self)
            guard (a | b | c | d) & high == 0 else { break }
            offset &+= 32
        }
        while offset < count, base.load(fromByteOffset: offset, as: UInt8.self) < 0x80 { offset &+= 1 }
        return offset
    }
}
