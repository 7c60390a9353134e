import GlassesDomain

/// What is remembered of a user: facts, and turns that have not been read for facts yet.
///
/// `{"version": 1, "facts": [{"subject": …, "text": …, "at": …}], "pending": [{"type": …}]}`; members that another program added stay.
public struct MemoryProfile: Sendable, Hashable {
    /// One thing that is remembered.
    public struct Fact: Sendable, Hashable {
        /// What it is about; nil for a fact of a model's.
        public var subject: String?
        /// The fact.
        public var text: String
        /// Seconds since 1970 at which it was learnt.
        public var at: Int64

        /// A fact.
        public init(subject: String? = nil, text: String, at: Int64) {
            self.subject = subject
            self.text = text
            self.at = at
        }
    }

    /// The most facts; the oldest are forgotten.
    public static let factLimit = 200
    /// The longest fact, in characters.
    static let longestFact = 300
    /// The most turns that wait for a model; the oldest are dropped.
    public static let pendingLimit = 200
    /// The most that a turn that waits keeps of its text, in characters.
    static let longestTurn = 1_000
    /// The longest preamble, in characters.
    public static let preambleLimit = 4_000

    /// What is remembered, oldest first.
    public private(set) var facts: [Fact] = []
    /// Turns that were not read for facts yet, oldest first.
    public private(set) var pending: [Turn] = []
    private var others: [String: JSONValue] = [:]

    /// An empty profile.
    public init() {}

    /// The profile of a JSON text; what is not understood in it is left out.
    public init(json: JSONValue) {
        others = json.objectValue ?? [:]
        for name in ["version", "facts", "pending"] { others[name] = nil }
        for entry in json["facts"]?.arrayValue ?? [] {
            guard let text = entry["text"]?.stringValue else { continue }
            add(Fact(subject: entry["subject"]?.stringValue, text: text, at: entry["at"]?.intValue ?? 0))
        }
        pending = (json["pending"]?.arrayValue ?? []).compactMap(TurnJSON.turn(of:)).suffix(Self.pendingLimit)
    }

    /// The JSON object.
    public var json: JSONValue {
        let facts = facts.map { fact -> JSONValue in
            [
                "subject": fact.subject.map(JSONValue.string) ?? .null, "text": .string(fact.text), "at": .int(fact.at),
            ]
        }
        let known: [String: JSONValue] = [
            "version": 1, "facts": .array(facts), "pending": .array(pending.map(TurnJSON.json(of:))),
        ]
        return .object(others.merging(known) { $1 })
    }

    /// Keeps turns until they are read for facts.
    public mutating func keep(_ turns: [Turn]) {
        pending = (pending + turns.map(Self.cut)).suffix(Self.pendingLimit)
    }

    /// Reads the turns that wait for facts by rules. They wait no longer.
    public mutating func learnByRules(at time: Int64) {
        for case .userText(let text, _) in pending {
            for fact in UserFacts.found(in: text) { add(Fact(subject: fact.subject, text: fact.text, at: time)) }
        }
        pending = []
    }

    /// Takes the facts that a model made of those that it was told and of turns that waited. What came meanwhile stays.
    public mutating func learn(_ texts: [String], of read: [Turn], told: [Fact], at time: Int64) {
        let known = Dictionary(facts.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
        let old = Set(told.map(\.text))
        let meanwhile = facts.filter { !old.contains($0.text) }
        facts = []
        for text in texts { add(known[text] ?? Fact(text: text, at: time)) }
        for fact in meanwhile { add(fact) }
        // The oldest of them may have been dropped for newer turns.
        for dropped in 0...read.count where pending.starts(with: read.dropFirst(dropped)) {
            pending.removeFirst(read.count - dropped)
            return
        }
    }

    private mutating func add(_ fact: Fact) {
        guard !fact.text.allSatisfy(\.isWhitespace) else { return }
        facts.removeAll { ($0.subject != nil && $0.subject == fact.subject) || $0.text == fact.text }
        facts.append(Fact(subject: fact.subject, text: String(fact.text.prefix(Self.longestFact)), at: fact.at))
        if facts.count > Self.factLimit { facts.removeFirst() }
    }

    private static func cut(_ turn: Turn) -> Turn {
        switch turn {
        case .userText(let text, let time): .userText(text: String(text.prefix(longestTurn)), timestampMs: time)
        case .assistantText(let text, let time):
            .assistantText(text: String(text.prefix(longestTurn)), timestampMs: time)
        case .toolInvocation(let name, let callId, let arguments, let time):
            .toolInvocation(
                name: name, callId: callId, argsJson: String(arguments.prefix(longestTurn)), timestampMs: time)
        case .toolReturn(let callId, let output, let time):
            .toolReturn(callId: callId, output: String(output.prefix(longestTurn)), timestampMs: time)
        }
    }

    /// What a model is told at the beginning of a conversation, the newest facts first, at most ``preambleLimit`` characters; nil
    /// when nothing is remembered.
    public var preamble: String? {
        guard !facts.isEmpty else { return nil }
        var text = "What the user has said in earlier conversations, newest first:"
        for fact in facts.reversed() {
            let line = "\n- \(fact.text)"
            guard text.count + line.count <= Self.preambleLimit else { break }
            text += line
        }
        return text
    }
}

/// Turns as JSON, in the form in which models read them too.
public enum TurnJSON {
    /// A turn.
    public static func json(of turn: Turn) -> JSONValue {
        switch turn {
        case .userText(let text, let time): ["type": "user_text", "text": .string(text), "timestamp_ms": .int(time)]
        case .assistantText(let text, let time):
            ["type": "assistant_text", "text": .string(text), "timestamp_ms": .int(time)]
        case .toolInvocation(let name, let callId, let arguments, let time):
            [
                "type": "tool_call", "name": .string(name), "call_id": .string(callId), "args_json": .string(arguments),
                "timestamp_ms": .int(time),
            ]
        case .toolReturn(let callId, let output, let time):
            [
                "type": "tool_result", "call_id": .string(callId), "output": .string(output),
                "timestamp_ms": .int(time),
            ]
        }
    }

    /// The turn of a JSON object; nil for anything else.
    public static func turn(of json: JSONValue) -> Turn? {
        let time = json["timestamp_ms"]?.intValue ?? 0
        let (text, callId) = (json["text"]?.stringValue, json["call_id"]?.stringValue)
        switch json["type"] {
        case "user_text": return text.map { .userText(text: $0, timestampMs: time) }
        case "assistant_text": return text.map { .assistantText(text: $0, timestampMs: time) }
        case "tool_call":
            guard let callId, let name = json["name"]?.stringValue, let args = json["args_json"]?.stringValue else {
                return nil
            }
            return .toolInvocation(name: name, callId: callId, argsJson: args, timestampMs: time)
        case "tool_result":
            guard let callId, let output = json["output"]?.stringValue else { return nil }
            return .toolReturn(callId: callId, output: output, timestampMs: time)
        default: return nil
        }
    }
}
