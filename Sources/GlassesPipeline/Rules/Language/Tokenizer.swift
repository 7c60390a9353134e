/// Cuts an utterance into tokens; works with and without case and punctuation.
struct Tokenizer {
    private let text: String
    private var position: String.Index
    private var out: [Token] = []
    private var pendingBreak = Token.Break.none
    private var pendingColon = false

    init(text: String) {
        self.text = text
        self.position = text.startIndex
    }

    mutating func tokens() -> [Token] {
        while position < text.endIndex {
            let character = text[position]
            if character.isLetter || character.isNumber {
                readWord()
            } else if "%$€£°+".contains(character) {
                append(String(character), position..<text.index(after: position))
                position = text.index(after: position)
            } else {
                readPunctuation(character)
            }
        }
        return out
    }

    private mutating func readPunctuation(_ character: Character) {
        let next = text.index(after: position)
        if ".!?".contains(character) { pendingBreak = .sentence }
        if ",;:–—".contains(character), pendingBreak == .none { pendingBreak = .comma }
        if character == ":" { pendingColon = true }
        if character == "-", isSignPosition(next) { append("minus", position..<next) }
        position = next
    }

    /// A hyphen between a space and a digit is a minus sign; one inside a word only joins.
    private func isSignPosition(_ next: String.Index) -> Bool {
        guard next < text.endIndex, text[next].isNumber else { return false }
        return position == text.startIndex || text[text.index(before: position)].isWhitespace
    }

    private mutating func append(_ lower: String, _ range: Range<String.Index>) {
        var token = Token(lower: lower, range: range)
        token.breakBefore = pendingBreak
        token.afterColon = pendingColon
        pendingBreak = .none
        pendingColon = false
        out.append(token)
    }

    /// "p.m." is one word.
    private mutating func readAbbreviation() -> Bool {
        let rest = text[position...].prefix(4).lowercased()
        guard rest == "a.m." || rest == "p.m.", out.last?.range.upperBound != position else { return false }
        let end = text.index(position, offsetBy: 4)
        append(rest == "a.m." ? "am" : "pm", position..<end)
        position = end
        return true
    }

    private mutating func readWord() {
        if readAbbreviation() { return }
        let start = position
        let startsWithDigit = text[start].isNumber
        while position < text.endIndex, continuesWord(startsWithDigit) { position = text.index(after: position) }
        let word = text[start..<position].lowercased().filter { $0 != "," }
        if startsWithDigit, let ordinal = readOrdinalSuffix() {
            append(word + ordinal, start..<position)
        } else if let (head, tail) = Contraction.open(word.replacing("’", with: "'")) {
            appendContraction(head, tail, start..<position)
        } else {
            joinShortPrefix()
            let whole = text[start..<position].lowercased().replacing("’", with: "'")
            append(whole.filter { !",-".contains($0) }, start..<position)
        }
    }

    private func continuesWord(_ startsWithDigit: Bool) -> Bool {
        let character = text[position]
        if startsWithDigit { return character.isNumber || (".,:".contains(character) && digitFollows()) }
        if character.isLetter { return true }
        let next = text.index(after: position)
        return "'’".contains(character) && next < text.endIndex && text[next].isLetter
    }

    private func digitFollows() -> Bool {
        let next = text.index(after: position)
        guard next < text.endIndex, text[next].isNumber else { return false }
        return text[position] != "," || text[next...].prefix { $0.isNumber }.count == 3
    }

    private mutating func readOrdinalSuffix() -> String? {
        let suffix = text[position...].prefix(2).lowercased()
        guard ["st", "nd", "rd", "th"].contains(suffix) else { return nil }
        let end = text.index(position, offsetBy: 2)
        guard end == text.endIndex || !text[end].isLetter else { return nil }
        position = end
        return suffix
    }

    /// "wi-fi", "e-mail" and "to-do" are one word; "twenty-five" and "five-minute" are two.
    private mutating func joinShortPrefix() {
        guard position < text.endIndex, text[position] == "-" else { return }
        let next = text.index(after: position)
        guard next < text.endIndex, text[next].isLetter else { return }
        let start = out.last.map { $0.range.upperBound } ?? text.startIndex
        let prefix = text[start..<position].filter { $0.isLetter }.lowercased()
        guard ["e", "wi", "to", "t", "x"].contains(prefix) else { return }
        position = next
        while position < text.endIndex, text[position].isLetter { position = text.index(after: position) }
    }

    private mutating func appendContraction(_ head: String, _ tail: String, _ range: Range<String.Index>) {
        let letters = min(head.count, text.distance(from: range.lowerBound, to: range.upperBound) - 1)
        let middle = text.index(range.lowerBound, offsetBy: max(letters, 1))
        append(head, range.lowerBound..<middle)
        append(tail, middle..<range.upperBound)
    }
}

/// Opens English contractions, also those that a recogniser writes without apostrophe.
enum Contraction {
    private static let bare: [String: (String, String)] = [
        "dont": ("do", "not"), "doesnt": ("does", "not"), "didnt": ("did", "not"), "cant": ("can", "not"),
        "cannot": ("can", "not"), "wont": ("will", "not"), "isnt": ("is", "not"), "whats": ("what", "is"),
        "hows": ("how", "is"), "wheres": ("where", "is"), "whens": ("when", "is"), "im": ("i", "am"),
        "ive": ("i", "have"), "lets": ("let", "us"), "wanna": ("want", "to"), "gonna": ("going", "to"),
        "gotta": ("got", "to"), "gimme": ("give", "me"), "lemme": ("let", "me"),
    ]
    private static let isHosts: Set<String> = [
        "what", "how", "where", "when", "who", "it", "that", "there", "he", "she", "here", "which", "why", "this",
    ]

    static func open(_ word: String) -> (String, String)? {
        if let pair = bare[word] { return pair }
        guard let mark = word.lastIndex(of: "'") else { return nil }
        let head = String(word[..<mark])
        switch word[word.index(after: mark)...] {
        case "t" where head.hasSuffix("n"):
            let verb = ["ca": "can", "wo": "will", "sha": "shall"][String(head.dropLast())] ?? String(head.dropLast())
            return (verb, "not")
        case "s" where head == "let": return ("let", "us")
        case "s" where isHosts.contains(head): return (head, "is")
        case "m": return (head, "am")
        case "re": return (head, "are")
        case "ve": return (head, "have")
        case "ll": return (head, "will")
        case "d": return (head, "would")
        default: return nil
        }
    }
}
