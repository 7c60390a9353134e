import Foundation
import GlassesDomain
import TestProcess
import Testing

@Suite("Programs whose brain is a chat endpoint", .serialized, .timeLimit(.minutes(5)))
struct ChatBrainProgramTests {
    private static func run(
        _ arguments: [String], environment: [String: String?] = [:]
    ) async throws -> TestProcess.Outcome {
        var process = TestProcess(GatewayProcess.program, arguments)
        process.environment = [
            "EXTENTOS_BRAIN_URL": nil, "EXTENTOS_PLUGIN_PATH": nil, "XDG_DATA_HOME": "/nonexistent",
        ].merging(environment) { $1 }
        return try await process.run()
    }

    @Test("glasses talk names the brain and where text goes, lets it answer, and tells who stands in for it")
    func talk() async throws {
        let lab = try ChatEndpointLab { exchange in
            if exchange.number == 0 { try exchange.answer("From the model.") } else { try exchange.begin("500 Oh") }
        }
        defer { lab.stop() }
        let outcome = try await Self.run(
            ["talk", "--device", "null", "--type", "hello", "--type", "hello again", "--json"],
            environment: ["EXTENTOS_BRAIN_URL": lab.endpoint.url.absoluteString, "EXTENTOS_BRAIN_KEY": "sk-talk-77"])
        #expect(outcome.code == 0)
        let events = try outcome.lines.map { try JSONValue(jsonText: $0) }
        func named(_ name: String) -> [JSONValue] { events.filter { $0["event"] == .string(name) } }
        #expect(named("ready").first?["brain"] == "chat")
        #expect(
            named("ready").first?["audioDestination"]?.stringValue?.contains("Text goes to the chat endpoint") == true)
        #expect(named("assistantSpoke").first?["transcript"] == "From the model.")
        #expect(named("assistantSpoke").count == 2)
        let fallback = try #require(named("speechFallback").first { $0["kind"] == "brain" })
        #expect(fallback["from"] == "chat" && fallback["to"] == "rules" && fallback["code"] == "http_500")
        #expect(!(outcome.output + outcome.errors).contains("sk-talk-77"))
    }

    @Test("glasses doctor says whether the endpoint answers", arguments: [true, false])
    func doctor(answers: Bool) async throws {
        let lab = try ChatEndpointLab { exchange in
            if answers { try exchange.answer("Hello.") } else { try exchange.begin("401 No") }
        }
        defer { lab.stop() }
        let outcome = try await Self.run(["doctor", "--json", "--brain", lab.endpoint.url.absoluteString])
        let report = try JSONValue(jsonText: outcome.output)
        let check = try #require(report["checks"]?.arrayValue?.first { $0["check"] == "brain" })
        #expect(check["level"] == (answers ? "ok" : "failed"))
        #expect(check["message"]?.stringValue?.contains(answers ? "answers as m-served" : "refused the key") == true)
        #expect(report["audioDestination"]?.stringValue?.contains("Text goes to") == true)
        if !answers { #expect(outcome.code == 3) }
    }
}
