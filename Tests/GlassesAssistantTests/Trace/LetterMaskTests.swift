import SeededRandom
import Testing

@testable import GlassesAssistant

@Suite struct LetterMaskTests {
    private static func mask(_ text: String) -> String {
        var mask = LetterMask()
        return mask.masked(text)
    }

    @Test(
        arguments: [
            ("Turn on the light, please!", "xxxx xx xxx xxxxx, xxxxxx!"), ("at 18:05", "xx 00:00"), ("", ""),
            ("  \n\t¿?", "  \n\t¿?"), ("grün", "xxхx"), ("Привет", "хххххх"), ("日本語", "ｘｘｘ"), ("𐐀", "𝐱"),
            ("नमस्ते", "ककक\u{94D}क\u{20D0}"), ("가각", "가각"), ("한국", "각각"), ("👍🏽 ok", "👍🏽 xx"), ("٣", "٠"),
        ])
    func lettersAndDigitsAreReplacedAndNothingElse(text: String, masked: String) {
        #expect(Self.mask(text).unicodeScalars.elementsEqual(masked.unicodeScalars))
    }

    /// Every scalar there is: what replaces it has as many bytes and sticks to its neighbours alike, and is one of a few.
    @Test func noScalarChangesItsLengthOrItsBonds() {
        var standIns: Set<Unicode.Scalar> = []
        var mask = LetterMask()
        for value in stride(from: UInt32(0), through: 0x10_FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let masked = mask.masked(String(scalar)).unicodeScalars
            guard let replacement = masked.first, replacement != scalar else { continue }
            standIns.insert(replacement)
            let isAlike = masked.count == 1 && UTF8.width(replacement) == UTF8.width(scalar)
            #expect(isAlike && Bond(replacement) == Bond(scalar), "U+\(String(value, radix: 16))")
        }
        #expect(standIns.count < 30)
    }

    /// Random texts of every script: no letter survives, and every measure that a session takes of a text is the same.
    @Test(arguments: 0..<40) func aMaskedTextMeasuresAsTheTextDid(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var forms: Set<Unicode.Scalar> = []
        for scalar in "x\u{445}\u{FF58}\u{1D431}0\u{660}\u{FF10}\u{1D7CE}".unicodeScalars { forms.insert(scalar) }
        for _ in 0..<40 {
            let text = Self.text(&random)
            let masked = Self.mask(text)
            #expect(masked.utf8.count == text.utf8.count)
            #expect(masked.count == text.count)
            #expect(masked.map(\.isWhitespace) == text.map(\.isWhitespace))
            #expect(Self.mask(masked).unicodeScalars.elementsEqual(masked.unicodeScalars))
            for (old, new) in zip(text.unicodeScalars, masked.unicodeScalars) where Self.isPlainLetter(old) {
                #expect(forms.contains(new))
            }
        }
    }

    /// However a provider splits a text, its masked pieces make its mask.
    @Test(arguments: 0..<40) func theMaskOfAWholeIsThatOfItsPieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = (0..<20).map { _ in Self.text(&random) }
        let whole = pieces.map(Self.mask).joined()
        #expect(Self.mask(pieces.joined()).unicodeScalars.elementsEqual(whole.unicodeScalars))
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x20...0x7E, 0xA0...0x6FF, 0x900...0x109F, 0x1100...0x11FF, 0x2000...0x206F, 0x3040...0x9FFF,
            0xAC00...0xD7A3, 0x1F300...0x1FAFF, 0x10000...0x1FFFF, 0xE000...0xE0FF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    private static func isPlainLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard Bond(scalar) == .loose else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }
}
