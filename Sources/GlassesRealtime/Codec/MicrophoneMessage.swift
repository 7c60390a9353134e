extension RealtimeCodec {
    private static let appendStart: StaticString = "{\"audio\":\""
    private static let appendEnd: StaticString = "\",\"type\":\"input_audio_buffer.append\"}"
    private static let base64Letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// The message of `input_audio_buffer.append` with these samples as 16-bit little-endian PCM, byte for byte as
    /// `encode(_:eventId:)` writes it without an id, in one allocation.
    ///
    /// For the microphone's way to the provider, fifty times a second.
    public static func inputAudioAppend(samples: ArraySlice<Int16>) -> [UInt8] {
        let text = (samples.count * 2 + 2) / 3 * 4
        let size = appendStart.utf8CodeUnitCount + text + appendEnd.utf8CodeUnitCount
        return [UInt8](unsafeUninitializedCapacity: size) { out, count in
            count = copy(appendStart, to: out, at: 0)
            count = samples.withUnsafeBufferPointer { writeBase64(of: $0, to: out, at: count) }
            count = copy(appendEnd, to: out, at: count)
        }
    }

    private static func copy(_ text: StaticString, to out: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        text.withUTF8Buffer { bytes in
            for index in bytes.indices { out[start + index] = bytes[index] }
        }
        return start + text.utf8CodeUnitCount
    }

    /// Three samples are six bytes and so eight letters (RFC 4648 section 4).
    private static func writeBase64(
        of samples: UnsafeBufferPointer<Int16>, to out: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        base64Letters.withUTF8Buffer { letters in
            var position = start
            func write(_ group: UInt32, letters count: Int) {
                for letter in 0..<4 {
                    let value = Int(group >> UInt32(18 - 6 * letter)) & 63
                    out[position + letter] = letter < count ? letters[value] : UInt8(ascii: "=")
                }
                position += 4
            }
            func low(_ index: Int) -> UInt32 { UInt32(UInt8(truncatingIfNeeded: samples[index])) }
            func high(_ index: Int) -> UInt32 { UInt32(UInt8(truncatingIfNeeded: samples[index] >> 8)) }
            let whole = samples.count / 3 * 3
            for index in stride(from: 0, to: whole, by: 3) {
                write(low(index) << 16 | high(index) << 8 | low(index + 1), letters: 4)
                write(high(index + 1) << 16 | low(index + 2) << 8 | high(index + 2), letters: 4)
            }
            switch samples.count - whole {
            case 1: write(low(whole) << 16 | high(whole) << 8, letters: 3)
            case 2:
                write(low(whole) << 16 | high(whole) << 8 | low(whole + 1), letters: 4)
                write(high(whole + 1) << 16, letters: 2)
            default: break
            }
            return position
        }
    }
}
