import Foundation
import GlassesCore

/// Tells what a meter does, and keeps its recording.
final class MeterConsole {
    private let console: Console
    private let isJSON: Bool
    private let stopwatch = Stopwatch()
    private let recording: WAVFile?
    private var count = 0

    /// Creates the recording; throws a ``Problem`` when that fails.
    init(_ options: MeterOptions, sampleRate: Int, console: Console) throws {
        self.console = console
        isJSON = options.isJSON
        do {
            recording = try options.output.map { try WAVFile(path: $0, sampleRate: sampleRate, channels: 2) }
        } catch {
            throw Self.unwritten(options.output, error)
        }
    }

    /// Tells of a round and writes what was played and heard in it.
    func tell(_ round: MeterRound, _ outcome: MeterOutcome, fields: [String: JSONValue] = [:]) throws {
        count += 1
        do {
            try recording?.append(zip(round.played, round.recorded).flatMap { [$0, $1] })
        } catch {
            throw Self.unwritten(nil, error)
        }
        var fields = fields
        fields["round"] = .int(Int64(count))
        let text: String
        switch outcome {
        case .success(let time):
            fields["ms"] = .int(Int64(time))
            text = "\(time) ms"
        case .failure(let refusal):
            fields["notJudged"] = .string(refusal.rawValue)
            text = "not judged: \(refusal.text)"
        }
        if isJSON {
            console.print(JSONLine(seconds: stopwatch.seconds, event: "round", fields: fields).text)
        } else {
            console.print("round \(count): \(text)")
        }
    }

    /// Tells something that is no round and no figure.
    func note(_ text: String) { console.note("glasses: \(text)") }

    /// Completes the recording and prints the figures.
    func finish(_ report: MeterReport, fields: [String: JSONValue] = [:], lines: [String] = []) throws {
        do { try recording?.finish() } catch { throw Self.unwritten(nil, error) }
        if isJSON {
            let all = report.fields.merging(fields) { $1 }
            console.print(JSONLine(seconds: stopwatch.seconds, event: "summary", fields: all).text)
        } else {
            for line in report.lines + lines { console.print(line) }
        }
    }

    private static func unwritten(_ path: String?, _ error: any Error) -> Problem {
        Problem(
            code: "recording_not_written",
            "\(path ?? "The recording") could not be written: \(error.localizedDescription)")
    }
}
