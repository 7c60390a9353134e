import GlassesDomain

/// Turns that the server has not got yet, in order, with the items that they are of.
struct GeminiTurns: Sendable, Hashable {
    /// What may wait for a request, in bytes: as much as one event of a client may bring, so three pictures of the largest kind.
    static let bytesLimit = RealtimeLimits.gatewayInboundBytes
    /// What a turn takes beside its content: without it there could be any number of empty ones.
    private static let turnBytes = 256

    private struct Turn: Sendable, Hashable {
        let itemId: String
        let content: GeminiContent
        let byteCount: Int
    }

    private var turns: [Turn] = []
    private var byteCount = 0

    var isEmpty: Bool { turns.isEmpty }

    /// Adds a turn; false when too much waits already.
    mutating func add(_ content: GeminiContent, itemId: String = "") -> Bool {
        let turn = Turn(
            itemId: itemId, content: content,
            byteCount: content.parts.reduce(Self.turnBytes) { $0 + $1.byteCount })
        guard byteCount + turn.byteCount <= Self.bytesLimit else { return false }
        byteCount += turn.byteCount
        turns.append(turn)
        return true
    }

    mutating func remove(itemId: String) {
        turns.removeAll { $0.itemId == itemId }
        byteCount = turns.reduce(0) { $0 + $1.byteCount }
    }

    mutating func takeAll() -> [GeminiContent] {
        defer { self = GeminiTurns() }
        return turns.map(\.content)
    }
}

extension GeminiPart {
    /// About as much as the piece takes.
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text, _): text.utf8.count
        case .inlineData(let blob): blob.data.count
        case .functionCall(let call): call.name.utf8.count + call.arguments.jsonText.utf8.count
        case .functionResponse(let response): response.name.utf8.count + response.response.jsonText.utf8.count
        case .unknown(let value): value.jsonText.utf8.count
        }
    }
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
    /// The item without audio and pictures: they are with the server, and would fill the memory here.
    fileprivate var withoutMedia: ConversationItem {
        guard case .message(var message) = body else { return self }
        message.content = message.content.map { part in
            switch part {
            case .inputAudio(_, let transcript): .inputAudio(audio: nil, transcript: transcript)
            case .outputAudio(_, let transcript): .outputAudio(audio: nil, transcript: transcript)
            case .inputImage(_, let detail): .inputImage(url: "", detail: detail)
            case .inputText, .outputText, .unknown: part
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
        var state: State
    }

    private enum State: Sendable, Hashable {
        /// The server waits for its result.
        case open
        /// The client tells of a call that was; its result is part of that.
        case history
        /// It has its result, or the server wants none any more.
        case over
    }

    private var calls: [String: Call] = [:]
    private var order: [String] = []
    /// Results that the server has not got yet.
    private(set) var results: [GeminiFunctionResponse] = []

    /// Whether the server waits for a result, or one waits for the client's request.
    var isWaiting: Bool { !results.isEmpty || calls.values.contains { $0.state == .open } }

    mutating func began(_ id: String, name: String, isOpen: Bool) {
        if calls.updateValue(Call(name: name, state: isOpen ? .open : .history), forKey: id) == nil { order.append(id) }
        while order.count > Self.limit { calls[order.removeFirst()] = nil }
    }

    /// The server does not want these results any more.
    mutating func cancelled(_ ids: [String]) {
        for id in ids { calls[id]?.state = .over }
        results.removeAll { ids.contains($0.id) }
    }

    /// Takes the result of a call; nil when there is no such call. A turn is answered when the call is of a history;
    /// a result that nobody waits for goes nowhere.
    mutating func ended(_ id: String, output: String) -> Ending? {
        guard let call = calls[id] else { return nil }
        let response = GeminiFunctionResponse(id: id, name: call.name, response: ["output": .string(output)])
        switch call.state {
        case .history: return .history(.user(.functionResponse(response)))
        case .over: break
        case .open:
            calls[id]?.state = .over
            results.append(response)
        }
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
