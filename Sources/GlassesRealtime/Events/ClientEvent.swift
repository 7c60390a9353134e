import GlassesDomain

/// What a client says to a server.
public enum ClientEvent: Sendable, Hashable {
    /// `session.update`: changes what it names; answered by `session.updated` or `error`.
    case sessionUpdate(SessionUpdate)
    /// `input_audio_buffer.append`: audio in the session's input format; not answered.
    case inputAudioBufferAppend(audio: [UInt8])
    /// `input_audio_buffer.commit`: makes the buffer a user item.
    case inputAudioBufferCommit
    /// `input_audio_buffer.clear`: forgets the buffer.
    case inputAudioBufferClear
    /// `output_audio_buffer.clear`: WebRTC and SIP only.
    case outputAudioBufferClear
    /// `conversation.item.create`: adds an item.
    case conversationItemCreate(ItemCreation)
    /// `conversation.item.retrieve`: asks for an item with its audio.
    case conversationItemRetrieve(itemId: String)
    /// `conversation.item.truncate`: cuts spoken output where the user stopped hearing it.
    case conversationItemTruncate(ItemTruncation)
    /// `conversation.item.delete`: removes an item.
    case conversationItemDelete(itemId: String)
    /// `response.create`: asks for an answer; nil means "as the session says".
    case responseCreate(ResponseParameters?)
    /// `response.cancel`: stops a response; nil means the one in the conversation.
    case responseCancel(responseId: String?)
    /// An event that the protocol does not name, as the whole message came.
    case unknown(type: String, raw: JSONValue)
}

/// An item to add and where.
public struct ItemCreation: Sendable, Hashable {
    /// The item.
    public var item: ConversationItem
    /// The item before it; nil appends, `"root"` makes it the first.
    public var previousItemId: String?

    /// An item to add.
    public init(item: ConversationItem, previousItemId: String? = nil) {
        self.item = item
        self.previousItemId = previousItemId
    }
}

/// Where spoken output is cut.
public struct ItemTruncation: Sendable, Hashable {
    /// The assistant's item.
    public var itemId: String
    /// The content part; 0 in practice.
    public var contentIndex: Int
    /// The end of what stays, in ms of the item's audio.
    public var audioEndMs: Int

    /// A cut.
    public init(itemId: String, contentIndex: Int = 0, audioEndMs: Int) {
        self.itemId = itemId
        self.contentIndex = contentIndex
        self.audioEndMs = audioEndMs
    }
}

extension ClientEvent {
    /// The `type` on the wire.
    public var type: String {
        switch self {
        case .sessionUpdate: "session.update"
        case .inputAudioBufferAppend: "input_audio_buffer.append"
        case .inputAudioBufferCommit: "input_audio_buffer.commit"
        case .inputAudioBufferClear: "input_audio_buffer.clear"
        case .outputAudioBufferClear: "output_audio_buffer.clear"
        case .conversationItemCreate: "conversation.item.create"
        case .conversationItemRetrieve: "conversation.item.retrieve"
        case .conversationItemTruncate: "conversation.item.truncate"
        case .conversationItemDelete: "conversation.item.delete"
        case .responseCreate: "response.create"
        case .responseCancel: "response.cancel"
        case .unknown(let type, _): type
        }
    }
}
