import GlassesDomain

/// The conversation of a session.
public struct ConversationInfo: WireObject, Sendable, Hashable {
    /// Its id.
    public var id: String?

    /// A conversation.
    public init(id: String? = nil) { self.id = id }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) { id = try reader.take("id") }

    func write(to writer: inout ObjectWriter) {
        writer.set("id", id)
        writer.set("object", "realtime.conversation")
    }
}

/// An item and its place.
public struct ItemPlacement: Sendable, Hashable {
    /// The item.
    public var item: ConversationItem
    /// The item before it; nil for the first one, and with servers that never say.
    public var previousItemId: String?

    /// An item at its place.
    public init(item: ConversationItem, previousItemId: String?) {
        self.item = item
        self.previousItemId = previousItemId
    }
}

extension ItemPlacement: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init(item: try Self.item(from: &reader), previousItemId: try reader.take("previous_item_id"))
    }

    /// The `item` of an event; a missing one is an unknown item without fields.
    static func item(from reader: inout ObjectReader) throws(RealtimeCodecError) -> ConversationItem {
        try reader.require("item", or: ConversationItem(body: .unknown(type: "", raw: [:])))
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item", item)
        writer.setNullable("previous_item_id", previousItemId)
    }
}

/// A piece of a transcript of user speech.
public struct TranscriptionDelta: Sendable, Hashable {
    /// The user's item; empty when the server left it out.
    public var itemId: String
    /// The content part; 0 when the server left it out.
    public var contentIndex: Int
    /// The new words.
    public var delta: String
    /// Their probabilities, as they came.
    public var logprobs: [JSONValue]?

    /// A piece of a transcript.
    public init(itemId: String, contentIndex: Int = 0, delta: String, logprobs: [JSONValue]? = nil) {
        self.itemId = itemId
        self.contentIndex = contentIndex
        self.delta = delta
        self.logprobs = logprobs
    }
}

/// The transcript of user speech.
public struct TranscriptionCompleted: Sendable, Hashable {
    /// The user's item; empty when the server left it out.
    public var itemId: String
    /// The content part; 0 when the server left it out.
    public var contentIndex: Int
    /// All words so far.
    public var transcript: String
    /// What it cost; 0 s when the server left it out.
    public var usage: TranscriptionUsage
    /// Probabilities, as they came.
    public var logprobs: [JSONValue]?
    /// The languages that were heard, as they came: objects with a `code`.
    public var languages: [JSONValue]?
    /// Whether a longer transcript of the same speech follows: some servers send partial ones under this name.
    public var isPartial: Bool

    /// A transcript.
    public init(
        itemId: String, contentIndex: Int = 0, transcript: String, usage: TranscriptionUsage,
        logprobs: [JSONValue]? = nil, languages: [JSONValue]? = nil, isPartial: Bool = false
    ) {
        self.itemId = itemId
        self.contentIndex = contentIndex
        self.transcript = transcript
        self.usage = usage
        self.logprobs = logprobs
        self.languages = languages
        self.isPartial = isPartial
    }
}

/// A stretch of user speech by one speaker.
public struct TranscriptionSegment: Sendable, Hashable {
    /// The user's item; empty when the server left it out.
    public var itemId: String
    /// The content part; 0 when the server left it out.
    public var contentIndex: Int
    /// The segment's id.
    public var id: String
    /// The speaker's label.
    public var speaker: String
    /// The words.
    public var text: String
    /// Its start in the item, in seconds.
    public var start: Double
    /// Its end in the item, in seconds.
    public var end: Double

    /// A segment.
    public init(
        itemId: String, contentIndex: Int = 0, id: String, speaker: String, text: String, start: Double, end: Double
    ) {
        self.itemId = itemId
        self.contentIndex = contentIndex
        self.id = id
        self.speaker = speaker
        self.text = text
        self.start = start
        self.end = end
    }
}

/// User speech that could not be written down.
public struct TranscriptionFailed: Sendable, Hashable {
    /// The user's item; empty when the server left it out.
    public var itemId: String
    /// The content part; 0 when the server left it out.
    public var contentIndex: Int
    /// Why.
    public var error: RealtimeErrorInfo

    /// A failure.
    public init(itemId: String, contentIndex: Int = 0, error: RealtimeErrorInfo) {
        self.itemId = itemId
        self.contentIndex = contentIndex
        self.error = error
    }
}

extension TranscriptionDelta: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        contentIndex = try reader.take("content_index") ?? 0
        delta = try reader.take("delta") ?? ""
        logprobs = try reader.take("logprobs")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("content_index", contentIndex)
        writer.set("delta", delta)
        writer.set("logprobs", logprobs)
    }
}

extension TranscriptionCompleted: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        contentIndex = try reader.take("content_index") ?? 0
        transcript = try reader.require("transcript", or: "")
        usage = try reader.require("usage", or: .duration(seconds: 0))
        logprobs = try reader.take("logprobs")
        languages = try reader.take("languages")
        isPartial = reader.peek("status") == "in_progress"
        if isPartial { reader.discard("status") }
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("content_index", contentIndex)
        writer.set("transcript", transcript)
        writer.set("usage", usage)
        writer.set("logprobs", logprobs)
        writer.set("languages", languages)
        if isPartial { writer.set("status", "in_progress") }
    }
}

extension TranscriptionSegment: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        contentIndex = try reader.take("content_index") ?? 0
        id = try reader.require("id", or: "")
        speaker = try reader.require("speaker", or: "")
        text = try reader.require("text", or: "")
        start = try reader.require("start", or: 0)
        end = try reader.require("end", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("content_index", contentIndex)
        writer.set("id", id)
        writer.set("speaker", speaker)
        writer.set("text", text)
        writer.set("start", start)
        writer.set("end", end)
    }
}

extension TranscriptionFailed: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        contentIndex = try reader.take("content_index") ?? 0
        error = try reader.require("error", or: RealtimeErrorInfo(message: "", type: "", code: nil))
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("content_index", contentIndex)
        writer.set("error", error)
    }
}
