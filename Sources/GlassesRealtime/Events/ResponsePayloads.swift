import GlassesDomain

/// Where in a response a piece of output belongs.
public struct PartReference: Sendable, Hashable {
    /// The response; empty when the server left it out.
    public var responseId: String
    /// The item; empty when the server left it out.
    public var itemId: String
    /// The item's place in the response; 0 when the server left it out.
    public var outputIndex: Int
    /// The part's place in the item; 0 when the server left it out.
    public var contentIndex: Int

    /// A place.
    public init(responseId: String, itemId: String, outputIndex: Int = 0, contentIndex: Int = 0) {
        self.responseId = responseId
        self.itemId = itemId
        self.outputIndex = outputIndex
        self.contentIndex = contentIndex
    }
}

/// An item of a response.
public struct OutputItem: Sendable, Hashable {
    /// The response; empty when the server left it out.
    public var responseId: String
    /// The item's place in the response; 0 when the server left it out.
    public var outputIndex: Int
    /// The item.
    public var item: ConversationItem

    /// An item of a response.
    public init(responseId: String, outputIndex: Int = 0, item: ConversationItem) {
        self.responseId = responseId
        self.outputIndex = outputIndex
        self.item = item
    }
}

/// A content part of a response.
public struct OutputContentPart: Sendable, Hashable {
    /// Its place.
    public var place: PartReference
    /// The part: ``ContentPart/outputText(_:)`` or ``ContentPart/outputAudio(audio:transcript:)``.
    public var part: ContentPart

    /// A content part of a response.
    public init(place: PartReference, part: ContentPart) {
        self.place = place
        self.part = part
    }
}

/// Text or transcript of a response: the new piece in a delta, everything when done.
public struct OutputText: Sendable, Hashable {
    /// Its place.
    public var place: PartReference
    /// The words.
    public var text: String

    /// Words of a response.
    public init(place: PartReference, text: String) {
        self.place = place
        self.text = text
    }
}

/// A piece of speech of a response.
public struct OutputAudio: Sendable, Hashable {
    /// Its place.
    public var place: PartReference
    /// The bytes in the session's output format; may be empty, and may cut a sample in two.
    public var audio: [UInt8]

    /// A piece of speech.
    public init(place: PartReference, audio: [UInt8]) {
        self.place = place
        self.audio = audio
    }
}

/// The speech of a part is complete.
public struct OutputAudioDone: Sendable, Hashable {
    /// Its place.
    public var place: PartReference
    /// The part's true length in ms; only servers of ours say it.
    public var audioMs: Int?

    /// The end of a part's speech.
    public init(place: PartReference, audioMs: Int? = nil) {
        self.place = place
        self.audioMs = audioMs
    }
}

extension PartReference: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responseId = try reader.require("response_id", or: "")
        itemId = try reader.require("item_id", or: "")
        outputIndex = try reader.take("output_index") ?? 0
        contentIndex = try reader.take("content_index") ?? 0
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("response_id", responseId)
        writer.set("item_id", itemId)
        writer.set("output_index", outputIndex)
        writer.set("content_index", contentIndex)
    }
}

extension OutputItem: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responseId = try reader.require("response_id", or: "")
        outputIndex = try reader.take("output_index") ?? 0
        item = try ItemPlacement.item(from: &reader)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("response_id", responseId)
        writer.set("output_index", outputIndex)
        writer.set("item", item)
    }
}

extension OutputContentPart: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        place = try PartReference(from: &reader)
        part = try reader.require("part", or: ResponseContentPart(.outputText(""))).part
    }

    func write(to writer: inout ObjectWriter) {
        place.write(to: &writer)
        writer.set("part", ResponseContentPart(part))
    }
}

extension OutputText {
    /// `key` is `delta`, `text` or `transcript`, as the event names it.
    init(_ key: String, from reader: inout ObjectReader) throws(RealtimeCodecError) {
        place = try PartReference(from: &reader)
        text = try reader.require(key, or: "")
    }

    func write(_ key: String, to writer: inout ObjectWriter) {
        place.write(to: &writer)
        writer.set(key, text)
    }
}

extension OutputAudio: WireObject {
    /// Base64 that cannot be read is an error even of a server: silence in its place would falsify what was heard.
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        place = try PartReference(from: &reader)
        guard let delta = try reader.take("delta", as: JSONValue.self) else {
            audio = []
            return
        }
        audio = try Base64Bytes(wire: delta, in: reader.context.child("delta")).bytes
    }

    func write(to writer: inout ObjectWriter) {
        place.write(to: &writer)
        writer.setAudio("delta", audio)
    }
}

extension OutputAudioDone: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        place = try PartReference(from: &reader)
        audioMs = try reader.take("audio_ms")
    }

    func write(to writer: inout ObjectWriter) {
        place.write(to: &writer)
        writer.set("audio_ms", audioMs)
    }
}
