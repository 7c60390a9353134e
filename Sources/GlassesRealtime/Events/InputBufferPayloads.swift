import GlassesDomain

/// The buffer became a user item.
public struct BufferCommitted: Sendable, Hashable {
    /// The user's item; empty when the server left it out.
    public var itemId: String
    /// The item before it; nil for the first one.
    public var previousItemId: String?

    /// A commit.
    public init(itemId: String, previousItemId: String?) {
        self.itemId = itemId
        self.previousItemId = previousItemId
    }
}

/// The user began to speak.
public struct SpeechStarted: Sendable, Hashable {
    /// The item that the speech will become; empty when the server left it out.
    public var itemId: String
    /// The start in all audio of the session, prefix padding included, in ms.
    public var audioStartMs: Int

    /// A start.
    public init(itemId: String, audioStartMs: Int) {
        self.itemId = itemId
        self.audioStartMs = audioStartMs
    }
}

/// The user stopped to speak.
public struct SpeechStopped: Sendable, Hashable {
    /// The item that the speech will become; empty when the server left it out.
    public var itemId: String
    /// The end in all audio of the session, the silence that showed it included, in ms.
    public var audioEndMs: Int

    /// An end.
    public init(itemId: String, audioEndMs: Int) {
        self.itemId = itemId
        self.audioEndMs = audioEndMs
    }
}

/// Nobody spoke for `idle_timeout_ms`.
public struct InputTimeout: Sendable, Hashable {
    /// The item that the silence becomes; empty when the server left it out.
    public var itemId: String
    /// The start of the silence in all audio of the session, in ms.
    public var audioStartMs: Int
    /// The end of the silence in all audio of the session, in ms.
    public var audioEndMs: Int

    /// A time-out.
    public init(itemId: String, audioStartMs: Int, audioEndMs: Int) {
        self.itemId = itemId
        self.audioStartMs = audioStartMs
        self.audioEndMs = audioEndMs
    }
}

/// A key on a telephone.
public struct DTMFEvent: Sendable, Hashable {
    /// The key: `0`…`9`, `*`, `#`, `A`…`D`.
    public var event: String
    /// When it came, in seconds since 1970.
    public var receivedAt: Int

    /// A key.
    public init(event: String, receivedAt: Int) {
        self.event = event
        self.receivedAt = receivedAt
    }
}

extension BufferCommitted: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        previousItemId = try reader.take("previous_item_id")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.setNullable("previous_item_id", previousItemId)
    }
}

extension SpeechStarted: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        audioStartMs = try reader.require("audio_start_ms", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("audio_start_ms", audioStartMs)
    }
}

extension SpeechStopped: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        audioEndMs = try reader.require("audio_end_ms", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("audio_end_ms", audioEndMs)
    }
}

extension InputTimeout: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        itemId = try reader.require("item_id", or: "")
        audioStartMs = try reader.require("audio_start_ms", or: 0)
        audioEndMs = try reader.require("audio_end_ms", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("item_id", itemId)
        writer.set("audio_start_ms", audioStartMs)
        writer.set("audio_end_ms", audioEndMs)
    }
}

extension DTMFEvent: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        event = try reader.require("event", or: "")
        receivedAt = try reader.require("received_at", or: 0)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("event", event)
        writer.set("received_at", receivedAt)
    }
}
