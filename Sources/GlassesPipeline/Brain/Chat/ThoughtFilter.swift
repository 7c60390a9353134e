/// Leaves out what a model thinks aloud, `<think>…</think>`, also when the marks come in pieces.
struct ThoughtFilter: Equatable, Sendable {
    private static let opening = "<think>"
    private static let closing = "</think>"
    /// What may still become a mark.
    private var held = ""
    private var isThinking = false
    /// Whether words came that are no thought.
    private var hasSpoken = false

    /// The words in `text` that are no thoughts, as far as that is known.
    mutating func take(_ text: String) -> String {
        held += text
        var spoken = ""
        while let mark = held.range(of: isThinking ? Self.closing : Self.opening) {
            if !isThinking { spoken += held[..<mark.lowerBound] }
            held.removeSubrange(..<mark.upperBound)
            isThinking.toggle()
        }
        let open = Self.tail(of: held, beginning: isThinking ? Self.closing : Self.opening)
        if !isThinking { spoken += held.dropLast(open) }
        held = String(held.suffix(open))
        if !hasSpoken {
            // Models leave blank lines behind their thoughts.
            spoken = String(spoken.drop { $0.isWhitespace })
            hasSpoken = !spoken.isEmpty
        }
        return spoken
    }

    /// What was held back and is no mark after all.
    mutating func finish() -> String {
        defer { held = "" }
        return isThinking ? "" : held
    }

    /// How many characters at the end of `text` could be the beginning of `mark`.
    private static func tail(of text: String, beginning mark: String) -> Int {
        for length in stride(from: min(text.count, mark.count - 1), to: 0, by: -1)
        where mark.hasPrefix(text.suffix(length)) { return length }
        return 0
    }
}

extension String {
    /// Where `mark` first stands.
    fileprivate func range(of mark: String) -> Range<String.Index>? {
        guard let first = mark.first else { return nil }
        var start = startIndex
        while let begin = self[start...].firstIndex(of: first) {
            if self[begin...].hasPrefix(mark) { return begin..<index(begin, offsetBy: mark.count) }
            start = index(after: begin)
        }
        return nil
    }
}
