import GlassesAssistant
import GlassesDomain
import Testing

/// Field bugs A22–A29: every call runs once and ends once.
@Suite struct ToolsA22ToA29Tests {
    static let timer: JSONValue = [
        "type": "object", "properties": ["minutes": ["type": "integer"]], "required": ["minutes"],
    ]

    private func session(_ tools: [ToolFacts]) -> SessionHarness {
        var session = SessionHarness { $0.tools = tools }
        session.wakeUp()
        session.beginAnswer("r1")
        return session
    }

    private func done(_ session: inout SessionHarness, _ responseID: String = "r1") -> [SessionAction] {
        session.server(.answerDone(responseID: responseID, status: .completed))
    }

    @Test func a22AResultIsRecordedAlthoughTheUserSpeaks() {
        var session = session([ToolFacts(name: "place_order", schema: [:])])
        session.call("c1", "place_order", "{}", in: "r1")
        _ = done(&session)
        session.advance(.milliseconds(200))
        session.server(.speechStarted(itemID: "u2"))
        session.advance(.milliseconds(200))
        let result = session.feed(.toolReturned(callID: "c1", output: "ordered", isError: false))
        #expect(result.outputs.map(\.output) == ["ordered"])
        #expect(result.requests.isEmpty)
        #expect(session.log.tools == [.run(callID: "c1", name: "place_order", arguments: [:])])
        #expect(
            session.machine.turns.suffix(2) == [
                .toolInvocation(name: "place_order", callId: "c1", argsJson: "{}", timestampMs: 1000),
                .toolReturn(callId: "c1", output: "ordered", timestampMs: 1400),
            ])
    }

    @Test func a23ThrowingHangingAndTwiceReturningBodiesEndOnceEach() {
        var session = session([
            ToolFacts(name: "throws", schema: [:]), ToolFacts(name: "hangs", schema: [:], timeout: .seconds(5)),
            ToolFacts(name: "twice", schema: [:]),
        ])
        for (call, tool) in [("c1", "throws"), ("c2", "hangs"), ("c3", "twice")] {
            session.call(call, tool, "", in: "r1")
        }
        _ = done(&session)
        session.feed(.toolThrew(callID: "c1", message: "no milk"))
        session.feed(.toolReturned(callID: "c3", output: "first", isError: false))
        session.feed(.toolReturned(callID: "c3", output: "second", isError: false))
        let timeout = session.advance(.seconds(5))
        #expect(timeout.tools == [.cancel(callID: "c2")])
        #expect(timeout.requests.count == 1)
        #expect(
            session.log.outputs.map(\.output) == [
                #"{"error":"Tool body threw: no milk"}"#, "first",
                #"{"error":"hangs timed out after 5 s and was cancelled."}"#,
            ])
        #expect(session.log.results.map(\.isError) == [true, false, true])
    }

    @Test func a24ATimedOutBodyIsCancelledNamedOnceAndItsLateResultDropped() {
        var session = session([ToolFacts(name: "slow", schema: [:], timeout: .seconds(2))])
        session.call("c1", "slow", "{}", in: "r1")
        _ = done(&session)
        #expect(session.advance(.seconds(2)).tools == [.cancel(callID: "c1")])
        let overdue = session.advance(.seconds(2))
        #expect(overdue.diagnostics == [.toolStillRuns(callID: "c1", name: "slow")])
        #expect(session.machine.overdueToolBodies == 1)
        #expect(session.advance(.seconds(10)).diagnostics.isEmpty)
        let late = session.feed(.toolReturned(callID: "c1", output: "late", isError: false))
        #expect(late == [.diagnose(.lateToolResult(callID: "c1", name: "slow"))])
        #expect(session.log.outputs.count == 1)
        #expect(session.machine.overdueToolBodies == 0)
    }

    @Test func a25UnknownToolsAndBadArgumentsAreAnsweredAndTheSessionLives() {
        var session = session([
            ToolFacts(name: "get_time", schema: [:]), ToolFacts(name: "set_timer", schema: Self.timer),
        ])
        session.call("c1", "get_wether", "{}", in: "r1")
        session.call("c2", "get_time", "", in: "r1")
        session.call("c3", "set_timer", #"{"minutes":"five"}"#, in: "r1")
        session.call("c4", "set_timer", #"{"minutes":5"#, in: "r1")
        session.feed(.toolReturned(callID: "c2", output: "noon", isError: false))
        #expect(session.log.tools == [.run(callID: "c2", name: "get_time", arguments: [:])])
        #expect(
            session.log.results.map(\.output) == [
                #"There is no tool "get_wether". Available tools: get_time, set_timer."#,
                #"set_timer was not run: "minutes" must be an integer, not a string."#
                    + " Correct the arguments and call it again.",
                "set_timer was not run: the arguments are not valid JSON at byte 12: expected ',' or '}'."
                    + " Correct the arguments and call it again.",
                "noon",
            ])
        #expect(session.log.results.map(\.isError) == [true, true, true, false])
        #expect(done(&session).requests.count == 1)
        #expect(session.machine.state == .active)
    }

    @Test func a26TheSameCallInTwoFormsRunsOnceAndAnotherIdRunsAgain() {
        var session = session([ToolFacts(name: "add", schema: [:])])
        session.call("c1", "add", #"{"item":"milk"}"#, in: "r1")
        session.call("c1", "add", #"{"item":"milk"}"#, in: "r1")
        session.call("c2", "add", #"{"item":"milk"}"#, in: "r1")
        #expect(
            session.log.tools == ["c1", "c2"].map { .run(callID: $0, name: "add", arguments: ["item": "milk"]) })
        #expect(session.log.diagnostics == [.repeatedCall(callID: "c1")])
        session.feed(.toolReturned(callID: "c1", output: "ok", isError: false))
        session.feed(.toolReturned(callID: "c2", output: "ok", isError: false))
        _ = done(&session)
        session.grantRequest("r2")
        session.call("c1", "add", #"{"item":"milk"}"#, in: "r2")
        #expect(session.log.tools.count == 2)
    }

    @Test func a27OneBadSchemaIsMendedOrLeftOutAloneByName() {
        let rows: JSONValue = [
            "type": "object",
            "properties": [
                "rows": ["type": "array", "items": ["type": "array", "items": ["type": "object", "enum": nil]]]
            ],
        ]
        let checked = ToolSchemaCheck.check([
            .init(name: "tag", schema: ["type": "object", "properties": ["tags": ["type": "array"]]]),
            .init(name: "table", schema: rows),
            .init(
                name: "remind",
                schema: ["type": "object", "properties": ["text": ["type": "string"]], "required": nil]),
            .init(name: "good", schema: Self.timer),
            .init(name: "list", schema: ["type": "array"]),
        ])
        #expect(checked.accepted.map(\.name) == ["tag", "table", "remind", "good"])
        #expect(checked.accepted.first?.schema["properties"]?["tags"] == ["type": "array", "items": [:]])
        #expect(checked.accepted.last?.schema == Self.timer)
        #expect(checked.problems.map(\.toolName) == ["tag", "table", "remind", "list"])
        #expect(checked.problems.map(\.isRejected) == [false, false, false, true])
    }

    @Test func a28FourCallsOfOneAnswerAreFollowedByOneRequestAfterTheLast() {
        var session = session(["a", "b", "c", "d"].map { ToolFacts(name: $0, schema: [:]) })
        for name in ["a", "b", "c", "d"] { session.call("call_\(name)", name, "{}", in: "r1") }
        #expect(done(&session).requests.isEmpty)
        var requestedAt: [Int64] = []
        for (wait, name) in [(10, "c"), (40, "a"), (150, "d"), (200, "b")] {
            session.advance(.milliseconds(wait))
            let ended =
                name == "d"
                ? session.feed(.toolThrew(callID: "call_d", message: "broken"))
                : session.feed(.toolReturned(callID: "call_\(name)", output: name, isError: false))
            #expect(ended.outputs.map(\.callID) == ["call_\(name)"])
            if !ended.requests.isEmpty { requestedAt.append(session.now.nanoseconds / 1_000_000 - 1000) }
        }
        #expect(requestedAt == [400])
    }

    @Test func a28TheFollowUpWaitsForTheEndOfTheAnswerThatCalled() {
        var session = session([ToolFacts(name: "a", schema: [:])])
        session.call("c1", "a", "{}", in: "r1")
        #expect(session.feed(.toolReturned(callID: "c1", output: "1", isError: false)).requests.isEmpty)
        #expect(done(&session).requests.count == 1)
    }

    @Test func a29AGiganticOutputIsCutOnACharacterBeforeItEntersTheHistory() {
        var session = session([ToolFacts(name: "dump", schema: [:])])
        session.call("c1", "dump", "{}", in: "r1")
        let huge = String(repeating: "a👩‍🚀é", count: 250_000)
        let ended = session.feed(.toolReturned(callID: "c1", output: huge, isError: false))
        guard let output = ended.outputs.first?.output else {
            Issue.record("no output was sent")
            return
        }
        #expect(output.utf8.count <= 65_536 && output.utf8.count > 65_000)
        #expect(output.hasSuffix("\n[cut: the output was longer than 64 KiB]"))
        let kept = output.dropLast("\n[cut: the output was longer than 64 KiB]".count)
        #expect(huge.hasPrefix(kept))
        session.feed(.connectionClosed(session.connection, ConnectionClosure(code: "dropped", message: "dropped")))
        session.advance(.milliseconds(250))
        #expect(session.connect().outputs.map(\.output) == [output])
    }
}
