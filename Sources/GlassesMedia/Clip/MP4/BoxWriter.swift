/// Writes the boxes of ISO/IEC 14496-12, the highest byte first.
struct BoxWriter: Equatable {
    private(set) var bytes: [UInt8] = []

    /// A box, whose content `body` writes.
    mutating func box(_ name: StaticString, _ body: (inout BoxWriter) -> Void = { _ in }) {
        let start = bytes.count
        number(0, bytes: 4)
        text(name)
        body(&self)
        patch(bytes.count - start, at: start)
    }

    /// A box with a version and flags.
    mutating func fullBox(
        _ name: StaticString, version: UInt8 = 0, flags: Int = 0, _ body: (inout BoxWriter) -> Void = { _ in }
    ) {
        box(name) { writer in
            writer.number(Int(version), bytes: 1)
            writer.number(flags, bytes: 3)
            body(&writer)
        }
    }

    /// The lowest `count` bytes of a number.
    mutating func number(_ value: Int, bytes count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Numbers of four bytes.
    mutating func numbers(_ values: Int...) {
        for value in values { number(value, bytes: 4) }
    }

    /// Letters without an end mark.
    mutating func text(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Bytes as they are.
    mutating func raw(_ content: some Sequence<UInt8>) { bytes.append(contentsOf: content) }

    /// Bytes of zero.
    mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    /// Sets a number of four bytes that was written before.
    mutating func patch(_ value: Int, at offset: Int) {
        for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> (24 - 8 * place)) }
    }
}
