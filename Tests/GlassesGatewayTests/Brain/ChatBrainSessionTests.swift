import Foundation
import GlassesDomain
import GlassesPipeline
import NetworkLab
import Synchronization
import TestProcess
import Testing

@testable @_spi(ExtentosTools) import GlassesCore
@testable import GlassesGateway

@Suite("Sessions and chats that a chat endpoint answers", .serialized, .timeLimit(.minutes(5)))
struct ChatBrainSessionTests {
    private static let tools: JSONValue = [
        [
            "type": "function", "name": "set_timer", "description": "Set a timer.",
            "parameters": [
                "type": "object", "properties": ["minutes": ["type": "integer", "description": "Length in minutes"]],
                "required": ["minutes"],
            ],
        ]
    ]

    private static func rig(_ endpoint: BrainEndpoint, clock: ClockPort = RealClock.port) throws -> GatewayRig {
        let brain = BrainSelection(.endpoint(endpoint), environment: [:])
            .brain(pictures: nil, clock: clock) { _ in }
        return try GatewayRig { $0.engines.brain = brain }
    }

    private static func session(_ base: String) async throws -> SocketClient {
        let client = try await SocketClient.open(base)
        client.send([
            "type": "session.update",
            "session": [
                "type": "realtime", "output_modalities": ["text"], "tools": Self.tools, "instructions": "Be kind.",
            ],
        ])
        try await client.next("session.updated")
        return client
    }

    private static func text(_ done: JSONValue) -> String? {
        done["response"]?["output"]?.arrayValue?.first?["content"]?.arrayValue?.first?["text"]?.stringValue
    }

    @Test("a tool goes round: the model calls it, hears its result and answers")
    func tools() async throws {
        let lab = try ChatEndpointLab { exchange in
            guard exchange.number == 0 else { return try exchange.answer("Your timer runs.") }
            try exchange.begin()
            for piece in ["{\"min", "utes\":", "5}"] {
                try exchange.send([
                    "choices": [
                        [
                            "delta": [
                                "tool_calls": [
                                    [
                                        "index": 0, "id": "x",
                                        "function": ["name": "set_timer", "arguments": .string(piece)],
                                    ]
                                ]
                            ]
                        ]
                    ]
                ])
            }
            try exchange.end("tool_calls")
        }
        defer { lab.stop() }
        let rig = try Self.rig(lab.endpoint)
        let client = try await Self.session(rig.base)
        client.say("five minutes please")
        let call = try await client.next("response.function_call_arguments.done")
        #expect(call["name"] == "set_timer" && call["arguments"] == "{\"minutes\":5}")
        try await client.next("response.done")
        let id = try #require(call["call_id"])
        client.send([
            "type": "conversation.item.create",
            "item": ["type": "function_call_output", "call_id": id, "output": "set"],
        ])
        client.send(["type": "response.create"])
        #expect(Self.text(try await client.next("response.done")) == "Your timer runs.")
        client.close()
        let second = try #require(lab.arrivals.last?.body)
        #expect(second["tools"]?.arrayValue?.first?["function"]?["parameters"]?["required"] == ["minutes"])
        let messages = try #require(second["messages"]?.arrayValue)
        #expect(messages.map { $0["role"]?.stringValue } == ["system", "user", "assistant", "tool"])
        #expect(messages.last?["tool_call_id"] == id && messages.last?["content"] == "set")
        #expect(messages[2]["tool_calls"]?.arrayValue?.first?["id"] == id)
    }

    @Test("the voice begins while the model still writes; a cancel closes the model's connection")
    func early() async throws {
        let closed = Mutex(false)
        let lab = try ChatEndpointLab { exchange in
            try exchange.begin()
            try exchange.say("One. Two")
            exchange.peer.hang()
            closed.withLock { $0 = true }
        }
        defer { lab.stop() }
        let rig = try Self.rig(lab.endpoint)
        let client = try await SocketClient.open(rig.base)
        client.say("count")
        #expect(try await client.next("response.output_audio_transcript.delta")["delta"] == "One.")
        try await client.next("response.output_audio.delta")
        client.send(["type": "response.cancel"])
        #expect(try await client.next("response.done")["response"]?["status"] == "cancelled")
        try await waitUntil("the close") { closed.withLock { $0 } }
        client.close()
    }

