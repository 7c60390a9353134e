import GlassesDomain

/// What a session's machine found out by reading a text.
///
/// Everything else that it decides hangs on facts that a masked trace keeps: ids, times, lengths, the borders of words. What hangs on
/// the letters is an input of its own, so that a conversation can be lived through again without what was said in it.
public struct TextVerdict: Sendable, Hashable {
    /// What was asked of the text.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// Whether the user's words hold a sleep phrase.
        case sleepPhrase
        /// Whether the user's words are a cancel phrase.
        case cancelPhrase
        /// Whether the user's words over an answer, which did not interrupt it, are a turn all the same.
        case wordsInterrupt
        /// What JSON a call's arguments are: the value.
        case argumentsValue
        /// Why a call's arguments are not JSON; null when they are.
        case argumentsFault
        /// Whether a tool of the called name is registered.
        case toolKnown
        /// What is wrong with a call's arguments by the tool's schema; null when nothing is.
        case argumentsProblem
        /// Which question the user has agreed to for a call; null for none.
        case consentGiven
        /// Whether a question for the same call stands already.
        case consentAsked
        /// By which sentence the model is told to ask the user.
        case consentSentence
        /// Which running calls the model calls off: their ids.
        case callsNamed
        /// Whether an item's words differ from those that the history has.
        case wordsChanged
        /// Whether the history's turns differ from those that the app has.
        case turnsChanged
    }

    /// What was asked.
    public let question: Question
    /// What came out of it.
    public let answer: JSONValue

    /// A verdict.
    public init(_ question: Question, _ answer: JSONValue) {
        self.question = question
        self.answer = answer
    }
}

/// The verdicts of one step: made from the texts, or taken from a record instead.
public struct TextVerdicts: Sendable, Hashable {
    /// The verdicts of the step so far, in the order in which they were asked for.
    public private(set) var given: [TextVerdict] = []
    /// The first question that the record does not answer; nil for a record that was followed to here.
    public private(set) var unanswered: TextVerdict.Question?
    private var record: ArraySlice<TextVerdict>?

    /// Verdicts are made.
    public init() {}

    /// Verdicts are taken from the record of a step.
    public init(recorded: [TextVerdict]) { record = recorded[...] }

    /// Whether the record holds more than was asked for.
    public var hasSurplus: Bool { record?.isEmpty == false }

    /// The verdict on a question: `made`, or what the record says in its place.
    mutating func verdict(on question: TextVerdict.Question, _ made: JSONValue) -> JSONValue {
        var answer = made
        if let next = record?.first, next.question == question {
            answer = next.answer
            record?.removeFirst()
        } else if record != nil, unanswered == nil {
            // A question that is new since the record was made; those behind it are answered all the same.
            unanswered = question
        }
        given.append(TextVerdict(question, answer))
        return answer
    }

    mutating func flag(_ question: TextVerdict.Question, _ made: Bool) -> Bool {
        verdict(on: question, .bool(made)).boolValue ?? made
    }

    /// A sentence, or nil.
    mutating func sentence(_ question: TextVerdict.Question, _ made: String?) -> String? {
        verdict(on: question, made.map(JSONValue.string) ?? .null).stringValue
    }

    /// A place in a list, or nil.
    mutating func place(_ question: TextVerdict.Question, _ made: Int?) -> Int? {
        verdict(on: question, made.map { .int(Int64($0)) } ?? .null).intValue.map { Int(clamping: $0) }
    }

    mutating func names(_ question: TextVerdict.Question, _ made: [String]) -> [String] {
        verdict(on: question, .array(made.map(JSONValue.string))).arrayValue?.compactMap(\.stringValue) ?? made
    }
}
