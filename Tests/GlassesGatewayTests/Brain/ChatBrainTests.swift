import Foundation
import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import NetworkLab
import Synchronization
import Testing

@testable @_spi(ExtentosTools) import GlassesCore

@Suite("A brain behind a chat endpoint, over real sockets", .timeLimit(.minutes(5)))
struct ChatBrainTests {
    /// What a brain did with one request.
    private struct Outcome: Sendable {
        var pieces: [String]
        var result: Result<BrainReply, BrainError>
        var error: BrainError? { if case .failure(let error) = result { error } else { nil } }
        var reply: BrainReply? { if case .success(let reply) = result { reply } else { nil } }
        var text: String { pieces.joined() + (reply?.speech ?? "") }
    }

    private final class Collector: Sendable {
        let pieces = Mutex<[String]>([])
        let notices = Mutex<[PipelineNotice]>([])
    }

    private static func request(_ text: String = "hello", tools: [FunctionTool] = []) -> BrainRequest {
        BrainRequest(
            occasion: .turn, instructions: "Be brief.", context: [.user(text)], pending: [.user(text)], tools: tools)
    }

    private static func ask(
        _ brain: any PipelineBrain, _ request: BrainRequest = request(), _ collector: Collector = Collector()
    ) async -> Outcome {
        let result: Result<BrainReply, BrainError>
        do throws(BrainError) {
            result = .success(
                try await brain.makeSession().reply(to: request) { piece in
                    collector.pieces.withLock { $0.append(piece.speech) }
                })
        } catch {
            result = .failure(error)
        }
        return Outcome(pieces: collector.pieces.withLock { $0 }, result: result)
    }

    /// The endpoint alone. The clock is the machine's: bounds of the brain are what some tests are about.
    private static func chat(_ lab: ChatEndpointLab, _ limits: ChatBrainLimits = ChatBrainLimits()) throws -> ChatBrain
    {
        let address = try BrainAddress(lab.endpoint.url, key: lab.endpoint.key)
        return ChatBrain(
            transport: .live(lab.endpoint, at: address), model: lab.endpoint.model, clock: .live, limits: limits)
    }

    /// The endpoint as apps get it, with the rules behind it.
    private static func chosen(_ endpoint: BrainEndpoint, _ collector: Collector) -> any PipelineBrain {
        BrainSelection(.endpoint(endpoint), environment: [:]).brain(pictures: nil, clock: .live) { notice in
            collector.notices.withLock { $0.append(notice) }
        }
    }

