import Foundation
import GlassesDomain
import GlassesNet
import GlassesPipeline
import GlassesWebSocket
import Testing

@testable import GlassesGateway

@Suite("Chats served by the pipeline's brain", .timeLimit(.minutes(5)))
struct ChatEndpointTests {
    private static let tools: JSONValue = [
        ["type": "function", "function": ["name": "pay", "description": "Pays.", "parameters": ["type": "object"]]]
    ]

    private func ask(_ rig: GatewayRig, _ body: JSONValue) async throws -> PlainRequest.Answer {
        try await PlainRequest.send(rig.http + "/chat/completions", method: "POST", body: body.jsonText)
    }

    private func user(_ text: String) -> JSONValue { ["role": "user", "content": .string(text)] }

    @Test("a question is answered in the form of the API, under the name of the brain that answers")
    func plain() async throws {
        let rig = try GatewayRig()
        let answer = try await ask(rig, ["model": "gpt-4o-mini", "messages": [user("hello")]])
        #expect(answer.status == 200)
        let json = try answer.json()
        #expect(json["object"] == "chat.completion")
        #expect(json["model"] == "fake")
        #expect(json["system_fingerprint"] == "extentos-fake")
        #expect(json["id"]?.stringValue?.hasPrefix("chatcmpl-") == true)
        let choice = try #require(json["choices"]?.arrayValue?.first)
        #expect(choice["message"]?["content"] == "You said hello.")
        #expect(choice["finish_reason"] == "stop")
        #expect(choice["message"]?["tool_calls"] == nil)
    }

    @Test("a call comes with its id, and its result is answered")
    func call() async throws {
        let rig = try GatewayRig()
        let asked = try await ask(rig, ["model": "m", "messages": [user("call")], "tools": Self.tools]).json()
        let choice = try #require(asked["choices"]?.arrayValue?.first)
        #expect(choice["finish_reason"] == "tool_calls")
        #expect(choice["message"]?["content"] == .null)
        let call = try #require(choice["message"]?["tool_calls"]?.arrayValue?.first)
        #expect(call["type"] == "function")
        #expect(call["function"] == ["name": "pay", "arguments": #"{"x":1}"#])
        let id = try #require(call["id"])
        let message = try #require(choice["message"])
        let result: JSONValue = ["role": "tool", "tool_call_id": id, "content": "paid"]
        let told = try await ask(
            rig, ["model": "m", "messages": [user("call"), message, result], "tools": Self.tools]
        ).json()
        #expect(told["choices"]?.arrayValue?.first?["message"]?["content"] == "pay gave paid.")
    }

    @Test("a streamed answer comes in events whose pieces make the whole, and ends with its usage when that is wanted")
    func streamed() async throws {
        let rig = try GatewayRig()
        let answer = try await ask(
            rig,
            [
                "model": "m", "messages": [user("one. Two")], "stream": true,
                "stream_options": ["include_usage": true],
            ])
        #expect(answer.fields.values("content-type") == ["text/event-stream"])
        let lines = answer.text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        #expect(lines.last == "data: [DONE]")
        let events = try lines.dropLast().map { try JSONValue(jsonText: String($0.dropFirst(6))) }
        #expect(events.allSatisfy { $0["object"] == "chat.completion.chunk" })
        #expect(Set(events.compactMap { $0["id"]?.stringValue }).count == 1)
        let deltas = events.compactMap { $0["choices"]?.arrayValue?.first?["delta"] }
        #expect(deltas.first?["role"] == "assistant")
        #expect(deltas.compactMap { $0["content"]?.stringValue } == ["", "You said one. ", "Two."])
        #expect(events.dropLast().last?["choices"]?.arrayValue?.first?["finish_reason"] == "stop")
        #expect(events.last?["choices"] == [] && events.last?["usage"]?["total_tokens"] == 0)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String { body }
        var body: String
        var code: String
        var param: String?
        init(_ body: String, _ code: String, _ param: String?) {
            (self.body, self.code, self.param) = (body, code, param)
        }
    }

