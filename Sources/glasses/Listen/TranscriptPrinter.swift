import GlassesCore

/// Prints what was recognised.
struct TranscriptPrinter: Sendable {
    private let console: Console
    private let isJSON: Bool
    private let stopwatch = Stopwatch()

    init(console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// Prints a transcript; a person sees finished utterances only.
    func print(_ transcript: Transcript) {
        if isJSON {
            console.print(Self.line(transcript, seconds: stopwatch.seconds).text)
        } else if case .final(let text, _, _, _) = transcript, !text.isEmpty {
            console.print(text)
        }
    }

    static func line(_ transcript: Transcript, seconds: Double) -> JSONLine {
        switch transcript {
        case .partial(let text, let confidence):
            JSONLine(
                seconds: seconds, event: "partial", fields: ["text": .string(text), "confidence": .double(confidence)])
        case .final(let text, let confidence, let start, let end):
            JSONLine(
                seconds: seconds, event: "transcript",
                fields: [
                    "text": .string(text), "confidence": .double(confidence),
                    "startMs": start.map(JSONValue.int) ?? .null, "endMs": end.map(JSONValue.int) ?? .null,
                ])
        }
    }
}
