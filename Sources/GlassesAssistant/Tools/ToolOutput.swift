import GlassesDomain

/// The form in which a tool's outcome reaches the model and the history.
public enum ToolOutput {
    /// The most bytes of an output: far more than a spoken answer needs, and far below what fills a model's context.
    public static let limit = 64 * 1024
    /// What follows an output that was cut.
    static let cutNote = "\n[cut: the output was longer than 64 KiB]"

    /// The output cut to ``limit`` bytes on a character boundary, the note included.
    public static func capped(_ output: String) -> String {
        guard output.utf8.count > limit else { return output }
        return prefix(of: output, bytes: limit - cutNote.utf8.count) + cutNote
    }

    /// What the model reads: the text itself, or `{"error": …}` when the call failed.
    public static func wireText(_ output: String, isError: Bool) -> String {
        guard isError else { return capped(output) }
        let whole = JSONValue.object(["error": .string(output)]).jsonText
        guard whole.utf8.count > limit else { return whole }
        // A character can take six bytes as JSON, so an eighth of the limit fits with the note and the braces.
        return JSONValue.object(["error": .string(prefix(of: output, bytes: limit / 8) + cutNote)]).jsonText
    }

    private static func prefix(of text: String, bytes: Int) -> String {
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
        while end > text.startIndex, end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