    @Test(
        "an answer comes sentence by sentence over TCP, TLS and a Unix socket", arguments: ChatEndpointLab.Kind.allCases
    )
    func transports(_ kind: ChatEndpointLab.Kind) async throws {
        let certificates = kind == .tls ? try await CertificateLab.shared() : nil
        let lab = try ChatEndpointLab(kind, certificates: certificates) { exchange in
            try exchange.begin()
            for word in ["<think>Hm.</think>", "It is ", "noon. ", "Have ", "lunch!"] { try exchange.say(word) }
            try exchange.send(["choices": [], "usage": ["prompt_tokens": 11, "completion_tokens": 4]])
            try exchange.end()
        }
        defer { lab.stop() }
        let tool = FunctionTool(name: "f", description: "Does.", parameters: ["type": "object"])
        let outcome = await Self.ask(try Self.chat(lab), Self.request(tools: [tool]))
        #expect(outcome.pieces == ["It is noon."] && outcome.text == "It is noon. Have lunch!")
        #expect(outcome.reply?.source == BrainSource(name: "chat", model: "m-served"))
        #expect(outcome.reply?.usage == BrainUsage(inputTokens: 11, outputTokens: 4))
        let arrival = try #require(lab.arrivals.first)
        #expect(arrival.head.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
        #expect(arrival.head.contains("\r\nAuthorization: Bearer sk-endpoint-1\r\n"))
        #expect(arrival.body["model"] == "m" && arrival.body["stream"] == true)
        #expect(
            arrival.body["messages"] == [
                ["role": "system", "content": "Be brief."], ["role": "user", "content": "hello"],
            ])
        #expect(arrival.body["tools"]?.arrayValue?.first?["function"]?["name"] == "f")
    }

    @Test("an answer that is cut at every byte is the same answer", arguments: ["\n", "\r\n"])
    func cut(_ end: String) async throws {
        let lab = try ChatEndpointLab { exchange in
            var calls: [JSONValue] = [
                ["index": 0, "id": "a", "function": ["name": "first", "arguments": "{\"x\""]],
                ["index": 1, "id": "b", "function": ["name": "second", "arguments": ""]],
            ]
            calls += [
                ["index": 1, "function": ["arguments": "{}"]], ["index": 0, "function": ["arguments": ":\"ü\"}"]],
            ]
            let chunks =
                [ChatEndpointLab.words("Grüß "), ChatEndpointLab.words("dich.")]
                + calls.map { ["choices": [["delta": ["tool_calls": [$0]]]]] }
                + [["choices": [["delta": [:], "finish_reason": "tool_calls"]]]]
            let text =
                chunks.map { "data: \($0.jsonText)\(end): keep alive\(end)\(end)" }.joined()
                + "data: [DONE]\(end)\(end)"
            try exchange.begin()
            try exchange.peer.send(Array(text.utf8), inPiecesOf: 1)
        }
        defer { lab.stop() }
        let outcome = await Self.ask(try Self.chat(lab))
        #expect(outcome.text == "Grüß dich.")
        #expect(
            outcome.reply?.calls == [
                BrainFunctionCall(name: "first", arguments: "{\"x\":\"ü\"}"),
                BrainFunctionCall(name: "second", arguments: "{}"),
            ])
    }

    @Test("a server that does not stream is understood as well")
    func whole() async throws {
        let lab = try ChatEndpointLab(model: nil, key: nil) { exchange in
            try exchange.begin("200 OK", ["Content-Type: application/json; charset=utf-8"])
            try exchange.peer.send(
                #"{"model":"whole","choices":[{"message":{"role":"assistant","content":"One. Two."},"finish_reason":"stop"}]}"#
            )
        }
        defer { lab.stop() }
        let outcome = await Self.ask(try Self.chat(lab))
        #expect(outcome.text == "One. Two." && outcome.reply?.source?.model == "whole")
        let arrival = try #require(lab.arrivals.first)
        #expect(arrival.body["model"] == nil && !arrival.head.contains("Authorization"))
    }

    /// A way to give no answer.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let script: @Sendable (ChatEndpointLab.Exchange) throws -> Void
    }

    static let faults = [
        Fault(testDescription: "401", code: "http_401") { try $0.begin("401 Unauthorized") },
        Fault(testDescription: "429", code: "http_429") { try $0.begin("429 Too Many Requests", ["Retry-After: 7"]) },
        Fault(testDescription: "500", code: "http_500") { try $0.begin("500 Oh", ["Content-Type: text/event-stream"]) },
        Fault(testDescription: "a redirect", code: "http_302") { try $0.begin("302 Found", ["Location: /secret"]) },
        Fault(testDescription: "a page", code: "invalid_answer") {
            try $0.begin("200 OK", ["Content-Type: text/html"])
            try $0.peer.send("<html>secret</html>")
        },
        Fault(testDescription: "noise", code: "invalid_answer") {
            try $0.begin()
            try $0.peer.send("data: secret\n\n")
        },
        Fault(testDescription: "no HTTP", code: "malformed_response") { try $0.peer.send("secret\r\n\r\n") },
        Fault(testDescription: "a closed connection", code: "connection_lost") { _ in },
        Fault(testDescription: "a reset", code: "connection_lost") { $0.peer.reset() },
        Fault(testDescription: "half an answer before its first sentence", code: "connection_lost") {
            try $0.begin()
            try $0.say("secret")
        },
        Fault(testDescription: "an error as an event", code: "overloaded_error") {
            try $0.begin()
            try $0.send(["error": ["message": "secret", "type": "overloaded_error"]])
        },
        Fault(testDescription: "an endless line", code: "invalid_answer") {
            try $0.begin()
            try $0.peer.send("data: " + String(repeating: "secret", count: 100_000))
        },
    ]

    @Test("without a first word the rules answer by name and say why once, without quoting anything", arguments: faults)
    func fallback(_ fault: Fault) async throws {
        let lab = try ChatEndpointLab { try fault.script($0) }
        defer { lab.stop() }
        let collector = Collector()
        let brain = Self.chosen(lab.endpoint, collector)
        for _ in 0..<2 {
            let outcome = await Self.ask(brain, Self.request(), collector)
            #expect(outcome.reply?.source == BrainSource(name: "rules", model: "rules", isFallback: true))
            #expect(outcome.reply?.speech?.isEmpty == false && outcome.pieces.isEmpty)
        }
        let notices = collector.notices.withLock { $0 }
        #expect(notices.count == 1)
        guard case .brainReplaced("rules", "chat", let reason?)? = notices.first else {
            Issue.record("no reason: \(notices)")
            return
        }
        #expect(reason.code == fault.code)
        #expect(!reason.message.contains("secret") && !reason.message.contains("sk-endpoint"))
    }

    @Test("where nobody listens, and where there is no socket, the rules answer")
    func nobody() async throws {
        let port = try #require(LoopbackListener()).port
        for text in ["http://127.0.0.1:\(port)", "unix:/nonexistent/chat.sock"] {
            let collector = Collector()
            let url = try #require(URL(string: text))
            let outcome = await Self.ask(Self.chosen(BrainEndpoint(url: url), collector))
            #expect(outcome.reply?.source?.name == "rules")
            guard case .brainReplaced(_, _, let reason?)? = collector.notices.withLock({ $0.first }) else {
                Issue.record("no reason")
                return
            }
            #expect(reason.code == "connection_refused")
        }
    }

    @Test("a certificate that is not trusted sends no text")
    func distrust() async throws {
        let certificates = try await CertificateLab.shared()
        let lab = try ChatEndpointLab(.tls, certificates: certificates) { try $0.answer("No.") }
        defer { lab.stop() }
        var endpoint = lab.endpoint
        endpoint.authorities = certificates.otherAuthority
        let outcome = await Self.ask(Self.chosen(endpoint, Collector()))
        #expect(outcome.reply?.source?.name == "rules" && lab.arrivals.isEmpty)
    }

    @Test(
        "silence ends in its bounds: before the head, before the first byte, between two words, and as comments for ever",
        arguments: 0..<4)
    func silence(_ place: Int) async throws {
        let lab = try ChatEndpointLab { exchange in
            if place > 0 { try exchange.begin() }
            if place == 2 { try exchange.say("One. Two") }
            while place == 3 {
                try exchange.peer.send(": still here\n\n")
                Thread.sleep(forTimeInterval: 0.05)
            }
            exchange.peer.hang()
        }
        defer { lab.stop() }
        var limits = ChatBrainLimits()
        (limits.firstByte, limits.silence, limits.whole) = (
            .milliseconds(400), .milliseconds(400), .milliseconds(1_500)
        )
        let start = ContinuousClock.now
        let outcome = await Self.ask(try Self.chat(lab, limits))
        #expect(outcome.error?.code == "timeout")
        #expect(outcome.pieces == (place == 2 ? ["One."] : []))
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test("half an answer that was heard is an error, and is not made anew by the rules")
    func half() async throws {
        let lab = try ChatEndpointLab { exchange in
            try exchange.begin()
            try exchange.say("One. Two. Th")
        }
        defer { lab.stop() }
        let collector = Collector()
        let outcome = await Self.ask(Self.chosen(lab.endpoint, collector), Self.request(), collector)
        #expect(outcome.pieces == ["One. Two."] && outcome.error?.code == "connection_lost")
        #expect(collector.notices.withLock { $0.isEmpty })
    }

    @Test("cancelling closes the connection at once, before and behind the first word", arguments: [false, true])
    func cancelled(hasBegun: Bool) async throws {
        let closed = Collector()
        let lab = try ChatEndpointLab { exchange in
            if hasBegun {
                try exchange.begin()
                try exchange.say("One. Two")
            }
            exchange.peer.hang()
            closed.pieces.withLock { $0.append("closed") }
        }
        defer { lab.stop() }
        let (collector, brain) = (Collector(), Self.chosen(lab.endpoint, Collector()))
        let task = Task { await Self.ask(brain, Self.request(), collector) }
        try await waitUntil("the request") { lab.arrivals.count == 1 }
        if hasBegun { try await waitUntil("a piece") { collector.pieces.withLock { $0.count } == 1 } }
        task.cancel()
        try await waitUntil("the close") { closed.pieces.withLock { $0.count } == 1 }
        #expect(await task.value.error != nil, "nobody falls back for a listener who has left")
    }
}
