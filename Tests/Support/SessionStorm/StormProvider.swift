import GlassesAssistant
import GlassesDomain

/// What a provider's conversation holds.
struct StormItem: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case user(String)
        /// An utterance whose words the session has not been told.
        case unheard
        case assistant(String)
        case call(String)
        case output(String)
        case other

        /// What a turn of the history is compared by; nil for what makes no turn.
        var key: String? {
            switch self {
            case .user(let text): "user \(text)"
            case .assistant(let id): "assistant \(id)"
            case .call(let id): "call \(id)"
            case .output(let id): "output \(id)"
            case .unheard, .other: nil
            }
        }
    }

    var id: String
    var content: Content
}

/// One answer that a provider is giving.
struct StormAnswer: Sendable {
    struct Step: Sendable {
        /// Milliseconds after the step before.
        var gap: Int
        var fact: ServerFact
    }

    var id: String
    var isOutOfBand: Bool
    var steps: [Step]
    var next = 0
    /// Milliseconds of audio sent so far.
    var sent = 0
}

/// The provider's end of one connection.
struct StormProvider: Sendable {
    var items: [StormItem] = []
    var answers: [String: StormAnswer] = [:]
    /// The utterance that is being heard, and the item that it becomes.
    var hearing: (itemID: String, utterance: StormUtterance)?
    /// The utterances of items.
    var utterances: [String: StormUtterance] = [:]
    /// Audio sent of each item.
    var sent: [String: Int] = [:]
    /// Utterances that were answered with calls of tools already.
    var called: Set<String> = []

    var conversationAnswer: String? { answers.values.first { !$0.isOutOfBand }?.id }
    var lastItem: String? { items.last?.id }

    mutating func add(_ id: String, _ content: StormItem.Content) -> String? {
        let previous = lastItem
        items.append(StormItem(id: id, content: content))
        return previous
    }

    mutating func insert(_ id: String, _ content: StormItem.Content, after previous: String) {
        let index = items.firstIndex { $0.id == previous }.map { $0 + 1 } ?? items.count
        items.insert(StormItem(id: id, content: content), at: index)
    }

    mutating func set(_ id: String, _ content: StormItem.Content) {
        if let index = items.firstIndex(where: { $0.id == id }) { items[index].content = content }
    }
}

/// One connection, from the session's order to open it until its end.
struct StormLink: Sendable {
    var provider = StormProvider()
    var isOpen = false
    /// Whether the session has closed it.
    var isClosing = false
    /// The last arrivals, since nothing overtakes on a connection.
    var lastDown = MonotonicTime.zero
    var lastUp = MonotonicTime.zero
    /// The same for what the provider hears.
    var lastHeard = MonotonicTime.zero
}
