import GlassesDomain
import Testing

@testable import GlassesRealtime

@Suite struct GeminiServerMachineTests {
    typealias Action = GeminiServerMachine.Action

    private static func ready(_ change: (inout GeminiSetup) -> Void = { _ in }) -> GeminiServerMachine {
        var machine = GeminiServerMachine()
        var setup = GeminiSetup(model: "models/m")
        (setup.transcribesInput, setup.transcribesOutput) = (true, true)
        change(&setup)
        _ = machine.apply(.message(.setup(setup)), at: .zero)
        _ = machine.apply(.event(.sessionUpdated(RealtimeSession(id: "s1"))), at: .zero)
        return machine
    }

    private static func content(_ change: (inout GeminiServerContent) -> Void) -> Action {
        var content = GeminiServerContent()
        change(&content)
        return .deliver(GeminiServerMessage(.serverContent(content)))
    }

    @Test func aSetupBeginsASessionAndItsUpdateCompletesIt() {
        var machine = GeminiServerMachine()
        var setup = GeminiSetup(model: "models/m")
        setup.systemInstruction = GeminiContent(role: nil, parts: [.text("Be brief."), .text("Be kind.")])
        setup.responseModalities = ["TEXT"]
        setup.functions = [GeminiFunctionDeclaration(name: "time")]
        guard case .begin(let model, let update)? = machine.apply(.message(.setup(setup)), at: .zero).first else {
            Issue.record("no session begins")
            return
        }
        #expect(model == "m" && update.instructions == "Be brief.\n\nBe kind." && update.outputModalities == [.text])
        #expect(update.tools == [.function(FunctionTool(name: "time"))])
        #expect(
            machine.apply(.event(.sessionUpdated(RealtimeSession(id: "s1"))), at: .zero)
                == [.deliver(GeminiServerMessage(.setupComplete(sessionId: "s1")))])
    }

    @Test(
        arguments: [
            [.clientContent(turns: [], isTurnComplete: true)],
            [.setup(GeminiSetup(model: "m")), .setup(GeminiSetup(model: "m"))],
            [.setup(GeminiSetup(model: "m")), .realtimeInput(.activityStart)],
            [.setup(GeminiSetup(model: "m")), .unknown(["x": 1])],
            [.setup(GeminiSetup(model: "m")), .realtimeInput(.unknown([:]))],
            [.setup(GeminiSetup(model: "m")), .realtimeInput(.video(GeminiBlob(mimeType: "text/x", data: [])))],
            [.setup(GeminiSetup(model: "m")), .realtimeInput(.audio(GeminiBlob(mimeType: "audio/opus", data: [])))],
            [
                .setup(GeminiSetup(model: "m")),
                .toolResponse([GeminiFunctionResponse(id: "x", name: "", response: [:])]),
            ],
        ] as [[GeminiClientMessage]])
    func whatAClientMayNotSendClosesItsConnectionOnce(_ messages: [GeminiClientMessage]) {
        var machine = GeminiServerMachine()
        var codes: [UInt16] = []
        for message in messages + messages {
            for case .close(let code, let reason) in machine.apply(.message(message), at: .zero) {
                codes.append(code)
                #expect(reason.utf8.count <= 123)
            }
        }
        #expect(codes == [1_007])
    }

    @Test func aHandleOfAnotherSessionIsRefused() {
        var machine = GeminiServerMachine()
        var setup = GeminiSetup(model: "m")
        setup.resumptionHandle = "h"
        guard case .close(let code, _)? = machine.apply(.message(.setup(setup)), at: .zero).first else {
            Issue.record("it is not closed")
            return
        }
        #expect(code == 1_008)
    }

    @Test func newContentCutsTheAnswerAndIsAnsweredAfterIt() {
        var machine = Self.ready()
        let turn = GeminiClientMessage.clientContent(turns: [.user(.text("Hi"))], isTurnComplete: true)
        let item = ClientEvent.conversationItemCreate(ItemCreation(item: .userText("Hi")))
        #expect(machine.apply(.message(turn), at: .zero) == [.send(item), .send(.responseCreate(nil))])
        _ = machine.apply(.event(.responseCreated(RealtimeResponse(id: "r1", status: .inProgress))), at: .zero)
        #expect(machine.apply(.message(turn), at: .zero) == [.send(item), .send(.responseCancel(responseId: "r1"))])
        let actions = machine.apply(.event(.responseDone(RealtimeResponse(id: "r1", status: .cancelled))), at: .zero)
        #expect(
            actions == [
                Self.content { $0.isInterrupted = true }, Self.content { $0.isTurnComplete = true },
                .send(.responseCreate(nil)),
            ])
    }

    @Test func contentThatComesBeforeAnAnswerHasBegunCutsItWhenItDoes() {
        var machine = Self.ready()
        let turn = GeminiClientMessage.clientContent(turns: [], isTurnComplete: true)
        #expect(machine.apply(.message(turn), at: .zero) == [.send(.responseCreate(nil))])
        #expect(machine.apply(.message(turn), at: .zero).isEmpty)
        #expect(
            machine.apply(.event(.responseCreated(RealtimeResponse(id: "r1", status: .inProgress))), at: .zero)
                == [.send(.responseCancel(responseId: "r1"))])
        let actions = machine.apply(.event(.responseDone(RealtimeResponse(id: "r1", status: .cancelled))), at: .zero)
        #expect(actions.last == .send(.responseCreate(nil)))
        #expect(
            machine.apply(.event(.responseCreated(RealtimeResponse(id: "r2", status: .inProgress))), at: .zero).isEmpty)
    }

    @Test func callsAreAnsweredTogetherAndOnlyThenAskedAbout() {
        var machine = Self.ready()
        func call(_ id: String, _ arguments: String) -> ConversationItem {
            ConversationItem(body: .functionCall(FunctionCallItem(name: "f", arguments: arguments, callId: id)))
        }
        let response = RealtimeResponse(
            id: "r1", status: .completed, output: [call("c1", #"{"a":1}"#), call("c2", "broken")])
        #expect(
            machine.apply(.event(.responseDone(response)), at: .zero) == [
                .deliver(
                    GeminiServerMessage(
                        .toolCall([
                            GeminiFunctionCall(id: "c1", name: "f", arguments: ["a": 1]),
                            GeminiFunctionCall(id: "c2", name: "f", arguments: [:]),
                        ])))
            ])
        func result(_ id: String, _ response: JSONValue) -> [Action] {
            machine.apply(
                .message(.toolResponse([GeminiFunctionResponse(id: id, name: "f", response: response)])), at: .zero)
        }
        #expect(
            result("c1", ["output": "sunny"]) == [
                .send(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: "sunny"))))
            ])
        #expect(
            result("c2", ["error": "none"]) == [
                .send(
                    .conversationItemCreate(
                        ItemCreation(item: .functionOutput(callId: "c2", output: #"{"error":"none"}"#)))),
                .send(.responseCreate(nil)),
            ])
    }

    @Test func anAnswerIsToldAsATurn() {
        var machine = Self.ready()
        let place = PartReference(responseId: "r1", itemId: "i1")
        _ = machine.apply(.event(.responseCreated(RealtimeResponse(id: "r1", status: .inProgress))), at: .zero)
        #expect(
            machine.apply(.event(.responseOutputAudioDelta(OutputAudio(place: place, audio: [1, 2]))), at: .zero)
                == [.deliver(.audio(.pcm([1, 2], rate: 24_000)))])
        #expect(
            machine.apply(.event(.responseOutputAudioTranscriptDelta(OutputText(place: place, text: "Hi"))), at: .zero)
                == [Self.content { $0.outputTranscription = GeminiTranscription(text: "Hi") }])
        var usage = GeminiUsage()
        (usage.promptTokens, usage.responseTokens, usage.totalTokens) = (1, 2, 3)
        var end = GeminiServerContent()
        end.isTurnComplete = true
        #expect(
            machine.apply(
                .event(
                    .responseDone(
                        RealtimeResponse(
                            id: "r1", status: .completed, usage: Usage(inputTokens: 1, outputTokens: 2)))), at: .zero)
                == [
                    Self.content { $0.isGenerationComplete = true },
                    .deliver(GeminiServerMessage(.serverContent(end), usage: usage)),
                ])
        // It still plays at the client, which has to stop.
        let speech = machine.apply(
            .event(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: "i2", audioStartMs: 10))), at: .zero)
        #expect(speech.last == Self.content { $0.isInterrupted = true })
    }

    @Test(arguments: [(10.5, true), (12.5, false)])
    func speechCutsAnAnswerThatMayStillPlayAndNoneThatHasPlayed(_ seconds: Double, _ isCut: Bool) {
        var machine = Self.ready()
        let place = PartReference(responseId: "r1", itemId: "i1")
        _ = machine.apply(.event(.responseCreated(RealtimeResponse(id: "r1", status: .inProgress))), at: .zero)
        let second = OutputAudio(place: place, audio: [UInt8](repeating: 0, count: 48_000))
        for _ in 0..<10 { _ = machine.apply(.event(.responseOutputAudioDelta(second)), at: .zero) }
        _ = machine.apply(.event(.responseDone(RealtimeResponse(id: "r1", status: .completed))), at: .zero)
        let speech = GeminiServerMachine.Input.event(
            .inputAudioBufferSpeechStarted(SpeechStarted(itemId: "i2", audioStartMs: 10)))
        let now = MonotonicTime.zero.advanced(by: .fromSeconds(seconds))
        let interruption = Self.content { $0.isInterrupted = true }
        #expect(machine.apply(speech, at: now).contains(interruption) == isCut)
        #expect(!machine.apply(speech, at: now).contains(interruption), "it is told once")
    }

    @Test func aCallThatIsNeverAnsweredHoldsUpNoLaterOne() {
        var machine = Self.ready()
        func result(_ id: String) -> GeminiFunctionResponse {
            GeminiFunctionResponse(id: id, name: "f", response: ["output": "x"])
        }
        for id in ["c1", "c2", "c3"] {
            let call = ConversationItem(body: .functionCall(FunctionCallItem(name: "f", arguments: "{}", callId: id)))
            let response = RealtimeResponse(id: "r_\(id)", status: .completed, output: [call])
            _ = machine.apply(.event(.responseDone(response)), at: .zero)
        }
        #expect(
            machine.apply(.message(.toolResponse([result("c2")])), at: .zero).count == 1, "the newest waits still")
        #expect(
            machine.apply(.message(.toolResponse([result("c3")])), at: .zero).last == .send(.responseCreate(nil)))
        // As a part of a turn it is a result too, and cannot come once more.
        let turn = GeminiClientMessage.clientContent(
            turns: [.user(.functionResponse(result("c1")))], isTurnComplete: false)
        #expect(machine.apply(.message(turn), at: .zero).count == 1)
        let again = machine.apply(.message(.toolResponse([result("c1")])), at: .zero)
        #expect(again.contains { if case .close = $0 { true } else { false } })
    }

    @Test func markedActivityIsAnUtteranceAndItsEndAsksForAnAnswer() {
        var machine = Self.ready { $0.activityDetection.isDisabled = true }
        let audio = GeminiBlob.pcm([0, 0], rate: 16_000)
        #expect(machine.apply(.message(.realtimeInput(.activityStart)), at: .zero) == [.send(.inputAudioBufferClear)])
        #expect(machine.apply(.message(.realtimeInput(.audio(audio))), at: .zero) == [.append(audio)])
        #expect(
            machine.apply(.message(.realtimeInput(.activityEnd)), at: .zero)
                == [.send(.inputAudioBufferCommit), .send(.responseCreate(nil))])
    }

    @Test func onlyTheNewestFrameStaysInTheConversation() {
        var machine = Self.ready()
        let frame = GeminiBlob(mimeType: "image/jpeg", data: [0xFF, 0xD8])
        #expect(machine.apply(.message(.realtimeInput(.video(frame))), at: .zero).count == 1)
        #expect(
            machine.apply(.message(.realtimeInput(.video(frame))), at: .zero).first
                == .send(.conversationItemDelete(itemId: "item_frame_1")))
    }

    @Test(
        arguments: [
            ("response_cancel_not_active", nil), ("session_expired", nil), ("invalid_value", 1_007),
        ] as [(String, UInt16?)])
    func anErrorOfTheSessionClosesUnlessItIsNoneOfTheClients(_ code: String, _ close: UInt16?) {
        var machine = Self.ready()
        let error = RealtimeErrorInfo(message: "m", code: code)
        let codes = machine.apply(.event(.error(error)), at: .zero).compactMap { action in
            if case .close(let code, _) = action { code } else { nil }
        }
        #expect(codes == [close].compactMap(\.self))
    }

    /// A session of the realtime protocol through both machines is the session behind them.
    @Test func whatOneMachineWritesTheOtherReads() {
        var client = GeminiTalk()
        var server = GeminiServerMachine()
        var asked: [ClientEvent] = []
        client.apply(.opened)
        var update = SessionUpdate()
        update.instructions = "Be brief."
        update.tools = [.function(FunctionTool(name: "time", parameters: ["type": "object"]))]
        client.say(.sessionUpdate(update))
        func pass(_ event: ServerEvent? = nil) {
            var inputs: [GeminiServerMachine.Input] = client.sent.map(GeminiServerMachine.Input.message)
            if let event { inputs.append(.event(event)) }
            client.forget()
            for action in inputs.flatMap({ server.apply($0, at: .zero) }) {
                switch action {
                case .begin(_, let update): asked.append(.sessionUpdate(update))
                case .send(let event): asked.append(event)
                case .deliver(let message): client.apply(.message(message))
                case .append, .close: Issue.record("\(action)")
                }
            }
        }
        pass(.sessionUpdated(RealtimeSession(id: "s")))
        #expect(client.types == ["session.updated"])
        client.say(.conversationItemCreate(ItemCreation(item: .userText("What time is it?", id: "q"))))
        client.say(.responseCreate(nil))
        pass(.responseCreated(RealtimeResponse(id: "r", status: .inProgress)))
        #expect(asked.dropFirst().map(\.type) == ["conversation.item.create", "response.create"])
        let place = PartReference(responseId: "r", itemId: "i")
        pass(.responseOutputAudioDelta(OutputAudio(place: place, audio: [UInt8](repeating: 0, count: 480))))
        pass(.responseDone(RealtimeResponse(id: "r", status: .completed)))
        #expect(client.ended.map(\.status) == [.completed])
        guard case .sessionUpdate(let read)? = asked.first else {
            Issue.record("no session begins")
            return
        }
        #expect(read.instructions == update.instructions && read.tools == update.tools)
    }
}
