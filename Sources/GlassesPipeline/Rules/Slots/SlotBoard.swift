import GlassesDomain

/// A clause while one tool's parameters are being filled from it: which token serves what.
struct SlotBoard {
    enum Mark: Equatable { case open, trigger, slot, text }

    let utterance: Utterance
    let range: Range<Int>
    /// Where the tool's own words may begin: the verb, the question word or the first noun.
    let start: Int
    var marks: [Int: Mark] = [:]
    var arguments: [String: JSONValue] = [:]
    /// Values that were said side by side for a parameter that takes one: "the kitchen and the bedroom".
    var coordinated: [String: [JSONValue]] = [:]
    /// From here on everything is quoted text ("… that …", "… saying …"), and no structured value is read.
    var quoteStart: Int
    /// Whether structured values may only stand beside the free text, not in it.
    var keepsTextWhole = false
    /// Values that were said but lie outside the schema's range.
    var outOfRange: Set<String> = []

    var tokens: [Token] { utterance.tokens }

    init(utterance: Utterance, range: Range<Int>, start: Int) {
        self.utterance = utterance
        self.range = range
        self.start = start
        quoteStart = range.upperBound
    }

    func mark(_ index: Int) -> Mark { marks[index] ?? .open }

    mutating func setMark(_ mark: Mark, _ indices: Range<Int>) { for index in indices { marks[index] = mark } }

    func isContent(_ index: Int) -> Bool { !FunctionWords.contains(tokens[index]) }

    /// Whether a structured value may be read from `span`.
    func allows(_ span: Range<Int>) -> Bool {
        guard span.lowerBound >= start, span.upperBound <= quoteStart, span.allSatisfy({ mark($0) == .open }) else {
            return false
        }
        guard keepsTextWhole else { return true }
        let tail = (span.upperBound..<range.upperBound).allSatisfy {
            mark($0) != .open || !isContent($0) || isPolite($0)
        }
        let lead = (start..<span.lowerBound).allSatisfy { mark($0) != .open || !isContent($0) }
        return tail || lead
    }

    private func isPolite(_ index: Int) -> Bool { ["please", "thanks", "now"].contains(tokens[index].lower) }

    /// Takes `span` for a parameter, with the preposition (and article) that introduces it.
    mutating func take(_ span: Range<Int>, for parameter: ParameterSpec, _ value: JSONValue, prepositions: Set<String>)
    {
        setMark(.slot, span)
        var before = span.lowerBound - 1
        if before >= start, ["a", "an", "the", "exactly", "about", "around"].contains(tokens[before].lower),
            mark(before) == .open
        {
            marks[before] = .slot
            before -= 1
        }
        if before >= start, mark(before) == .open, prepositions.contains(tokens[before].lower) { marks[before] = .slot }
        arguments[parameter.name] = value
    }
}
