import GlassesDomain

/// A turn that the server has not got yet.
struct GeminiTurn: Sendable, Hashable {
    let itemId: String
    let content: GeminiContent
}

/// The items of the conversation as the client knows them; Gemini Live has none.
struct GeminiItemLedger: Sendable, Hashable {
    /// More than clients ask for again; the oldest are forgotten.
    static let limit = 512

    struct Entry: Sendable, Hashable {
        var item: ConversationItem
        /// How much audio of the model there is; nil for everything else.
        var audioMs: Int?
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    /// The item after which a new one stands.
    private(set) var last: String?

    var isEmpty: Bool { last == nil }

    subscript(id: String) -> Entry? { entries[id] }

    /// Keeps an item; what it held before is replaced.
    mutating func keep(_ item: ConversationItem, audioMs: Int? = nil) {
        guard let id = item.id else { return }
        if entries.updateValue(Entry(item: item.withoutMedia, audioMs: audioMs), forKey: id) == nil {
            order.append(id)
            last = id
        }
        while order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// Forgets an item; false when there is none of that id.
    mutating func remove(_ id: String) -> Bool {
        guard entries.removeValue(forKey: id) != nil else { return false }
        order.removeAll { $0 == id }
        if last == id { last = order.last }
        return true
    }
}

extension ConversationItem {
    /// The item without audio: its samples are nobody's any more.
    fileprivate var withoutMedia: ConversationItem {
        guard case .message(var message) = body else { return self }
        message.content = message.content.map { part in
            switch part {
            case .inputAudio(_, let transcript): .inputAudio(audio: nil, transcript: transcript)
            case .outputAudio(_, let transcript): .outputAudio(audio: nil, transcript: transcript)
            case .inputText, .inputImage, .outputText, .unknown: part
            }
        }
        var item = self
        item.body = .message(message)
        return item
    }
}

/// The calls of the model and their results.
struct GeminiCalls: Sendable, Hashable {
    /// More calls than a conversation holds at once; the oldest are forgotten.
    static let limit = 512

    private struct Call: Sendable, Hashable {
        let name: String
        /// Whether the server waits for its result; others are of a history.
        var isOpen: Bool
    }

    private var calls: [String: Call] = [:]
    private var order: [String] = []
    /// Results that the server has not got yet.
    private(set) var results: [GeminiFunctionResponse] = []

    /// Whether the server waits for a result, or one waits for the client's request.
    var isWaiting: Bool { !results.isEmpty || calls.values.contains(where: \.isOpen) }

    mutating func began(_ id: String, name: String, isOpen: Bool) {
        if calls.updateValue(Call(name: name, isOpen: isOpen), forKey: id) == nil { order.append(id) }
        while order.count > Self.limit { calls[order.removeFirst()] = nil }
    }

    /// The server does not want these results any more.
    mutating func cancelled(_ ids: [String]) {
        for id in ids { calls[id]?.isOpen = false }
        results.removeAll { ids.contains($0.id) }
    }

    /// Takes the result of a call; nil when there is no such call. A turn is answered when the call is of a history.
    mutating func ended(_ id: String, output: String) -> Ending? {
        guard let call = calls[id] else { return nil }
        let response = GeminiFunctionResponse(id: id, name: call.name, response: ["output": .string(output)])
        guard call.isOpen else { return .history(.user(.functionResponse(response))) }
        calls[id]?.isOpen = false
        results.append(response)
        return .kept
    }

    enum Ending {
        case kept
        case history(GeminiContent)
    }

    mutating func takeResults() -> [GeminiFunctionResponse] {
        defer { results = [] }
        return results
    }
}
