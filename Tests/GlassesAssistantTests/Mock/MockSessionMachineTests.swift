import GlassesDomain
import Testing

@testable import GlassesAssistant

@Suite("The stand-in for a model")
struct MockSessionMachineTests {
    /// A machine with its calls numbered and its actions told apart.
    private struct Stand {
        var machine: MockSessionMachine
        var now = MonotonicTime.zero
        private var operations = 0

        init(
            _ tools: [(facts: ToolFacts, description: String)], seed: UInt64 = 7,
            change: (inout SessionConfiguration) -> Void = { _ in }
        ) {
            var configuration = SessionConfiguration()
            configuration.providerName = "mock"
            configuration.randomSeed = seed
            configuration.tools = tools.map(\.facts)
            change(&configuration)
            machine = MockSessionMachine(
                configuration: configuration,
                descriptions: Dictionary(uniqueKeysWithValues: tools.map { ($0.facts.name, $0.description) }))
        }

        mutating func apply(_ input: SessionInput) -> [SessionAction] {
            var verdicts = TextVerdicts()
            return Array(machine.apply(input, at: now, verdicts: &verdicts))
        }

        mutating func ask(_ operation: SessionOperation) -> [SessionAction] {
            operations += 1
            return apply(.operationRequested(OperationID(operations), operation))
        }

        mutating func says(_ text: String) -> [SessionAction] { ask(.sendText(text: text)) }
    }

    private static func tool(_ name: String, schema: JSONValue = ["type": "object"], policy: ToolPolicy = .standard)
        -> ToolFacts
    {
        ToolFacts(name: name, schema: schema, timeout: .seconds(5), policy: policy)
    }

    private static func events(_ actions: [SessionAction]) -> [AssistantEvent] {
        actions.compactMap { if case .notify(let event) = $0 { event } else { nil } }
    }

    private static func run(_ actions: [SessionAction]) -> (callID: String, name: String)? {
        actions.lazy.compactMap { action -> (callID: String, name: String)? in
            guard case .tool(.run(let callID, let name, _)) = action else { return nil }
            return (callID, name)
        }.first
    }

    private static func outcomes(_ actions: [SessionAction]) -> [OperationOutcome] {
        actions.compactMap { if case .finish(_, let outcome) = $0 { outcome } else { nil } }
    }

    private static let lights = (facts: tool("lights"), description: "Turns the Lamp on.")
    private static let door = (
        facts: tool("door", policy: ToolPolicy(needsConfirmation: true)), description: "Unlocks the door."
    )

    @Test(
        "The first tool whose description holds a word is taken",
        arguments: [
            ("switch the LAMP on", "first"), ("open it", "second"), ("is 404 there", "second"), ("go in", nil),
            ("a to of", nil), ("", nil),
        ])
    func choice(text: String, name: String?) {
        let choice = MockToolChoice([("first", "The lamp."), ("second", "Opens lamps; 404."), ("third", "open")])
        #expect(choice.tool(for: text) == name)
    }

