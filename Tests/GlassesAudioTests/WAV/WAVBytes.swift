/// Builds WAV files chunk by chunk, right and wrong ones.
enum WAVBytes {
    static func little(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ id: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(id.utf8) + little(size ?? body.count, bytes: 4) + body + (body.count % 2 == 1 ? [0] : [])
    }

    static func format(
        tag: Int = 1, channels: Int = 1, rate: Int = 16_000, bits: Int = 16, frameBytes: Int? = nil
    ) -> [UInt8] {
        let frame = frameBytes ?? channels * ((bits + 7) / 8)
        return little(tag, bytes: 2) + little(channels, bytes: 2) + little(rate, bytes: 4)
            + little(rate * frame, bytes: 4) + little(frame, bytes: 2) + little(bits, bytes: 2)
    }

    static func extensible(subformat: Int, bits: Int, channels: Int = 1, tail: UInt8 = 0x71) -> [UInt8] {
        let head = format(tag: 0xFFFE, channels: channels, bits: bits) + little(22, bytes: 2) + little(bits, bytes: 2)
        let guid: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, tail]
        return head + little(0, bytes: 4) + little(subformat, bytes: 2) + guid
    }

    static func file(_ chunks: [UInt8]..., riffSize: Int? = nil) -> [UInt8] {
        let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + little(riffSize ?? body.count, bytes: 4) + body
    }

    static func float(_ values: [Float]) -> [UInt8] { values.flatMap { little(Int($0.bitPattern), bytes: 4) } }

    static func double(_ values: [Double]) -> [UInt8] {
        values.flatMap { little(Int(truncatingIfNeeded: $0.bitPattern), bytes: 8) }
    }
}
