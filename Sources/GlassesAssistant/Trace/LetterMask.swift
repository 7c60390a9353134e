/// Puts an `x` in the place of each letter of a text, and a `0` in that of each digit, so that nobody can read it and every rule about
/// its length, its words and its punctuation still gives the same result.
///
/// It works scalar by scalar: the mask of two texts in a row is the row of their masks, however a provider has split them. A scalar is
/// replaced by one with as many UTF-8 bytes that sticks to its neighbours in the same way, so that characters stay characters: most
/// letters become `x`, `х` (Cyrillic), `ｘ` (full width) or `𝐱` (bold); marks become another mark; syllables of Hangul, consonants of
/// Indic scripts and a few others become one of their kind. Spaces, punctuation, symbols and controls stay. A masked text is its own
/// mask.
public struct LetterMask: Sendable {
    /// Texts of the scripts in use need a few hundred; a hostile one may not fill the memory.
    private static let cacheLimit = 4_096

    private var cache: [Unicode.Scalar: Unicode.Scalar] = [:]

    /// A mask.
    public init() {}

    /// The masked text.
    public mutating func masked(_ text: String) -> String {
        var masked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { masked.append(replacement(for: scalar)) }
        return String(masked)
    }

    private mutating func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return Self.ascii(scalar) }
        if let known = cache[scalar] { return known }
        let replacement = Self.isReadable(scalar) ? Self.standIn(for: scalar) : scalar
        if cache.count < Self.cacheLimit { cache[scalar] = replacement }
        return replacement
    }

    private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "a"..."z", "A"..."Z": "x"
        case "0"..."9": "0"
        default: scalar
        }
    }

    /// Whether a scalar is a part of words or numbers; whoever uses private characters may write with them.
    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        default: scalar.properties.isAlphabetic
        }
    }

    // MARK: - Stand-ins

    private static func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        let bytes = UTF8.width(scalar)
        let bond = Bond(scalar)
        if bond == .loose, scalar.properties.numericType != nil {
            return bytes == 2 ? "\u{660}" : bytes == 3 ? "\u{FF10}" : "\u{1D7CE}"
        }
        let alike = standIns.first { $0.bytes == bytes && $0.bond == bond }
        // A kind that a later version of Unicode adds: nobody may read it all the same.
        return alike?.scalar ?? (bytes == 2 ? "\u{445}" : bytes == 3 ? "\u{FF58}" : "\u{1D431}")
    }

    /// One for each way in which scalars of as many bytes stick to their neighbours; letters first, then marks.
    private static let standIns: [(bytes: Int, bond: Bond, scalar: Unicode.Scalar)] = [
        "\u{445}", "\u{FF58}", "\u{1D431}", "\u{AC00}", "\u{AC01}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{915}",
        "\u{10A10}", "\u{D4E}", "\u{111C2}", "\u{2139}", "\u{1F170}", "\u{301}", "\u{20D0}", "\u{1D167}", "\u{903}",
        "\u{11002}", "\u{94D}",
    ].map { (scalar: Unicode.Scalar) in (UTF8.width(scalar), Bond(scalar), scalar) }
}

/// How a scalar sticks to its neighbours, found out by asking whether it makes one character with them.
struct Bond: Sendable, Hashable {
    private let bits: UInt16

    /// Sticks to nothing.
    static let loose = Bond("x")

    /// What comes before and after: a letter, the parts of Hangul syllables, an Indic consonant with its joiner, and an emoji.
    private static let neighbours: [(before: String, after: String)] = [
        ("x", ""), ("", "x"), ("\u{1100}", ""), ("\u{AC00}", ""), ("\u{AC01}", ""), ("", "\u{1161}"),
        ("", "\u{11A8}"), ("\u{915}\u{94D}", ""), ("", "\u{94D}\u{915}"), ("\u{915}", "\u{915}"),
        ("\u{915}\u{94D}", "\u{915}"), ("\u{1F600}", "\u{200D}\u{1F600}"), ("\u{1F600}\u{200D}", ""),
    ]

    init(_ scalar: Unicode.Scalar) {
        var bits: UInt16 = 0
        for (index, neighbour) in Self.neighbours.enumerated() {
            var text = neighbour.before
            text.unicodeScalars.append(scalar)
            if (text + neighbour.after).count == 1 { bits |= 1 << index }
        }
        self.bits = bits
    }
}
