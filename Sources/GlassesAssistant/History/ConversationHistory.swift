import GlassesDomain

/// What a conversation holds, in the provider's order: what the user said, what was heard of the answers, and tool calls.
public struct ConversationHistory: Sendable, Hashable {
    /// What an entry is.
    enum Content: Sendable, Hashable {
        /// Words of the user, nil as long as they are not transcribed, and whether the provider's conversation holds them.
        case user(text: String?, isKnown: Bool)
        /// A picture of the app's, its words, and whether the provider's conversation holds it.
        case picture(SessionPicture, prompt: String?, isKnown: Bool)
        /// Words in the place of a picture that was left out, its prompt, and whether the provider's conversation holds them.
        case pictureNote(text: String, prompt: String?, isKnown: Bool)
        /// An answer: all its words, those that were heard, and whether it was cut.
        case assistant(words: String, heard: String, wasCut: Bool)
        /// A call, and whether the provider's conversation holds it.
        case call(callID: String, name: String, arguments: String, isKnown: Bool)
        /// A result, and whether it was sent.
        case output(callID: String, text: String, isSent: Bool)
        /// A summary in the place of older turns.
        case summary(String)
        /// An item that is only a neighbour of others.
        case other
    }

    struct Entry: Sendable, Hashable {
        var id: String
        var content: Content
        var timestampMs: Int64
        /// The item before it, by the provider's word.
        var previous: String?
        /// Whether it is never sent again.
        var isLeftOut = false
    }

    /// Items without a turn of their own that are kept as neighbours; more than one answer makes.
    static let neighbourLimit = 64

    private let cap: Int
    private(set) var entries: [Entry] = []
    /// Counts changes, so that a reader knows when to look again.
    private(set) var revision = 0

    /// An empty history of at most `cap` turns.
    public init(cap: Int) { self.cap = max(1, cap) }

    /// The turns, oldest first; texts without words are left out.
    public var turns: [Turn] { entries.compactMap(Self.turn(of:)) }

    /// Whether the last thing said is the user's, and its words or its audio are there to be sent.
    func endsWithUser(keptAudio: Set<String>) -> Bool {
        let last = entries.last { if case .other = $0.content { false } else { true } }
        guard let last, case .user(let text, _) = last.content else { return false }
        return !(text ?? "").isEmpty || keptAudio.contains(last.id)
    }

    func contains(_ id: String) -> Bool { index(of: id) != nil }

    /// Puts an item into its place: after `previous` ("root": first), or at the end as long as that is not known.
    ///
    /// An item that is known moves when its neighbour is told for the first time; its content stays.
    mutating func place(_ id: String, after previous: String?, content: Content, timestampMs: Int64) {
        if let index = index(of: id) {
            if entries[index].content == .other, content != .other { entries[index].content = content }
            if let previous { move(id, after: previous) }
        } else {
            entries.append(Entry(id: id, content: content, timestampMs: timestampMs))
            if let previous { move(id, after: previous) }
            for follower in entries.filter({ $0.previous == id }) { move(follower.id, after: id) }
        }
        trim()
        revision += 1
    }

    /// Sets the words of the user's item.
    mutating func setUserText(_ id: String, _ text: String, _ verdicts: inout TextVerdicts) {
        change(id, &verdicts) {
            if case .user(_, let isKnown) = $0.content { $0.content = .user(text: text, isKnown: isKnown) }
        }
    }

    /// Sets the words of an answer's item.
    mutating func setAssistantText(
        _ id: String, words: String, heard: String, wasCut: Bool, _ verdicts: inout TextVerdicts
    ) {
        change(id, &verdicts) {
            if case .assistant = $0.content { $0.content = .assistant(words: words, heard: heard, wasCut: wasCut) }
        }
    }

    /// Adds the result of a call after everything else; false when the call is not in the history any more.
    mutating func addOutput(_ id: String, callID: String, text: String, timestampMs: Int64) -> Bool {
        guard call(callID) != nil else { return false }
        let content = Content.output(callID: callID, text: text, isSent: false)
        place(id, after: nil, content: content, timestampMs: timestampMs)
        return true
    }

    /// The bytes of an entry that travel; 0 for one that is not here.
    func size(of id: String) -> Int {
        guard let index = index(of: id) else { return 0 }
        return switch entries[index].content {
        case .user(let text, _): text?.utf8.count ?? Self.audioSize
        case .picture(let picture, let prompt, _): picture.size + (prompt?.utf8.count ?? 0)
        case .pictureNote(let text, _, _): text.utf8.count
        case .assistant(let words, _, _): words.utf8.count
        case .summary(let text): text.utf8.count
        case .call(_, _, let arguments, _): arguments.utf8.count
        case .output(_, let text, _): text.utf8.count
        case .other: 0
        }
    }