    @Test("A call is told, run with {}, and its result is spoken between the two edges")
    func whole() throws {
        var stand = Stand([Self.lights])
        #expect(Self.events(stand.ask(.start)) == [.sessionStarted(provider: "mock", model: nil, voice: nil)])
        let said = stand.says("Lamp, please")
        let call = try #require(Self.run(said))
        #expect(call.name == "lights")
        #expect(
            Self.events(said) == [
                .userSpoke(transcript: "Lamp, please"), .toolCalled(name: "lights", args: [:], callId: call.callID),
            ])
        stand.now = stand.now.advanced(by: .milliseconds(40))
        let ended = stand.apply(.toolReturned(callID: call.callID, output: "It shines.", isError: false))
        #expect(
            Self.events(ended) == [
                .toolResult(callId: call.callID, name: "lights", output: "It shines.", isError: false, durationMs: 40),
                .assistantAudioStarted, .assistantSpoke(transcript: "It shines."), .assistantAudioFinished,
            ])
        #expect(stand.machine.turns.count == 4)
        #expect(stand.machine.state == .dormant)
    }

    @Test("Call ids are mock_call_ and a random UUID")
    func callIDs() throws {
        var ids: Set<String> = []
        for seed in 0..<50 as Range<UInt64> {
            var stand = Stand([Self.lights], seed: seed)
            _ = stand.ask(.start)
            for _ in 0..<2 {
                let id = try #require(Self.run(stand.says("lamp")))
                #expect(
                    id.callID.wholeMatch(
                        of: /mock_call_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
                ids.insert(id.callID)
            }
        }
        #expect(ids.count == 100)
    }

    @Test(
        "Arguments that a schema requires are missed as with a model: the body does not run, and the user hears an apology"
    )
    func missingArguments() {
        let schema: JSONValue = ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]]
        var stand = Stand([(Self.tool("weather", schema: schema), "Tells the weather.")])
        _ = stand.ask(.start)
        let said = stand.says("weather")
        #expect(Self.run(said) == nil)
        let events = Self.events(said)
        guard events.count == 6, case .toolResult(_, _, let output, true, _) = events[2] else {
            Issue.record("\(events)")
            return
        }
        #expect(output.contains("\"city\" is missing"))
        #expect(events[3] == .assistantAudioStarted && events[5] == .assistantAudioFinished)
    }

    @Test("A tool that needs an agreement runs after a yes, and after nothing else")
    func agreement() {
        var stand = Stand([Self.door])
        _ = stand.ask(.start)
        #expect(Self.run(stand.says("the door")) == nil)
        // The same words again are no agreement, and neither is anything else.
        #expect(Self.run(stand.says("the door")) == nil)
        #expect(Self.run(stand.says("no")) == nil)
        #expect(Self.run(stand.says("yes")) == nil)
        let asked = stand.says("the door")
        #expect(Self.run(asked) == nil)
        #expect(Self.events(asked).contains(.assistantSpoke(transcript: "Shall I run door?")))
        #expect(Self.run(stand.says("Yes, please!"))?.name == "door")
        #expect(Self.run(stand.says("yes")) == nil)
    }

    @Test("A body that takes too long is cancelled and apologised for; what it returns later is dropped")
    func timeout() throws {
        var stand = Stand([Self.lights])
        _ = stand.ask(.start)
        let said = stand.says("lamp")
        let call = try #require(Self.run(said))
        #expect(
            said.contains(
                .timer(.schedule(.toolTimeout(callID: call.callID), at: MonotonicTime.zero.advanced(by: .seconds(5))))))
        let late = stand.apply(.timerFired(.toolTimeout(callID: call.callID)))
        #expect(late.contains(.tool(.cancel(callID: call.callID))))
        #expect(
            Self.events(late).contains {
                if case .assistantSpoke(let text) = $0 { text.contains("timed out after 5 s") } else { false }
            })
        #expect(Self.events(stand.apply(.toolReturned(callID: call.callID, output: "done", isError: false))).isEmpty)
    }

    @Test("What nobody has a tool for is said so")
    func noTool() {
        var stand = Stand([Self.lights])
        _ = stand.ask(.start)
        #expect(
            Self.events(stand.says("sing")) == [
                .userSpoke(transcript: "sing"), .assistantAudioStarted,
                .assistantSpoke(transcript: "I have no tool for that."),
                .assistantAudioFinished,
            ])
    }

    @Test("It wakes and sleeps with its hooks, opens nothing, and ends once")
    func life() {
        var stand = Stand([Self.lights]) {
            $0.hasWakeHook = true
            $0.hasSleepHook = true
            $0.sleepPhrases = ["good night"]
        }
        var actions = stand.says("lamp")
        #expect(Self.outcomes(actions) == [.failed(.notReady)])
        actions =
            stand.ask(.start) + stand.ask(.wake) + stand.ask(.say(text: "hello")) + stand.ask(.greet(directive: nil))
        #expect(stand.machine.state == .active)
        actions += stand.says("Good night.")
        #expect(stand.machine.state == .dormant)
        actions +=
            stand.ask(.wake) + stand.ask(.sleep) + stand.ask(.say(text: "hello")) + stand.ask(.stop) + stand.ask(.stop)
        #expect(stand.machine.state == .stopped)
        actions += stand.ask(.wake) + stand.says("lamp")
        #expect(
            Self.outcomes(actions).filter { $0 != .succeeded } == [
                .failed(.notReady), .failed(.sessionEnded), .failed(.sessionEnded),
            ])
        #expect(actions.count { $0 == .hook(.run(.onWake)) } == 2)
        #expect(actions.count { $0 == .hook(.run(.onSleep)) } == 2)
        #expect(
            Self.events(actions) == [
                .sessionStarted(provider: "mock", model: nil, voice: nil), .userSpoke(transcript: "Good night."),
                .wentDormant, .wentDormant,
                .sessionEnded(reason: .user, message: nil),
            ])
        for action in actions {
            switch action {
            case .connection, .microphone, .playback, .send, .picture, .memory: Issue.record("\(action)")
            default: break
            }
        }
    }

    @Test("A stop ends what runs; a cancel phrase what may be called off")
    func ends() throws {
        var stand = Stand([(Self.tool("lights", policy: ToolPolicy(isCancellable: true)), "lamp")]) {
            $0.cancelPhrases = ["never mind"]
        }
        _ = stand.ask(.start)
        var call = try #require(Self.run(stand.says("lamp")))
        let off = stand.says("Never mind!")
        #expect(off.contains(.tool(.cancel(callID: call.callID))))
        #expect(Self.events(off).contains(.assistantSpoke(transcript: "Cancelled.")))
        #expect(
            Self.events(stand.says("never mind")).contains(.assistantSpoke(transcript: "There is nothing to cancel.")))
        call = try #require(Self.run(stand.says("lamp")))
        let stopped = stand.ask(.stop)
        #expect(stopped.contains(.tool(.cancel(callID: call.callID))))
        #expect(
            Self.events(stopped).count { if case .toolResult(call.callID, _, _, true, _) = $0 { true } else { false } }
                == 1)
        #expect(stand.machine.turns.isEmpty)
    }

    @Test("The history keeps its cap and the app's edits")
    func history() {
        var stand = Stand([]) { $0.historyCap = 3 }
        _ = stand.ask(.start)
        for _ in 0..<4 { _ = stand.says("sing") }
        #expect(stand.machine.turns.count == 3)
        let turn = Turn.userText(text: "kept", timestampMs: 1)
        #expect(stand.apply(.historyReplaced([turn])) == [.publishHistory([turn])])
        _ = stand.apply(.turnAppended(turn))
        #expect(stand.machine.turns == [turn, turn])
        _ = stand.apply(.historyCleared)
        #expect(stand.machine.turns.isEmpty)
    }
}
