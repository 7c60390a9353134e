import Foundation
import GlassesAssistant
import GlassesCore

/// `glasses replay`.
struct ReplayCommand: Command {
    static let story = OptionSpec(
        "--print", help: "Print each step: the time, what the session was told, what it did, and where it differs.")
    static let from = OptionSpec("--from", .number("N", 1...1e9), help: "With --print: begin at step N.")
    static let to = OptionSpec("--to", .number("N", 1...1e9), help: "With --print: end after step N.")
    static let output = OptionSpec(
        "--output", .text("NEW"),
        help:
            "Write the trace to NEW with what the session does today, for a test whose behaviour was changed on purpose."
    )
    static let json = OptionSpec(
        "--json",
        help: "Print one JSON object: steps, same, difference, end; with --print one for each step before it.")
    static let spec = CommandSpec(
        "replay", summary: "Live through a recorded session again.",
        details: [
            "Reads a file of 'glasses talk --trace' and gives a session of this program the same facts at the same moments. Prints "
                + "\"same\" when it does the same, byte for byte, and else the first difference; nothing is heard, sent or run.",
            "Exit code 0 is the same, 1 a difference, 2 a file that cannot be replayed. docs/trace-format.md describes the file.",
        ],
        positional: .init(name: "FILE", help: "A trace."),
        options: [story, from, to, output, json],
        examples: [
            "glasses talk --trace t.trace", "glasses replay t.trace",
            "glasses replay t.trace --print --from 40 --to 60",
        ])

    private let file: String
    private let prints: Bool
    private let shown: ClosedRange<Int>
    private let newFile: String?
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.words.count == 1, let file = arguments.words.first, !file.isEmpty else {
            throw arguments.error("one FILE is needed")
        }
        self.file = file
        prints = arguments.has(Self.story.name)
        newFile = arguments.text(Self.output.name)
        isJSON = arguments.has(Self.json.name)
        let (first, last) = (arguments.number(Self.from.name), arguments.number(Self.to.name))
        if !prints, first != nil || last != nil { throw arguments.error("--from and --to need --print") }
        let (low, high) = (Int(first ?? 1), Int(last ?? 1e9))
        guard low <= high else { throw arguments.error("--from is behind --to") }
        shown = low...high
        if newFile == "" { throw arguments.error("--output needs a file") }
    }

    func run(_ console: Console) async -> ExitStatus {
        do {
            let trace = try SessionTrace(file: Self.bytes(of: file))
            if let newFile { try Self.write(TraceReplay.rewritten(trace), to: newFile) }
            return try ReplayReport(trace: trace, shown: prints ? shown : nil, isJSON: isJSON, console: console).run()
        } catch let error as TraceError {
            console.report(Problem(code: error.code, "\(file), \(error)"))
        } catch let problem as Problem {
            console.report(problem)
        } catch {
            console.report(Problem(code: "replay_failed", "\(file) cannot be replayed: \(error.localizedDescription)"))
        }
        return .usage
    }

    /// A trace that this program wrote, with room for one that somebody else did.
    private static let longest = 4 * TraceLimits.fileBytes

    private static func bytes(of path: String) throws -> [UInt8] {
        let url = URL(fileURLWithPath: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw Problem(code: "not_a_file", "\(path) is no file.")
        }
        guard let size = attributes[.size] as? Int, size <= longest else {
            throw Problem(code: "too_large", "\(path) has more than \(longest >> 20) MiB, which no trace has.")
        }
        return Array(try Data(contentsOf: url))
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try PrivateFile.create(path)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
