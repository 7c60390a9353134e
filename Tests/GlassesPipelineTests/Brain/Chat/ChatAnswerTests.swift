import GlassesDomain
import Testing

@testable import GlassesPipeline

@Suite("The chunks of a chat endpoint's answer")
struct ChatAnswerTests {
    /// Lives through an answer; gives what was passed on and what the end brought.
    private static func read(
        _ chunks: [String], limits: ChatBrainLimits = ChatBrainLimits()
    ) throws -> (pieces: [String], reply: BrainReply, model: String?) {
        var answer = ChatAnswer(limits: limits)
        var pieces: [String] = []
        for chunk in chunks where !answer.isDone {
            if let piece = try answer.take(event: Array(chunk.utf8)) { pieces.append(piece) }
        }
        return (pieces, try answer.finish(hasSpoken: !pieces.isEmpty), answer.model)
    }

    private static func words(_ text: String) -> String {
        let content = JSONValue.string(text).jsonText
        return #"{"model":"m-1","choices":[{"index":0,"delta":{"content":\#(content)},"finish_reason":null}]}"#
    }

    private static func end(_ reason: String = "stop") -> String {
        #"{"choices":[{"index":0,"delta":{},"finish_reason":"\#(reason)"}]}"#
    }

    private static func fragment(
        _ index: Int?, id: String? = nil, name: String? = nil, _ arguments: String = ""
    ) -> String {
        var function: [String: JSONValue] = ["arguments": .string(arguments)]
        if let name { function["name"] = .string(name) }
        var call: [String: JSONValue] = ["function": .object(function)]
        if let index { call["index"] = .int(Int64(index)) }
        if let id { call["id"] = .string(id) }
        return JSONValue.object(["choices": [["delta": ["tool_calls": [.object(call)]]]]]).jsonText
    }

    @Test("sentences are passed on once the next one begins, and together they are the text")
    func sentences() throws {
        let text = "It is 3.5 degrees. Take a coat! Ready?"
        let chunks = text.map { Self.words(String($0)) } + [Self.end(), "[DONE]", "not read"]
        let (pieces, reply, model) = try Self.read(chunks)
        #expect(pieces == ["It is 3.5 degrees.", " Take a coat!"])
        #expect(reply.speech == " Ready?")
        #expect(reply.ending == .complete && model == "m-1")
    }

    @Test("thoughts are left out wherever the marks are cut")
    func thoughts() throws {
        let text = "<think>Let me <b>see</b>. 1 < 2.</think>\n\nIt is < two. <think>no</think>Yes."
        for size in 1...text.count {
            var rest = text[...]
            var chunks: [String] = []
            while !rest.isEmpty {
                chunks.append(Self.words(String(rest.prefix(size))))
                rest = rest.dropFirst(size)
            }
            let (pieces, reply, _) = try Self.read(chunks + ["[DONE]"])
            #expect(pieces.joined() + (reply.speech ?? "") == "It is < two. Yes.", "cut every \(size)")
        }
        #expect(throws: BrainError.self) { try Self.read([Self.words("<think>for ever"), "[DONE]"]) }
        #expect(try Self.read([Self.words("a <thi"), "[DONE]"]).reply.speech == "a <thi")
    }

    @Test("fragments of several calls are put together by their index")
    func interleaved() throws {
        let chunks = [
            Self.words("Both. "), Self.fragment(0, id: "a", name: "first", "{\"x\""),
            Self.fragment(1, id: "b", name: "second"),
            Self.fragment(1, "{\"y\":"), Self.fragment(0, ":1}"), Self.fragment(1, "2}"), Self.end("tool_calls"),
        ]
        let reply = try Self.read(chunks).reply
        #expect(reply.speech == "Both. ")
        #expect(
            reply.calls == [
                BrainFunctionCall(name: "first", arguments: #"{"x":1}"#),
                BrainFunctionCall(name: "second", arguments: #"{"y":2}"#),
            ])
    }

    @Test("calls of servers that number everything alike or nothing are told apart by id; names may be repeated")
    func careless() throws {
        for index in [0, nil] {
            let chunks = [
                Self.fragment(index, id: "a", name: "one", "{}"), Self.fragment(index, id: "b", name: "two", "{\"z\":"),
                Self.fragment(index, id: "b", name: "two", "3}"), "[DONE]",
            ]
            #expect(try Self.read(chunks).reply.calls.map(\.name) == ["one", "two"])
        }
        let bare =
            #"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"n","arguments":{"a":1}}}]},"finish_reason":"stop"}]}"#
        #expect(try Self.read([bare]).reply.calls == [BrainFunctionCall(name: "n", arguments: #"{"a":1}"#)])
        #expect(try Self.read([Self.fragment(0, id: "a", name: "n"), "[DONE]"]).reply.calls.first?.arguments == "{}")
    }

    @Test("the count comes in a chunk without a choice")
    func usage() throws {
        let count = #"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}"#
        let reply = try Self.read([Self.words("Yes."), Self.end(), count, "[DONE]"]).reply
        #expect(reply.usage == BrainUsage(inputTokens: 7, outputTokens: 3))
    }

    @Test("an answer that was cut by its length or by a filter says so, and its half calls are not carried out")
    func cut() throws {
        #expect(try Self.read([Self.words("Well"), Self.end("length")]).reply.ending == .tooLong)
        #expect(try Self.read([Self.words("Well"), Self.end("content_filter")]).reply.ending == .withheld)
        let half = [Self.words("So: "), Self.fragment(0, id: "a", name: "pay", "{\"sum\": 1"), Self.end("length")]
        #expect(try Self.read(half).reply.calls.isEmpty)
    }

    @Test(
        "what is no answer is refused, and not a word of it is quoted",
        arguments: [
            ["secret"], ["[]"], ["5"], [], [#"{"error":{"message":"secret","code":"secret sentence"}}"#],
            [end()], ["[DONE]"], [words("  \n"), "[DONE]"], [words("half secret")],
            [fragment(0, id: "a", name: "pay", "secret"), "[DONE]"],
            [fragment(0, id: "a", name: "pay", "[1]"), "[DONE]"],
            [fragment(0, id: "a", "{}"), "[DONE]"],
        ])
    func rubbish(_ chunks: [String]) {
        let error = #expect(throws: BrainError.self) { try Self.read(chunks) }
        #expect(error?.message.contains("secret") == false && error?.code.contains("secret") == false)
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test("an error in the stream keeps its code when it is one")
    func reported() {
        let error = #expect(throws: BrainError.self) {
            try Self.read([#"{"error":{"type":"server_error","code":null}}"#])
        }
        #expect(error?.code == "server_error")
    }

    @Test("length, calls and arguments are bounded")
    func bounds() throws {
        var limits = ChatBrainLimits()
        (limits.answerCharacters, limits.calls, limits.argumentBytes) = (20, 2, 10)
        let long = try Self.read([Self.words("Twelve chars"), Self.words(" and more than that."), "x"], limits: limits)
        #expect(long.reply.speech == "Twelve chars and mor" && long.reply.ending == .tooLong)
        let many = (0..<3).map { (index: Int) in Self.fragment(index, id: "c\(index)", name: "n", "{}") }
        #expect(throws: BrainError.self) { try Self.read(many, limits: limits) }
        let fat = [Self.fragment(0, id: "a", name: "n", "{\"a\":\"1234567\"}"), "[DONE]"]
        #expect(throws: BrainError.self) { try Self.read(fat, limits: limits) }
    }
}
