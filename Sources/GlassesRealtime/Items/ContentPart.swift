import GlassesDomain

/// One piece of a message.
///
/// The names of the beta dialect (`text`, `audio`) are read as the GA ones.
public enum ContentPart: Sendable, Hashable {
    /// Text of a system or user message.
    case inputText(String)
    /// User speech in the session's input format; of server events only `conversation.item.retrieved` has the bytes.
    case inputAudio(audio: [UInt8]?, transcript: String?)
    /// A picture as a data URI (png or jpeg); `detail` is `auto`, `low` or `high`.
    case inputImage(url: String, detail: String?)
    /// Text of an assistant message.
    case outputText(String)
    /// Assistant speech in the session's output format; made by servers only.
    case outputAudio(audio: [UInt8]?, transcript: String?)
    /// A kind that the protocol does not name, as it came.
    case unknown(JSONValue)

    /// The words of the part: its text or its transcript, if it has one.
    public var text: String? {
        switch self {
        case .inputText(let text), .outputText(let text): text
        case .inputAudio(_, let transcript), .outputAudio(_, let transcript): transcript
        case .inputImage, .unknown: nil
        }
    }
}

extension ContentPart: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        switch try reader.require("type", or: "") {
        case "input_text": self = .inputText(try reader.require("text", or: ""))
        case "input_audio":
            self = .inputAudio(audio: try reader.takeAudio("audio"), transcript: try reader.take("transcript"))
        case "input_image":
            self = .inputImage(url: try reader.require("image_url", or: ""), detail: try reader.take("detail"))
        case "output_text", "text": self = .outputText(try reader.require("text", or: ""))
        case "output_audio", "audio":
            self = .outputAudio(audio: try reader.takeAudio("audio"), transcript: try reader.take("transcript"))
        default: self = .unknown(wire)
        }
    }

    var wire: JSONValue { wire(outputText: "output_text", outputAudio: "output_audio") }

    /// The form in `response.content_part.added` and `.done`, where the names have no prefix.
    var partWire: JSONValue { wire(outputText: "text", outputAudio: "audio") }

    private func wire(outputText: String, outputAudio: String) -> JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .inputText(let text):
            writer.set("type", "input_text")
            writer.set("text", text)
        case .outputText(let text):
            writer.set("type", outputText)
            writer.set("text", text)
        case .inputAudio(let audio, let transcript):
            writer.set("type", "input_audio")
            writer.setAudio("audio", audio)
            writer.setNullable("transcript", transcript)
        case .outputAudio(let audio, let transcript):
            writer.set("type", outputAudio)
            writer.setAudio("audio", audio)
            writer.setNullable("transcript", transcript)
        case .inputImage(let url, let detail):
            writer.set("type", "input_image")
            writer.set("image_url", url)
            writer.set("detail", detail)
        case .unknown(let raw): return raw
        }
        return writer.value
    }
}

/// A content part as `response.content_part.added` and `.done` write it.
struct ResponseContentPart: WireValue {
    let part: ContentPart

    init(_ part: ContentPart) { self.part = part }

    /// Servers may leave the kind out: speech then has a transcript.
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var members = try ObjectReader(wire, in: context).members
        if members["type"] == nil { members["type"] = members["transcript"] == nil ? "text" : "audio" }
        part = try ContentPart(wire: .object(members), in: context)
    }

    var wire: JSONValue { part.partWire }
}
