/// M. F. Porter's suffix-stripping algorithm (1980), so that "pictures", "reminder" and "navigation" meet
/// "picture", "remind" and "navigate".
struct PorterStemmer {
    private var word: [UInt8]

    /// The stem of a lower-case word; words with other letters than a–z, and words of two letters, stay as they are.
    static func stem(_ word: String) -> String {
        let bytes = Array(word.utf8)
        guard bytes.count > 2, bytes.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        var stemmer = PorterStemmer(word: bytes)
        stemmer.removePluralAndTense()
        stemmer.replaceSuffixes(Self.doubleSuffixes, minimumMeasure: 1)
        stemmer.replaceSuffixes(Self.fullSuffixes, minimumMeasure: 1)
        stemmer.removeLastSuffix()
        stemmer.tidyEnding()
        return String(decoding: stemmer.word, as: UTF8.self)
    }

    private static let doubleSuffixes: [(String, String)] = [
        ("ational", "ate"), ("ization", "ize"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
        ("tional", "tion"), ("biliti", "ble"), ("entli", "ent"), ("ousli", "ous"), ("ation", "ate"), ("alism", "al"),
        ("aliti", "al"), ("iviti", "ive"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"),
        ("alli", "al"), ("ator", "ate"), ("eli", "e"),
    ]
    private static let fullSuffixes: [(String, String)] = [
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""), ("ful", ""),
    ]
    private static let lastSuffixes = [
        "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
        "al", "er", "ic", "ou",
    ]

    private func isConsonant(_ index: Int) -> Bool {
        switch word[index] {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): false
        case UInt8(ascii: "y"): index == 0 || !isConsonant(index - 1)
        default: true
        }
    }

    /// How many vowel–consonant sequences the first `count` letters have.
    private func measure(_ count: Int) -> Int {
        var sequences = 0
        for index in 1..<max(count, 1) where isConsonant(index) && !isConsonant(index - 1) { sequences += 1 }
        return sequences
    }

    private func hasVowel(_ count: Int) -> Bool { (0..<count).contains { !isConsonant($0) } }

    private func ends(_ suffix: String) -> Bool {
        word.count > suffix.utf8.count && word.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    private func endsShort(_ count: Int) -> Bool {
        guard count >= 3, isConsonant(count - 1), !isConsonant(count - 2), isConsonant(count - 3) else { return false }
        return ![UInt8(ascii: "w"), UInt8(ascii: "x"), UInt8(ascii: "y")].contains(word[count - 1])
    }

    private mutating func replace(_ suffix: String, with text: String) {
        word.removeLast(suffix.utf8.count)
        word.append(contentsOf: text.utf8)
    }

    private mutating func removePluralAndTense() {
        if ends("sses") {
            replace("es", with: "")
        } else if ends("ies") {
            replace("ies", with: "i")
        } else if ends("s"), !ends("ss") {
            replace("s", with: "")
        }
        if ends("eed") {
            if measure(word.count - 3) > 0 { replace("eed", with: "ee") }
        } else if let suffix = ["ed", "ing"].first(where: { ends($0) && hasVowel(word.count - $0.utf8.count) }) {
            replace(suffix, with: "")
            repairAfterTense()
        }
        if ends("y"), hasVowel(word.count - 1) { replace("y", with: "i") }
    }

    private mutating func repairAfterTense() {
        if ends("at") || ends("bl") || ends("iz") {
            replace("", with: "e")
        } else if word.count > 1, word[word.count - 1] == word[word.count - 2], isConsonant(word.count - 1),
            !["l", "s", "z"].contains(Unicode.Scalar(word[word.count - 1]))
        {
            word.removeLast()
        } else if measure(word.count) == 1, endsShort(word.count) {
            replace("", with: "e")
        }
    }

    private mutating func replaceSuffixes(_ table: [(String, String)], minimumMeasure: Int) {
        guard let (suffix, text) = table.first(where: { ends($0.0) }) else { return }
        if measure(word.count - suffix.utf8.count) >= minimumMeasure { replace(suffix, with: text) }
    }

    private mutating func removeLastSuffix() {
        guard let suffix = Self.lastSuffixes.first(where: { ends($0) }) else { return }
        let rest = word.count - suffix.utf8.count
        guard measure(rest) > 1 else { return }
        if suffix == "ion", ![UInt8(ascii: "s"), UInt8(ascii: "t")].contains(word[rest - 1]) { return }
        replace(suffix, with: "")
    }

    private mutating func tidyEnding() {
        if ends("e") {
            let rest = measure(word.count - 1)
            if rest > 1 || (rest == 1 && !endsShort(word.count - 1)) { word.removeLast() }
        }
        if ends("ll"), measure(word.count) > 1 { word.removeLast() }
    }
}
