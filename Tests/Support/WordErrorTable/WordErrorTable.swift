import GlassesDomain
import WordErrors

/// A line of the table: one recogniser, one corpus, one noise.
struct WordErrorRow: Sendable {
    let engine: String
    let corpus: String
    let noise: String
    let rate: WordErrorRate
    /// Recordings for which the recogniser gave no words but an error; all their words count as wrong.
    let failures: Int
    /// Seconds of audio.
    let audio: Double
    /// Seconds of processing, from the last sample handed over to the words; audio is handed over at once.
    let processing: Double

    /// Processing time by audio time.
    var realTimeFactor: Double { audio > 0 ? processing / audio : 0 }

    /// The row as a JSON object.
    var json: JSONValue {
        [
            "engine": .string(engine), "corpus": .string(corpus), "noise": .string(noise),
            "errors": .int(Int64(rate.errors)), "words": .int(Int64(rate.words)), "percent": .double(percent),
            "failures": .int(Int64(failures)),
            "audioSeconds": .double(Self.rounded(audio)), "seconds": .double(Self.rounded(processing)),
            "realTimeFactor": .double(Self.rounded(realTimeFactor)),
        ]
    }

    /// Wrong words in a hundred, to a tenth.
    var percent: Double { (rate.fraction * 1_000).rounded() / 10 }

    /// The row as the table's cells.
    var cells: [String] {
        [
            corpus, noise, "\(rate.errors)/\(rate.words)", "\(percent) %", "\(failures)",
            "\(Self.rounded(processing))", "\(Self.rounded(realTimeFactor))",
        ]
    }

    static let header = ["corpus", "noise", "wrong", "percent", "failed", "seconds", "RTF"]

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}

/// Lines with columns of fixed width, so that each can be printed as soon as it is known.
enum TextTable {
    private static let widths = [27, 18, 8, 9, 7, 9, 7]

    static func line(_ cells: [String]) -> String {
        zip(cells, widths).enumerated().map { index, cell in
            let space = String(repeating: " ", count: max(1, cell.1 - cell.0.count))
            return index < 2 ? cell.0 + space : space + cell.0
        }.joined()
    }
}

/// Why the table cannot be made.
enum WordErrorFailure: Error, CustomStringConvertible {
    case noEngine(String?), noVoice(String, String), wrongRate(String, Int)

    var description: String {
        switch self {
        case .noEngine(nil): "No recogniser is installed, or none works. Run Scripts/setup --tests, then build again."
        case .noEngine(let id?): "There is no recogniser \(id) that works. 'glasses plugins list' names them."
        case .noVoice(let voice, let engine): "The engine \(engine) has no voice \(voice). Run Scripts/setup --tests."
        case .wrongRate(let engine, let rate): "\(engine) takes \(rate) frames per second; the corpora have 16000."
        }
    }
}
