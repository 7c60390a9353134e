/// The XOR mask of RFC 6455 section 5.3, eight bytes at a time.
struct PayloadMask {
    /// The four mask bytes, rotated so that the lowest in memory meets the next payload byte.
    private var word: UInt32

    init(_ mask: UInt32) { word = mask }

    /// Appends the masked `piece` to `body`; an empty one first makes room for `whole` bytes.
    mutating func append(_ piece: UnsafeRawBufferPointer, to body: inout [UInt8], whole: Int) {
        if body.isEmpty { body.reserveCapacity(whole) }
        append(piece, to: &body)
    }

    /// Appends the masked `piece` to `body`, in one pass over both.
    mutating func append(_ piece: UnsafeRawBufferPointer, to body: inout [UInt8]) {
        guard let source = piece.baseAddress else { return }
        var next = self
        body.append(addingCapacity: piece.count) { span in
            span.withUnsafeMutableBufferPointer { room, initialized in
                guard let base = room.baseAddress else { return }
                next.apply(from: source, to: UnsafeMutableRawPointer(base) + initialized, count: piece.count)
                initialized += piece.count
            }
        }
        self = next
    }

    /// Writes `count` masked bytes of `source` to `target`; the next call goes on after them.
    mutating func apply(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
        if word == 0 {
            target.copyMemory(from: source, byteCount: count)
            return
        }
        let wide = UInt64(word) | UInt64(word) << 32
        var offset = 0
        while offset &+ 32 <= count {
            let a = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ wide
            let b = source.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self) ^ wide
            let c = source.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self) ^ wide
            let d = source.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self) ^ wide
            target.storeBytes(of: a, toByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: b, toByteOffset: offset &+ 8, as: UInt64.self)
            target.storeBytes(of: c, toByteOffset: offset &+ 16, as: UInt64.self)
            target.storeBytes(of: d, toByteOffset: offset &+ 24, as: UInt64.self)
            offset &+= 32
        }
        while offset &+ 8 <= count {
            let value = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ wide
            target.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        var rest = wide.littleEndian
        while offset < count {
            let value = source.load(fromByteOffset: offset, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            target.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
            rest >>= 8
            offset &+= 1
        }
        rotate(by: count)
    }

    private mutating func rotate(by count: Int) {
        let shift = UInt32(count & 3) * 8
        guard shift > 0 else { return }
        let ordered = word.littleEndian
        word = UInt32(littleEndian: ordered >> shift | ordered << (32 - shift))
    }
}
