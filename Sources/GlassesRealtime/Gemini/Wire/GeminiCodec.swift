import GlassesDomain

/// Bytes of Gemini Live to messages and back, in both roles.
///
/// Both spellings of names are read, camelCase is written. Decoding is liberal with servers and exact with clients. Pure
/// functions, callable on any thread.
public enum GeminiCodec {
    /// Reads a server's message; throws ``RealtimeCodecError`` for what is no JSON object. Kinds that are not known here survive as
    /// ``GeminiServerMessage/Body/unknown(_:)``.
    public static func decodeServer(
        _ bytes: [UInt8], limit: Int = RealtimeLimits.clientInboundBytes
    ) throws(RealtimeCodecError) -> GeminiServerMessage {
        try checkSize(bytes, limit: limit)
        if let audio = GeminiAudioScanner.modelAudio(in: bytes) { return .audio(audio) }
        return try decodeServerTree(bytes)
    }

    /// Reads a client's message; throws ``RealtimeCodecError`` with the field at fault.
    public static func decodeClient(
        _ bytes: [UInt8], limit: Int = RealtimeLimits.gatewayInboundBytes
    ) throws(RealtimeCodecError) -> GeminiClientMessage {
        try checkSize(bytes, limit: limit)
        if let audio = GeminiAudioScanner.inputAudio(in: bytes) { return .realtimeInput(.audio(audio)) }
        return try decodeClientTree(bytes)
    }

    /// The message of a server.
    public static func encode(_ message: GeminiServerMessage) -> [UInt8] {
        if let audio = message.loneAudio {
            return wrapped(
                audio, before: "{\"serverContent\":{\"modelTurn\":{\"parts\":[{\"inlineData\":",
                after: "}],\"role\":\"model\"}}}")
        }
        return encodeTree(message)
    }

    /// The message of a client.
    public static func encode(_ message: GeminiClientMessage) -> [UInt8] {
        if case .realtimeInput(.audio(let audio)) = message {
            return wrapped(audio, before: "{\"realtimeInput\":{\"audio\":", after: "}}")
        }
        return encodeTree(message)
    }

    /// Room for the names around a blob.
    private static let envelopeBytes = 160

    private static func wrapped(_ blob: GeminiBlob, before: String, after: String) -> [UInt8] {
        var out = [UInt8]()
        out.reserveCapacity(blob.data.count / 3 * 4 + envelopeBytes)
        out += before.utf8
        out += "{\"data\":\"".utf8
        out += Base64Bytes(blob.data).text
        out += "\",\"mimeType\":\(JSONValue.string(blob.mimeType).jsonText)}".utf8
        out += after.utf8
        return out
    }
}

extension GeminiCodec {
    /// The general way through a tree of values.
    static func decodeServerTree(_ bytes: [UInt8]) throws(RealtimeCodecError) -> GeminiServerMessage {
        var reader = try reader(of: bytes, mode: .lenient)
        return try GeminiServerMessage(from: &reader)
    }

    /// The general way through a tree of values.
    static func decodeClientTree(_ bytes: [UInt8]) throws(RealtimeCodecError) -> GeminiClientMessage {
        var reader = try reader(of: bytes, mode: .strict)
        return try GeminiClientMessage(from: &reader)
    }

    /// The general way through a tree of values.
    static func encodeTree(_ message: some WireObject) -> [UInt8] { Array(message.wire.jsonText.utf8) }

    private static func reader(
        of bytes: [UInt8], mode: DecodingMode
    ) throws(RealtimeCodecError) -> ObjectReader {
        let tree: JSONValue
        do {
            tree = try JSONValue(jsonText: bytes)
        } catch {
            throw RealtimeCodecError(.invalidJSON, message: "Send one JSON object a message: \(error).")
        }
        guard let members = tree.objectValue else {
            throw RealtimeCodecError(.invalidEvent, message: "Send one JSON object a message.")
        }
        return ObjectReader(members, in: DecodingContext(path: "", mode: mode))
    }

    private static func checkSize(_ bytes: [UInt8], limit: Int) throws(RealtimeCodecError) {
        guard bytes.count > limit else { return }
        throw RealtimeCodecError(
            .messageTooLarge, message: "The message has \(bytes.count) bytes; send at most \(limit).")
    }
}

extension GeminiServerMessage {
    /// A piece of the answer's audio.
    public static func audio(_ blob: GeminiBlob) -> GeminiServerMessage {
        var content = GeminiServerContent()
        content.modelTurn = GeminiContent(role: "model", parts: [.inlineData(blob)])
        return GeminiServerMessage(.serverContent(content))
    }

    /// The piece of audio that is all there is in the message.
    fileprivate var loneAudio: GeminiBlob? {
        guard usage == nil, case .serverContent(let content) = body, let turn = content.modelTurn,
            turn.parts.count == 1, case .inlineData(let blob) = turn.parts[0],
            self == .audio(blob)
        else { return nil }
        return blob
    }
}