    @Test("an answer that breaks off behind its first word ends as failed; the rules have the next turn")
    func broken() async throws {
        let lab = try ChatEndpointLab { exchange in
            try exchange.begin()
            try exchange.say("One. Two. Th")
        }
        defer { lab.stop() }
        // Its clock stands still, so that the pause after the failure is not over however slow the machine is.
        var clock = RealClock.port
        let start = clock.now()
        clock.now = { start }
        let rig = try Self.rig(lab.endpoint, clock: clock)
        let client = try await Self.session(rig.base)
        client.say("count")
        let done = try await client.next("response.done")
        #expect(done["response"]?["status"] == "failed" && Self.text(done) == "One. Two.")
        client.say("set a timer for five minutes")
        #expect(try await client.next("response.function_call_arguments.done")["arguments"] == "{\"minutes\":5}")
        client.close()
    }

    @Test(
        "the gateway's chat names who answered, passes the count on, and streams as it comes", arguments: [false, true])
    func chat(isStreamed: Bool) async throws {
        let lab = try ChatEndpointLab { exchange in
            try exchange.begin()
            try exchange.say("One. ")
            try exchange.say("Two.")
            try exchange.send(["choices": [], "usage": ["prompt_tokens": 9, "completion_tokens": 2]])
            try exchange.end()
        }
        defer { lab.stop() }
        let rig = try Self.rig(lab.endpoint)
        let body: JSONValue = [
            "model": "gpt-4o-mini", "messages": [["role": "user", "content": "count"]], "stream": .bool(isStreamed),
            "stream_options": ["include_usage": true],
        ]
        let answer = try await PlainRequest.send(rig.http + "/chat/completions", method: "POST", body: body.jsonText)
        let objects: [JSONValue] =
            isStreamed
            ? try answer.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("data: {") }
                .map { try JSONValue(jsonText: String($0.dropFirst(6))) } : [try answer.json()]
        #expect(objects.allSatisfy { $0["model"] == "m-served" && $0["system_fingerprint"] == "extentos-chat" })
        let words = objects.compactMap { object in
            let choice = object["choices"]?.arrayValue?.first
            return (choice?["delta"] ?? choice?["message"])?["content"]?.stringValue
        }
        #expect(words.joined() == "One. Two.")
        #expect(objects.last?["usage"] == ["prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11])
        #expect(!answer.text.contains("sk-endpoint"))
    }

    @Test("a chat that the rules answer in an outage says so, and one that breaks off says that")
    func chatInOutage() async throws {
        let lab = try ChatEndpointLab { exchange in
            guard exchange.number > 0 else { return try exchange.begin("503 Busy") }
            try exchange.begin()
            try exchange.say("One. Two")
        }
        defer { lab.stop() }
        let url = "/chat/completions"
        let body: JSONValue = ["messages": [["role": "user", "content": "hello"]], "stream": true]
        let rig = try Self.rig(lab.endpoint)
        let answer = try await PlainRequest.send(rig.http + url, method: "POST", body: body.jsonText)
        #expect(answer.text.contains("\"model\":\"rules\"") && answer.text.contains("\"extentos-rules-fallback\""))
        #expect(answer.text.hasSuffix("data: [DONE]\n\n"))
        let other = try Self.rig(lab.endpoint)
        let second = try await PlainRequest.send(other.http + url, method: "POST", body: body.jsonText)
        #expect(second.text.contains("\"content\":\"One.\"") && second.text.contains("\"code\":\"connection_lost\""))
        #expect(!second.text.contains("[DONE]"))
    }

    @Test("a chat whose client leaves leaves the model's connection as well")
    func leaving() async throws {
        let closed = Mutex(false)
        let lab = try ChatEndpointLab { exchange in
            try exchange.begin()
            do {
                while true {
                    try exchange.say("One. ")
                    Thread.sleep(forTimeInterval: 0.02)
                }
            } catch {
                closed.withLock { $0 = true }
            }
        }
        defer { lab.stop() }
        let rig = try Self.rig(lab.endpoint)
        let body: JSONValue = ["messages": [["role": "user", "content": "count"]], "stream": true]
        let (url, text) = (rig.http + "/chat/completions", body.jsonText)
        let task = Task { try await PlainRequest.send(url, method: "POST", body: text) }
        try await waitUntil("the request") { lab.arrivals.count == 1 }
        task.cancel()
        try await waitUntil("the close") { closed.withLock { $0 } }
    }

    @Test("a gateway of ours is the chat endpoint of a second pipeline")
    func twoPipelines() async throws {
        let gateway = try GatewayProcess(["--brain", "rules"])
        let base = try await gateway.base().replacingOccurrences(of: "ws://", with: "http://")
        let url = try #require(URL(string: base))
        // With nothing behind it: no other brain can have answered.
        let selection = BrainSelection(.chat(url: url, model: "local"), environment: [:])
        let brain = try #require(selection.chatBrain(clock: RealClock.port))
        let rig = try GatewayRig { $0.engines.brain = brain }
        let client = try await Self.session(rig.base)
        client.say("set a timer for five minutes")
        let call = try await client.next("response.function_call_arguments.done")
        #expect(call["arguments"] == "{\"minutes\":5}")
        try await client.next("response.done")
        let id = try #require(call["call_id"])
        client.send([
            "type": "conversation.item.create",
            "item": ["type": "function_call_output", "call_id": id, "output": "The timer is set."],
        ])
        client.send(["type": "response.create"])
        #expect(Self.text(try await client.next("response.done")) == "The timer is set.")
        client.close()
        gateway.signal(SIGTERM)
        #expect(try await gateway.exitCode() == 0)
    }

    @Test(
        "glasses gateway names its brain and where text goes, and tells of an outage; its key stays out of everything")
    func program() async throws {
        let lab = try ChatEndpointLab(.unix) { exchange in
            if exchange.number == 0 { try exchange.answer("From the model.") } else { try exchange.begin("500 Oh") }
        }
        defer { lab.stop() }
        let gateway = try GatewayProcess(
            ["--brain", lab.endpoint.url.absoluteString, "--brain-model", "tiny"],
            environment: ["EXTENTOS_BRAIN_KEY": "sk-program-9"])
        let base = try await gateway.base()
        let ready = try JSONValue(jsonText: try await gateway.line { $0.contains("\"ready\"") })
        #expect(ready["brain"] == "chat")
        #expect(
            ready["audioDestination"]?.stringValue?.contains("Text goes to the chat endpoint on this machine") == true)
        let client = try await Self.session(base)
        client.say("hello")
        #expect(Self.text(try await client.next("response.done")) == "From the model.")
        #expect(lab.arrivals.first?.body["model"] == "tiny")
        #expect(lab.arrivals.first?.head.contains("Bearer sk-program-9") == true)
        client.say("hello")
        #expect(Self.text(try await client.next("response.done"))?.isEmpty == false)
        try await waitUntil("the notice") { gateway.everything.contains("rules answers instead of chat.") }
        client.close()
        #expect(!gateway.everything.contains("sk-program-9"))
        gateway.signal(SIGTERM)
        #expect(try await gateway.exitCode() == 0)
    }

    @Test("glasses gateway refuses an endpoint that would get the key in clear text, by option and by variable")
    func insecure() async throws {
        for isOption in [true, false] {
            let url = "http://api.example.com/v1"
            var process = TestProcess(
                GatewayProcess.program, ["gateway", "--listen", "127.0.0.1:0"] + (isOption ? ["--brain", url] : []))
            process.environment = [
                "EXTENTOS_BRAIN_KEY": "sk-program-9", "EXTENTOS_BRAIN_URL": isOption ? nil : url,
                "XDG_DATA_HOME": "/nonexistent",
            ]
            let outcome = try await process.run()
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("clear text") && !outcome.errors.contains("sk-program-9"))
        }
    }
}
