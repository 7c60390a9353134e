/// Cuts a text into the pieces that are synthesised one by one, so that the first words are heard early.
///
/// The pieces put together are the text. A piece ends after the marks that end a sentence; a sentence longer than
/// ``maximumLength`` is cut at a comma, else at a space, else hard.
enum SentenceSplitter {
    /// In characters: about 20 s of speech, which bounds what one synthesis holds in memory.
    static let maximumLength = 300

    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = sentenceEnd(in: text, from: start)
            pieces.append(contentsOf: shortened(text[start..<end]))
            start = end
        }
        return mergingBlank(pieces)
    }

    private static func sentenceEnd(in text: String, from start: String.Index) -> String.Index {
        var index = start
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character.isNewline, index > start { return next }
            if isTerminator(character) {
                var end = next
                while end < text.endIndex, isTerminator(text[end]) || isClosing(text[end]) {
                    end = text.index(after: end)
                }
                // "3.5" and "example.com" go on without a space.
                if end == text.endIndex || text[end].isWhitespace || isFullWidth(character) { return end }
                index = end
                continue
            }
            index = next
        }
        return text.endIndex
    }

    private static func isTerminator(_ character: Character) -> Bool { ".!?…。！？".contains(character) }
    private static func isFullWidth(_ character: Character) -> Bool { "。！？".contains(character) }
    private static func isClosing(_ character: Character) -> Bool { "\"')]»”’".contains(character) }

    private static func shortened(_ sentence: Substring) -> [String] {
        var pieces: [String] = []
        var rest = sentence
        while rest.count > maximumLength {
            let window = rest.prefix(maximumLength)
            let cut =
                window.lastIndex(where: { ",;:".contains($0) }).map { window.index(after: $0) }
                ?? window.dropFirst().lastIndex(where: \.isWhitespace) ?? window.endIndex
            pieces.append(String(rest[..<cut]))
            rest = rest[cut...]
        }
        if !rest.isEmpty { pieces.append(String(rest)) }
        return pieces
    }

    /// A piece without a letter or digit has no sound of its own: it goes with the one before it.
    private static func mergingBlank(_ pieces: [String]) -> [String] {
        var merged: [String] = []
        var lead = ""
        for piece in pieces {
            if piece.contains(where: { $0.isLetter || $0.isNumber }) {
                merged.append(lead + piece)
                lead = ""
            } else if merged.isEmpty {
                lead += piece
            } else {
                merged[merged.count - 1] += piece
            }
        }
        if !lead.isEmpty { merged.append(lead) }
        return merged
    }
}
