import GlassesCore
import Testing

@testable import glasses

@Suite("Events of talk")
struct TalkEventTests {
    private static let table: [(TalkEvent?, String)] = [
        (.state(.dormant), #"{"t":1.235,"event":"state","state":"dormant"}"#),
        (.assistant(.userSpoke(transcript: "a \"b\"")), #"{"t":1.235,"event":"userSpoke","transcript":"a \"b\""}"#),
        (.assistant(.assistantSpoke(transcript: "x")), #"{"t":1.235,"event":"assistantSpoke","transcript":"x"}"#),
        (.assistant(.assistantAudioStarted), #"{"t":1.235,"event":"assistantAudioStarted"}"#),
        (.assistant(.assistantAudioFinished), #"{"t":1.235,"event":"assistantAudioFinished"}"#),
        (
            .assistant(.toolCalled(name: "set_timer", args: ["seconds": 300], callId: "c")),
            #"{"t":1.235,"event":"toolCalled","args":{"seconds":300},"callId":"c","name":"set_timer"}"#
        ),
        (
            .assistant(.toolResult(callId: "c", name: "n", output: "o", isError: true, durationMs: 7)),
            #"{"t":1.235,"event":"toolResult","callId":"c","durationMs":7,"isError":true,"name":"n","output":"o"}"#
        ),
        (
            .assistant(.reconnected(reason: .networkDrop, downtimeMs: 9)),
            #"{"t":1.235,"event":"reconnected","downtimeMs":9,"reason":"networkdrop"}"#
        ),
        (
            .assistant(.error(kind: "device_lost", message: "m")),
            #"{"t":1.235,"event":"error","kind":"device_lost","message":"m"}"#
        ),
        (
            .error(Problem(code: "no_answer", "m", command: "glasses doctor")),
            #"{"t":1.235,"event":"error","kind":"no_answer","message":"m"}"#
        ),
        (
            SpeechEvent(log: "speech.fallback", ["kind": "stt", "from": "a", "to": "b", "code": "timeout"])
                .map(TalkEvent.speech),
            #"{"t":1.235,"event":"speechFallback","code":"timeout","from":"a","kind":"stt","to":"b"}"#
        ),
        (
            SpeechEvent(log: "speech.turn", ["endpointMs": 500, "totalMs": 620]).map(TalkEvent.speech),
            #"{"t":1.235,"event":"turnStages","endpointMs":500,"totalMs":620}"#
        ),
        (
            PluginEvent(log: "plugin.replaced", ["plugin": "p", "kind": "stt", "outageMs": 80, "deaths": 1])
                .map(TalkEvent.plugin),
            #"{"t":1.235,"event":"pluginReplaced","deaths":1,"kind":"stt","outageMs":80,"plugin":"p"}"#
        ),
        (.assistant(.wentDormant), #"{"t":1.235,"event":"wentDormant"}"#),
        (
            .assistant(.sessionEnded(reason: .user, message: nil)),
            #"{"t":1.235,"event":"sessionEnded","message":null,"reason":"user"}"#
        ),
        (
            .summary(
                TalkSummary(
                    turns: 1, tools: 2, errors: 3, pluginDeaths: 4, seconds: 4.5,
                    pendingTimers: [.init(seconds: 300, remainingSeconds: 297)])),
            #"{"t":1.235,"event":"summary","errors":3,"#
                + #""pendingTimers":[{"remainingSeconds":297,"seconds":300}],"pluginDeaths":4,"seconds":4.5,"tools":2,"turns":1}"#
        ),
    ]

    @Test("a log line about something else is no event, and a person is told of another engine only")
    func speechEvents() {
        #expect(SpeechEvent(log: "speech.unavailable", [:]) == nil)
        #expect(SpeechEvent(log: "speech.turn", nil)?.text == nil)
        let event = SpeechEvent(log: "speech.fallback", ["from": "a", "to": "b", "message": "It broke."])
        #expect(event?.text == "b serves instead of a. It broke.")
    }

    @Test("a person is told of a plugin's death and its replacement, and of no start")
    func pluginEvents() {
        #expect(PluginEvent(log: "plugin", ["plugin": "p"]) == nil)
        #expect(PluginEvent(log: "plugin.started", ["plugin": "p", "process": 7])?.text == nil)
        let died = PluginEvent(log: "plugin.died", ["plugin": "p", "reason": "signal 11"])
        #expect(died?.text == "p failed (signal 11) and is started again.")
        #expect(
            PluginEvent(log: "plugin.replaced", ["plugin": "p", "outageMs": 80])?.text == "p works again after 80 ms.")
        let givenUp = PluginEvent(log: "plugin.given_up", ["plugin": "p", "message": "It failed."])
        #expect(givenUp?.text == "It failed.")
        #expect([died, givenUp].allSatisfy { $0?.isDeath == true })
    }

    @Test("each event is one line of JSON with its documented fields", arguments: table.indices)
    func lines(_ index: Int) throws {
        let (found, expected) = Self.table[index]
        let event = try #require(found)
        let line = event.line(seconds: 1.2345)
        #expect(line.text == expected)
        #expect(try JSONValue(jsonText: line.text)["event"]?.stringValue == line.event)
    }

    @Test("somebody else's words do not command the terminal")
    func printable() {
        #expect("a\u{1B}[31mb\u{7}c\nd\u{9B}é".printable == "a[31mbcdé")
        #expect("grüße, 你好 👩‍👩‍👧".printable == "grüße, 你好 👩‍👩‍👧")
    }

    @Test(
        "a duration is said as people do",
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (60, "1 minute"), (300, "5 minutes"), (90, "1 minute and 30 seconds"),
            (5_400, "1 hour and 30 minutes"), (3_661, "1 hour, 1 minute and 1 second"),
        ])
    func durations(_ seconds: Int, _ text: String) { #expect(SpokenDuration.text(seconds: seconds) == text) }
}