    /// What an utterance without words is taken to weigh: more than any text that is sent.
    private static let audioSize = 1 << 20

    /// Never sends an entry again that the provider found too big. A result is replaced by a sentence that says so, since the model
    /// waits for it, and so is a picture; a call goes with its result.
    mutating func leaveOut(_ id: String) {
        guard let index = index(of: id), !refusePicture(id) else { return }
        if case .output(let callID, _, let isSent) = entries[index].content {
            let text = ToolOutput.wireText(
                "The result was too large for the provider and was left out. Ask for less.", isError: true)
            entries[index].content = .output(callID: callID, text: text, isSent: isSent)
        } else {
            entries[index].isLeftOut = true
        }
        revision += 1
    }

    mutating func remove(_ id: String) {
        guard let index = index(of: id) else { return }
        entries.remove(at: index)
        revision += 1
    }

    /// Forgets what the provider said of the order, and the entries that hold no turn.
    mutating func forgetPredecessors(removing isNoTurn: (Entry) -> Bool) {
        entries.removeAll(where: isNoTurn)
        for index in entries.indices { entries[index].previous = nil }
    }

    /// Adds a turn of the app's.
    mutating func append(_ turn: Turn, id: String) {
        entries.append(Entry(id: id, content: Self.content(of: turn), timestampMs: turn.timestampMs))
        trim()
        revision += 1
    }

    mutating func removeEntries(where isGone: (Entry) -> Bool) {
        entries.removeAll(where: isGone)
        revision += 1
    }

    /// Puts entries before all others.
    mutating func insertFirst(_ new: [Entry]) {
        entries.insert(contentsOf: new, at: 0)
        trim()
        revision += 1
    }

    /// Drops the oldest turns until so many more fit.
    mutating func makeRoom(for count: Int) {
        trim(to: max(0, cap - count))
        revision += 1
    }

    mutating func removeAll() {
        entries = []
        revision += 1
    }

    func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    private func call(_ callID: String) -> Int? {
        entries.firstIndex { if case .call(callID, _, _, _) = $0.content { true } else { false } }
    }

    /// Notes what was sent; no turn changes by it.
    mutating func mark(_ index: Int, _ content: Content) { entries[index].content = content }

    /// Puts another item in the place of one.
    mutating func replace(_ index: Int, id: String, _ content: Content) {
        entries[index].id = id
        entries[index].content = content
        revision += 1
    }

    private mutating func change(_ id: String, _ verdicts: inout TextVerdicts, _ body: (inout Entry) -> Void) {
        guard let index = index(of: id) else { return }
        let before = entries[index]
        body(&entries[index])
        guard verdicts.flag(.wordsChanged, entries[index] != before) else { return }
        trim()
        revision += 1
    }

    /// Moves an item, and what directly follows it by the provider's word, behind its predecessor if that is here.
    private mutating func move(_ id: String, after previous: String) {
        guard previous != id, let from = index(of: id) else { return }
        entries[from].previous = previous
        guard previous == "root" || contains(previous) else { return }
        var block = [entries[from]]
        var end = from + 1
        while end < entries.count, entries[end].previous == block.last?.id {
            block.append(entries[end])
            end += 1
        }
        // A peer can name a follower as the predecessor; such a circle stays as it is.
        guard !block.contains(where: { $0.id == previous }) else { return }
        entries.removeSubrange(from..<end)
        let target = previous == "root" ? 0 : (index(of: previous) ?? from - 1) + 1
        entries.insert(contentsOf: block, at: target)
    }

    private mutating func trim() { trim(to: cap) }

    /// Drops the oldest turns above a limit; a call takes its result along.
    private mutating func trim(to limit: Int) {
        var neighbours = entries.count { !Self.isTurn($0) }
        while neighbours > Self.neighbourLimit, let index = entries.firstIndex(where: { !Self.isTurn($0) }) {
            entries.remove(at: index)
            neighbours -= 1
        }
        while entries.count - neighbours > limit, let index = entries.firstIndex(where: Self.isTurn) {
            let dropped = entries.remove(at: index)
            guard case .call(let callID, _, _, _) = dropped.content else { continue }
            entries.removeAll { if case .output(callID, _, _) = $0.content { true } else { false } }
        }
    }

    private static func isTurn(_ entry: Entry) -> Bool {
        switch entry.content {
        case .user(let text, _): !(text ?? "").isEmpty
        case .assistant(_, let heard, _): !heard.isEmpty
        case .picture, .pictureNote, .call, .output, .summary: true
        case .other: false
        }
    }
}