    static let faults = [
        Fault("no json", "invalid_json", nil), Fault("[]", "invalid_json", nil),
        Fault("{}", "invalid_value", "messages"), Fault(#"{"messages":[]}"#, "invalid_value", "messages"),
        Fault(#"{"messages":"hi"}"#, "invalid_type", "messages"),
        Fault(#"{"messages":[5]}"#, "invalid_type", "messages[0]"),
        Fault(#"{"messages":[{"role":"king","content":"x"}]}"#, "invalid_value", "messages[0].role"),
        Fault(#"{"messages":[{"role":"user"}]}"#, "invalid_type", "messages[0].content"),
        Fault(#"{"messages":[{"role":"assistant"}]}"#, "missing_required_parameter", "messages[0].content"),
        Fault(
            #"{"messages":[{"role":"tool","tool_call_id":"c1","content":"x"}]}"#, "invalid_value",
            "messages[0].tool_call_id"),
        Fault(
            #"{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}}]}]}"#,
            "invalid_value", "messages[0].content[0].image_url"),
        Fault(#"{"messages":[{"role":"user","content":"x"}],"n":2}"#, "invalid_value", "n"),
        Fault(#"{"messages":[{"role":"user","content":"x"}],"stream":"yes"}"#, "invalid_type", "stream"),
        Fault(
            #"{"messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_object"}}"#,
            "unsupported_response_format", "response_format"),
        Fault(#"{"messages":[{"role":"user","content":"x"}],"tools":[{"type":"x"}]}"#, "invalid_value", "tools[0]"),
        Fault(
            #"{"messages":[{"role":"user","content":"x"}],"tool_choice":{"function":{"name":"x"}}}"#, "invalid_value",
            "tool_choice"),
    ]

    @Test("what cannot be meant is refused with the field's name", arguments: faults)
    func refused(_ fault: Fault) async throws {
        let rig = try GatewayRig()
        let answer = try await PlainRequest.send(rig.http + "/chat/completions", method: "POST", body: fault.body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == fault.code)
        #expect(try answer.json()["error"]?["param"] == fault.param.map(JSONValue.string) ?? .null)
    }

    @Test("a token is needed, a client secret is none, and a token's sessions bound its chats")
    func access() async throws {
        let rig = try GatewayRig {
            $0.tokens = try GatewayTokens(variable: "test-token")
            $0.maximumSessionsPerToken = 1
        }
        let url = rig.http + "/chat/completions"
        let body: JSONValue = ["messages": [user("hello")]]
        #expect(try await PlainRequest.send(url, method: "POST", body: body.jsonText).status == 401)
        let headers = ["Authorization": "Bearer test-token"]
        #expect(try await PlainRequest.send(url, method: "POST", headers: headers, body: body.jsonText).status == 200)
        let client = try await SocketClient.open(rig.base, headers: headers)
        _ = try await client.event()
        let full = try await PlainRequest.send(url, method: "POST", headers: headers, body: body.jsonText)
        #expect(full.status == 429)
        #expect(try full.errorCode() == "session_limit_reached")
        client.close()
    }

    @Test("a client that leaves cancels the brain that works for it")
    func leaving() async throws {
        let rig = try GatewayRig {
            $0.maximumSessions = 1
            $0.engines.brain = FakeBrain()
        }
        let url = try #require(URL(string: rig.http + "/chat/completions"))
        let body: JSONValue = ["messages": [user("think")]]
        let request = HTTPRequest("POST", url, body: .bytes(Array(body.jsonText.utf8)))
        // Again until it has the place: one of the questions below may be quicker.
        let asking = Task {
            while try await HTTPClient(settings: NetworkSettings(proxy: .none)).send(request).status == 503 {}
        }
        // The brain thinks for ten minutes; the only place is taken meanwhile.
        try await Self.eventually { try await ask(rig, ["messages": [user("hello")]]).status == 503 }
        asking.cancel()
        try await Self.eventually { try await ask(rig, ["messages": [user("hello")]]).status == 200 }
    }

    static func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !condition() {
            guard ContinuousClock.now < deadline else { throw SocketClient.Missing(description: "it never came") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

@Suite("A question of the rules brain across chat requests")
struct ChatRulesTests {
    private static let timer: JSONValue = [
        [
            "type": "function",
            "function": [
                "name": "set_timer", "description": "Sets a timer.",
                "parameters": [
                    "type": "object",
                    "properties": ["minutes": ["type": "integer", "description": "How many minutes"]],
                    "required": ["minutes"],
                ],
            ],
        ]
    ]

    @Test("an answer to it completes the call, although each request is a conversation of its own")
    func question() async throws {
        let rig = try GatewayRig { $0.engines.brain = RulesPipelineBrain() }
        func ask(_ messages: JSONValue) async throws -> JSONValue {
            let body: JSONValue = ["messages": messages, "tools": Self.timer]
            let answer = try await PlainRequest.send(
                rig.http + "/chat/completions", method: "POST", body: body.jsonText)
            return try #require(try answer.json()["choices"]?.arrayValue?.first?["message"])
        }
        let asked: JSONValue = ["role": "user", "content": "set a timer"]
        let question = try await ask([asked])
        #expect(question["content"]?.stringValue?.hasSuffix("?") == true, "\(question)")
        let said: JSONValue = ["role": "user", "content": "five"]
        let called = try await ask([asked, question, said])
        #expect(
            called["tool_calls"]?.arrayValue?.first?["function"]
                == ["name": "set_timer", "arguments": #"{"minutes":5}"#], "\(called)")
    }
}
