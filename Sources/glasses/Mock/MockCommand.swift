import Foundation
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
import MWDATMockDeviceTestClient

/// `glasses mock`.
struct MockCommand: Command {
    static let glasses = OptionSpec(
        "--glasses", .text("ID"), help: "Which glasses, as 'glasses mock state' lists them; otherwise the first paired."
    )
    static let portFile = OptionSpec(
        "--port-file", .text("FILE"),
        help: "The app's port file; otherwise the one that MWDAT_TEST_SERVER_PORT_FILE names, or the usual one.")
    static let json = OptionSpec("--json", help: "Print one JSON object: the answer, or {code, message}.")
    static let spec = CommandSpec(
        "mock", summary: "Script the mock glasses of a running app.",
        details: [
            "The app enables its mock device kit and calls MockDeviceKit.shared.startTestServer(portFilePath: nil).",
            "Exit codes: 0 done, 1 it had no effect, 2 wrong options, 3 no app, no glasses or no picture, and why.",
        ],
        positional: CommandSpec.Positional(
            name: "OPERATION [VALUE...]", help: MockOperation.all.map(\.usage).joined(separator: ", ") + "."),
        options: [glasses, portFile, json],
        examples: [
            "glasses mock pair", "glasses mock battery 15", "glasses mock feed ~/film.mp4",
            "glasses mock photo now.jpg",
            "glasses mock permission camera denied", "glasses mock state --json",
        ])

    private let operation: MockOperation
    private let values: [String]
    private let glasses: String?
    private let server: TestServerConnection
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let word = arguments.words.first ?? ""
        guard let operation = MockOperation.all.first(where: { $0.name == word }) else {
            let near = Suggestion.nearest(to: word, among: MockOperation.all.map(\.name))
            throw arguments.error("'mock' knows no operation '\(word)'" + Suggestion.question(near))
        }
        self.operation = operation
        values = Array(arguments.words.dropFirst())
        if let objection = operation.objection(to: values) { throw arguments.error(objection) }
        glasses = arguments.text(Self.glasses.name)
        server = TestServerConnection(portFile: arguments.text(Self.portFile.name).map(AbsolutePath.of))
        isJSON = arguments.has(Self.json.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        let request = operation.request(values, glasses: glasses)
        if let file = request.file { return await save(request, as: file, console) }
        switch await server.request(request.method, request.path, body: request.body) {
        case .success(let answer): return show(answer, console)
        case .failure(let error): return fail(error, console)
        }
    }

    private func show(_ answer: JSONValue, _ console: Console) -> ExitStatus {
        if isJSON {
            console.print(answer.jsonText)
        } else {
            for line in MockReport(operation: operation.name, answer: answer).lines { console.print(line) }
        }
        guard operation.name != "state" else { return .ok }
        let notes = answer["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for note in notes { console.note("glasses: \(note)") }
        return notes.isEmpty ? .ok : .incomplete
    }

    private func save(_ request: MockOperation.Request, as file: String, _ console: Console) async -> ExitStatus {
        switch await server.bytes(request.method, request.path) {
        case .failure(let error): return fail(error, console)
        case .success(let picture):
            do throws(MediaError) {
                try NewFile.write(Data(picture), to: file)
            } catch {
                let problem = Problem(code: "not_written", "\(file) cannot be written, or exists. Choose another name.")
                return tell(problem, .unavailable, console)
            }
            console.print(isJSON ? JSONValue.object(["path": .string(file)]).jsonText : file)
            return .ok
        }
    }

    private func fail(_ error: MockDeviceTestClientError, _ console: Console) -> ExitStatus {
        tell(
            Problem(code: error.code, error.message), error.code == "invalid_field" ? .usage : .unavailable, console)
    }

    private func tell(_ problem: Problem, _ status: ExitStatus, _ console: Console) -> ExitStatus {
        if isJSON {
            console.print(
                JSONValue.object(["code": .string(problem.code), "message": .string(problem.sentence)]).jsonText)
        }
        console.report(problem)
        return status
    }
}
