/// The text of an utterance, part by part.
struct Transcript: Sendable, Hashable {
    private var parts: [String] = []
    private var length = 0
    private var spokenWindows = 0
    private var spannedWindows = 0

    /// About an hour of speech, and less than the ABI's 64 KiB.
    private static let byteLimit = 60_000

    /// Adds the model's text of a part; a text without letters and digits, such as "♪" for music, is none.
    mutating func add(_ text: String, of part: SpeechCollector) {
        let text = Self.cleaned(text)
        guard !text.isEmpty, length + text.utf8.count < Self.byteLimit else { return }
        parts.append(text)
        length += text.utf8.count + 1
        spokenWindows += part.spokenWindows
        spannedWindows += part.spannedWindows
    }

    /// The words; empty when there are none.
    var text: String { parts.joined(separator: " ") }

    /// How much of the sound from the first word to the last was speech, 0 to 1; 0 without words. The model itself does not tell
    /// how sure it is.
    var confidence: Double { spannedWindows == 0 ? 0 : Double(spokenWindows) / Double(spannedWindows) }

    /// The text without music signs and without space around it; empty when no word is left.
    private static func cleaned(_ text: String) -> String {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return text.filter { $0 != "♪" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
