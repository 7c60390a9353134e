/// Reads the two messages that carry audio, fifty a second in each direction, without building a tree of values.
///
/// `nil` leaves a message to the general way, which gives the same result for every message that is read here.
struct GeminiAudioScanner {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The piece of audio of a `serverContent` that holds nothing else.
    static func modelAudio(in bytes: [UInt8]) -> GeminiBlob? {
        var scanner = GeminiAudioScanner(bytes)
        return scanner.readModelAudio()
    }

    /// The piece of audio of a `realtimeInput`.
    static func inputAudio(in bytes: [UInt8]) -> GeminiBlob? {
        var scanner = GeminiAudioScanner(bytes)
        guard scanner.enter("realtimeInput", "realtime_input"), scanner.enter("audio", "audio"),
            let blob = scanner.readBlob(), scanner.leave(2), scanner.isAtEnd
        else { return nil }
        return blob
    }

    private mutating func readModelAudio() -> GeminiBlob? {
        guard enter("serverContent", "server_content"), enter("modelTurn", "model_turn"), consume("{") else {
            return nil
        }
        var blob: GeminiBlob?
        var hasRole = false
        repeat {
            guard let key = readText() else { return nil }
            guard consume(":") else { return nil }
            if has(key, "parts"), blob == nil {
                guard consume("["), enter("inlineData", "inline_data"), let read = readBlob(), consume("}"),
                    consume("]")
                else { return nil }
                blob = read
            } else {
                guard !hasRole, has(key, "role"), let role = readText(), has(role, "model") else { return nil }
                hasRole = true
            }
        } while consume(",")
        guard leave(3), isAtEnd else { return nil }
        return blob
    }

    /// An object with `mimeType` and `data` and nothing else, in any order.
    private mutating func readBlob() -> GeminiBlob? {
        var type: Range<Int>?
        var data: Range<Int>?
        guard consume("{") else { return nil }
        repeat {
            guard let key = readText(), consume(":"), let text = readText() else { return nil }
            if has(key, "data"), data == nil {
                data = text
            } else if has(key, "mimeType") || has(key, "mime_type"), type == nil {
                type = text
            } else {
                return nil
            }
        } while consume(",")
        guard consume("}"), let type, let data, let decoded = GeminiBytes.decode(bytes[data]) else { return nil }
        return GeminiBlob(mimeType: String(decoding: bytes[type], as: UTF8.self), data: decoded)
    }

    /// `{"key":` in either spelling.
    private mutating func enter(_ camel: StaticString, _ snake: StaticString) -> Bool {
        guard consume("{"), let key = readText() else { return false }
        return (has(key, camel) || has(key, snake)) && consume(":")
    }

    private mutating func leave(_ levels: Int) -> Bool {
        for _ in 0..<levels where !consume("}") { return false }
        return true
    }

    private var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count
        }
    }

    private func has(_ range: Range<Int>, _ name: StaticString) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { letters in
            zip(range, letters).allSatisfy { bytes[$0] == $1 }
        }
    }

    /// The bytes between quotes; escapes and other characters than ASCII are for the general way.
    private mutating func readText() -> Range<Int>? {
        guard consume("\"") else { return nil }
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return start..<(position - 1)
            }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        return nil
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
