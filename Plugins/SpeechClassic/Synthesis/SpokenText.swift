import Foundation

/// A text as Flite can speak it: plain ASCII in pieces short enough that the first sound comes at once and a cancelled
/// text ends at once.
struct SpokenText: Sendable, Hashable {
    /// One call of the synthesiser.
    struct Piece: Sendable, Hashable {
        var text: String
        /// Whether a sentence ends here, and with it a pause; else the next piece follows closely.
        var endsSentence: Bool
    }

    let pieces: [Piece]

    /// About eight seconds of speech, 80 ms of work.
    static let pieceLimit = 120
    /// The longest word that is spoken as one; Flite guesses letters to sounds, which no longer run of them deserves.
    static let wordLimit = 32

    init(_ text: String) {
        pieces = Self.sentences(Self.ascii(text)).flatMap(Self.split)
    }

    /// The text without what Flite's English cannot say: accents are taken off, typographic signs become plain ones, and
    /// control signs, emoji and other scripts become spaces.
    static func ascii(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                out.append(byte < 0x20 && byte != 0x0A || byte == 0x7F ? 0x20 : byte)
            } else if let plain = plainForms[scalar] {
                out += plain.utf8
            } else if scalar.properties.generalCategory != .nonspacingMark {
                out.append(0x20)
            }
        }
        return out
    }

    private static let plainForms: [Unicode.Scalar: String] = [
        "\u{2018}": "'", "\u{2019}": "'", "\u{201C}": "\"", "\u{201D}": "\"", "\u{2013}": ", ", "\u{2014}": ", ",
        "\u{2026}": ".", "\u{00DF}": "ss", "\u{00E6}": "ae", "\u{00C6}": "Ae", "\u{00F8}": "o", "\u{00D8}": "O",
        "\u{0153}": "oe", "\u{0142}": "l", "\u{20AC}": " euros ", "\u{00A3}": " pounds ", "\u{00B0}": " degrees ",
        "\u{00D7}": " times ", "\u{2212}": "-", "\u{2044}": "/",
    ]

    /// Words with their spaces taken out, gathered up to a sentence's end or an empty line.
    private static func sentences(_ bytes: [UInt8]) -> [[String]] {
        var sentences: [[String]] = []
        var sentence: [String] = []
        func close() {
            if sentence.contains(where: isSpeakable) { sentences.append(sentence) }
            sentence = []
        }
        for line in bytes.split(separator: 0x0A) {
            for word in line.split(separator: 0x20) {
                sentence += chopped(word)
                if endsSentence(word) { close() }
            }
            // A line that ends without a sign is a heading or an item of a list.
            close()
        }
        return sentences
    }

    private static func chopped(_ word: ArraySlice<UInt8>) -> [String] {
        stride(from: word.startIndex, to: word.endIndex, by: wordLimit).map { start in
            String(decoding: word[start..<min(start + wordLimit, word.endIndex)], as: UTF8.self)
        }
    }

    private static func endsSentence(_ word: ArraySlice<UInt8>) -> Bool {
        let closers: Set<UInt8> = [0x22, 0x27, 0x29, 0x5D]  // " ' ) ]
        guard let last = word.last(where: { !closers.contains($0) }) else { return false }
        if last == UInt8(ascii: "!") || last == UInt8(ascii: "?") { return true }
        guard last == UInt8(ascii: ".") else { return false }
        return !abbreviations.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    private static let abbreviations: Set<String> = [
        "mr.", "mrs.", "ms.", "dr.", "st.", "prof.", "e.g.", "i.e.", "etc.", "vs.", "no.", "a.m.", "p.m.", "u.s.",
    ]

    private static func isSpeakable(_ word: String) -> Bool {
        word.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "&"),
                UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "#"):
                true
            default: false
            }
        }
    }

    /// A sentence in pieces: whole when it is short, else cut after a comma where there is one.
    private static func split(_ words: [String]) -> [Piece] {
        var pieces: [Piece] = []
        var rest = words[...]
        while !rest.isEmpty {
            let count = pieceLength(rest)
            let text = rest.prefix(count).joined(separator: " ")
            rest = rest.dropFirst(count)
            if isSpeakable(text) { pieces.append(Piece(text: text, endsSentence: rest.isEmpty)) }
        }
        return pieces
    }

    /// How many words the next piece takes.
    private static func pieceLength(_ words: ArraySlice<String>) -> Int {
        var bytes = 0
        var fitting = 0
        var lastClause = 0
        for word in words {
            bytes += word.utf8.count + 1
            guard bytes <= pieceLimit else { break }
            fitting += 1
            if let last = word.utf8.last, [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":")].contains(last) {
                lastClause = fitting
            }
        }
        if fitting == words.count { return fitting }
        return lastClause > 0 ? lastClause : max(fitting, 1)
    }
}
