import GlassesDomain
import Testing

@testable import GlassesRealtime

@Suite struct GeminiClientMachineTests {
    @Test func aSessionIsUpdatedWhenTheServerHasAcceptedItsSetup() throws {
        var talk = GeminiTalk()
        talk.apply(.opened)
        #expect(talk.types == ["session.created"])
        var update = SessionUpdate()
        update.instructions = "Be brief."
        update.output.voice = "Puck"
        update.tools = [.function(FunctionTool(name: "time"))]
        talk.say(.sessionUpdate(update))
        #expect(talk.types == ["session.created"])
        guard case .setup(let setup)? = talk.sent.first else {
            Issue.record("no setup was sent")
            return
        }
        #expect(setup.model == "models/live" && setup.voice == "Puck" && setup.functions.map(\.name) == ["time"])
        #expect(setup.systemInstruction?.parts == [.text("Be brief.")])
        #expect(setup.responseModalities == ["AUDIO"] && setup.transcribesOutput && setup.isResumable)
        talk.hear(.setupComplete(sessionId: nil))
        #expect(talk.types == ["session.created", "session.updated"])
    }

    @Test func whatIsSentBeforeTheSetupIsAcceptedWaitsForIt() {
        var talk = GeminiTalk()
        talk.apply(.opened)
        talk.say(.inputAudioBufferAppend(audio: [0, 0]))
        talk.say(.conversationItemCreate(ItemCreation(item: .userText("Hi", id: "a"))))
        #expect(talk.sent.count == 1)
        talk.hear(.setupComplete(sessionId: nil))
        #expect(talk.sent.count == 2)
        #expect(talk.types == ["session.created", "conversation.item.added", "conversation.item.done"])
    }

    @Test func moreAudioThanFiveSecondsBeforeTheSetupIsAcceptedEndsTheSession() {
        var talk = GeminiTalk()
        talk.apply(.opened)
        let second = [UInt8](repeating: 0, count: 48_000)
        for _ in 0..<5 { talk.say(.inputAudioBufferAppend(audio: second)) }
        #expect(talk.failure == nil)
        talk.say(.inputAudioBufferAppend(audio: second))
        #expect(talk.failure == "setup_too_slow")
    }

    @Test func aTypedTurnIsSentWithTheRequestAndItsAnswerEndsWithItsWordsAndLength() throws {
        var talk = GeminiTalk.ready()
        talk.say(.conversationItemCreate(ItemCreation(item: .userText("What time is it?", id: "q"))))
        #expect(talk.sent.isEmpty)
        var parameters = ResponseParameters()
        parameters.metadata = ["k": "v"]
        talk.say(.responseCreate(parameters))
        #expect(
            talk.sent == [.clientContent(turns: [.user(.text("What time is it?"))], isTurnComplete: true)])
        talk.forget()
        talk.hear { $0.outputTranscription = GeminiTranscription(text: "It is ") }
        talk.hearAudio(40)
        talk.hear { $0.outputTranscription = GeminiTranscription(text: "noon.") }
        talk.hearAudio(60)
        talk.hear { $0.isGenerationComplete = true }
        var usage = GeminiUsage()
        (usage.promptTokens, usage.responseTokens, usage.totalTokens) = (3, 4, 7)
        var end = GeminiServerContent()
        end.isTurnComplete = true
        talk.hear(.serverContent(end), usage: usage)
        #expect(
            talk.types == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_audio_transcript.delta",
                "response.output_audio.delta", "response.output_audio_transcript.delta",
                "response.output_audio.delta", "response.output_audio.done",
                "response.output_audio_transcript.done", "response.content_part.done", "conversation.item.done",
                "response.output_item.done", "response.done",
            ])
        let done = try #require(talk.ended.first)
        #expect(done.status == .completed && done.metadata == ["k": "v"] && done.usage?.totalTokens == 7)
        #expect(done.conversationId != nil)
        #expect(done.output.count == 1)
        let lengths = talk.events.compactMap { event in
            if case .responseOutputAudioDone(let done) = event { done.audioMs } else { nil }
        }
        #expect(lengths == [100])
    }

    @Test func aSpokenTurnBecomesAnItemWhoseWordsMayComeAfterTheAnswerHasBegun() {
        var talk = GeminiTalk.ready()
        talk.say(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 48_000)))
        talk.hear { $0.inputTranscription = GeminiTranscription(text: "what ") }
        #expect(
            talk.types == ["input_audio_buffer.speech_started", "conversation.item.input_audio_transcription.delta"])
        talk.hearAudio(20)
        talk.hear { $0.inputTranscription = GeminiTranscription(text: "time") }
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.types.filter { $0 == "response.created" }.count == 1)
        let order = ["input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "response.created"]
        #expect(talk.types.filter(order.contains) == order)
        let words = talk.events.compactMap { event in
            if case .inputAudioTranscriptionCompleted(let completed) = event { completed.transcript } else { nil }
        }
        #expect(words == ["what time"])
        let starts = talk.events.compactMap { event in
            if case .inputAudioBufferSpeechStarted(let speech) = event { speech.audioStartMs } else { nil }
        }
        #expect(starts == [1_000 - GeminiClientMachine.assumedLeadMs])
    }

    @Test func theServersOwnSignsOfSpeechAreTakenOver() {
        var talk = GeminiTalk.ready()
        talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: true, offsetMs: 70)))
        talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: false, offsetMs: 900)))
        #expect(
            talk.types == [
                "input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped",
                "input_audio_buffer.committed", "conversation.item.added", "conversation.item.done",
            ])
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.ended.map(\.status) == [.completed])
    }

    @Test func anInterruptionTellsTheSpeechBeforeItEndsTheAnswerAndTheTurnsEndIsNotAnother() {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        talk.hearAudio(200)
        talk.forget()
        talk.hear { $0.isInterrupted = true }
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.types.first == "input_audio_buffer.speech_started")
        #expect(talk.types.last == "response.done")
        #expect(talk.ended.map(\.status) == [.cancelled])
        #expect(talk.ended.first?.statusDetails?.reason == .turnDetected)
        talk.hear { $0.inputTranscription = GeminiTranscription(text: "stop") }
        talk.hearAudio(20)
        #expect(talk.types.contains("input_audio_buffer.committed"))
    }

    @Test func aCancelledAnswerIsOverAndWhatTheServerGoesOnToSayIsDropped() {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        talk.hearAudio(20)
        talk.say(.responseCancel(responseId: nil))
        #expect(talk.ended.map(\.status) == [.cancelled])
        talk.forget()
        talk.hearAudio(20)
        talk.hear { $0.outputTranscription = GeminiTranscription(text: "and more") }
        #expect(talk.events.isEmpty)
        talk.say(.responseCreate(nil))
        talk.hear { $0.isInterrupted = true }
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.events.isEmpty)
        talk.hearAudio(20)
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.ended.map(\.status) == [.completed])
    }

    @Test func callsEndAnAnswerAndTheirResultsGoWithTheNextRequest() throws {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        talk.hear(
            .toolCall([
                GeminiFunctionCall(id: "c1", name: "time", arguments: [:]),
                GeminiFunctionCall(id: "c2", name: "weather", arguments: ["city": "Rome"]),
            ]))
        let done = try #require(talk.ended.first)
        #expect(done.status == .completed && done.output.count == 2)
        talk.forget()
        talk.say(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: "noon"))))
        talk.say(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c2", output: "sunny"))))
        #expect(talk.sent.isEmpty)
        talk.say(.responseCreate(nil))
        #expect(
            talk.sent == [
                .toolResponse([
                    GeminiFunctionResponse(id: "c1", name: "time", response: ["output": "noon"]),
                    GeminiFunctionResponse(id: "c2", name: "weather", response: ["output": "sunny"]),
                ])
            ])
        talk.hearAudio(20)
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.ended.count == 1)
        #expect(!talk.types.contains("input_audio_buffer.speech_started"))
    }

    @Test func theResultOfACallThatTheServerTookBackIsNotSent() {
        var talk = GeminiTalk.ready()
        talk.hear(.toolCall([GeminiFunctionCall(id: "c1", name: "time", arguments: [:])]))
        talk.hear(.toolCallCancellation(ids: ["c1"]))
        talk.forget()
        talk.say(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: "noon"))))
        talk.say(.responseCreate(nil))
        #expect(talk.types.prefix(2) == ["conversation.item.added", "conversation.item.done"])
        #expect(talk.sent == [.clientContent(turns: [], isTurnComplete: true)], "neither as a result nor as a turn")
    }

    @Test func aSecondResultOfACallIsNotSent() {
        var talk = GeminiTalk.ready()
        talk.hear(.toolCall([GeminiFunctionCall(id: "c1", name: "time", arguments: [:])]))
        talk.forget()
        for output in ["noon", "midnight"] {
            talk.say(.conversationItemCreate(ItemCreation(item: .functionOutput(callId: "c1", output: output))))
        }
        talk.say(.responseCreate(nil))
        let noon = GeminiFunctionResponse(id: "c1", name: "time", response: ["output": "noon"])
        #expect(talk.sent == [.toolResponse([noon])])
    }

    @Test func moreThanOneEventsWorthThatWaitsForARequestIsRefusedUntilItIsAskedAbout() {
        var talk = GeminiTalk.ready()
        let story = String(repeating: "a", count: 5 << 20)
        func tell(_ id: String) { talk.say(.conversationItemCreate(ItemCreation(item: .userText(story, id: id)))) }
        for id in ["a", "b", "c", "d"] { tell(id) }
        #expect(talk.errors.isEmpty)
        tell("e")
        #expect(talk.errors.map(\.code) == ["conversation_too_large"])
        talk.say(.conversationItemRetrieve(itemId: "e"))
        #expect(talk.errors.last?.code == "item_retrieve_invalid_item_id", "what was refused is no item")
        talk.say(.conversationItemDelete(itemId: "a"))
        talk.forget()
        tell("f")
        #expect(talk.errors.isEmpty, "a deleted turn makes room")
        talk.say(.responseCreate(nil))
        tell("g")
        #expect(talk.errors.isEmpty, "turns that were sent make room")
    }

    @Test func morePicturesThanOneEventsWorthBeforeTheSetupIsAcceptedEndTheSession() {
        var talk = GeminiTalk()
        talk.apply(.opened)
        let url = "data:image/jpeg;base64," + String(repeating: "/9j/", count: 6 << 18)
        let message = MessageItem(role: .user, content: [.inputImage(url: url, detail: nil)])
        let event = ClientEvent.conversationItemCreate(ItemCreation(item: ConversationItem(body: .message(message))))
        for _ in 0..<3 { talk.say(event) }
        #expect(talk.failure == nil)
        talk.say(event)
        #expect(talk.failure == "setup_too_slow")
    }

    @Test func aPictureIsNotKeptBesideTheConversation() {
        var talk = GeminiTalk.ready()
        let message = MessageItem(
            role: .user, content: [.inputText("Look"), .inputImage(url: "data:image/jpeg;base64,/9j/", detail: "low")])
        talk.say(
            .conversationItemCreate(ItemCreation(item: ConversationItem(id: "p", body: .message(message)))))
        talk.say(.conversationItemRetrieve(itemId: "p"))
        guard case .conversationItemRetrieved(let item)? = talk.events.last, case .message(let kept) = item.body else {
            Issue.record("\(talk.types)")
            return
        }
        #expect(kept.content == [.inputText("Look"), .inputImage(url: "", detail: "low")])
    }

    @Test func aReplayedHistoryIsSentAsTurnsBeforeTheUserIsHeard() {
        var talk = GeminiTalk.ready()
        let call = ConversationItem(
            id: "c", body: .functionCall(FunctionCallItem(name: "time", arguments: "{}", callId: "c1")))
        let items: [ConversationItem] = [
            .userText("What time is it?", id: "a"), call, .functionOutput(callId: "c1", output: "noon", id: "d"),
            .assistantText("Noon.", id: "e"),
        ]
        for item in items { talk.say(.conversationItemCreate(ItemCreation(item: item))) }
        #expect(talk.types.filter { $0 == "conversation.item.added" }.count == 4)
        #expect(talk.sent.isEmpty)
        talk.say(.inputAudioBufferAppend(audio: [0, 0]))
        let result = GeminiFunctionResponse(id: "c1", name: "time", response: ["output": "noon"])
        let turns: [GeminiContent] = [
            .user(.text("What time is it?")),
            .model(.functionCall(GeminiFunctionCall(id: "c1", name: "time", arguments: [:]))),
            .user(.functionResponse(result)), .model(.text("Noon.")),
        ]
        #expect(talk.sent.first == .clientContent(turns: turns, isTurnComplete: false))
        #expect(talk.sent.count == 2)
    }

    @Test func aServerThatGoesAwayIsLeftByItsHandleWhenNobodyIsInTheMiddleOfSomething() {
        var talk = GeminiTalk.ready()
        talk.hear(.sessionResumptionUpdate(handle: "h1"))
        talk.say(.responseCreate(nil))
        talk.hearAudio(20)
        talk.hear(.goAway(timeLeftMs: 30_000))
        #expect(talk.reconnects == 0)
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.reconnects == 0, "the handle brings back a conversation without this turn")
        talk.hear(.sessionResumptionUpdate(handle: "h2"))
        #expect(talk.reconnects == 1)
        talk.forget()
        talk.say(.inputAudioBufferAppend(audio: [0, 0]))
        talk.apply(.opened)
        guard case .setup(let setup)? = talk.sent.first else {
            Issue.record("no setup was sent")
            return
        }
        #expect(setup.resumptionHandle == "h2")
        talk.hear(.setupComplete(sessionId: nil))
        #expect(talk.sent.count == 2, "the audio of the gap is sent")
        #expect(talk.events.isEmpty, "the client notices nothing")
    }

    @Test func aHandleThatIsOlderThanWhatWasSaidIsNotUsed() {
        let typed = ConversationItem.userText("Hi", id: "a")
        let changes: [(inout GeminiTalk) -> Void] = [
            { talk in
                talk.say(.conversationItemCreate(ItemCreation(item: typed)))
                talk.say(.responseCreate(nil))
                talk.hear { $0.isTurnComplete = true }
            },
            { talk in
                // The server speaks by itself.
                talk.hearAudio(20)
                talk.hear { $0.isTurnComplete = true }
            },
            { talk in
                talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: true)))
                talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: false)))
                talk.hear { $0.isTurnComplete = true }
            },
        ]
        for change in changes {
            var talk = GeminiTalk.ready()
            talk.hear(.sessionResumptionUpdate(handle: "h1"))
            change(&talk)
            talk.hear(.goAway(timeLeftMs: 30_000))
            talk.apply(.dropped)
            #expect(talk.reconnects == 0)
            // Silence on the uplink changes nothing, and a handle that comes in time is one.
            talk.say(.inputAudioBufferAppend(audio: [0, 0]))
            talk.hear(.sessionResumptionUpdate(handle: "h2"))
            #expect(talk.reconnects == 1)
        }
    }

    @Test func theServersSignsOfSpeechCountFromTheBeginningOfItsConnection() {
        var talk = GeminiTalk.ready()
        talk.say(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 48_000)))
        talk.hear { _ in }
        talk.hear(.sessionResumptionUpdate(handle: "h1"))
        talk.hear(.goAway(timeLeftMs: nil))
        talk.apply(.opened)
        talk.hear(.setupComplete(sessionId: nil))
        talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: true, offsetMs: 70)))
        talk.hear(.voiceActivity(GeminiVoiceActivity(isStart: false, offsetMs: 500)))
        let times = talk.events.compactMap { event -> Int? in
            switch event {
            case .inputAudioBufferSpeechStarted(let speech): speech.audioStartMs
            case .inputAudioBufferSpeechStopped(let speech): speech.audioEndMs
            default: nil
            }
        }
        #expect(times == [1_070, 1_500])
    }

    @Test func audioThatCannotBePlayedIsToldOnce() {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        for _ in 0..<3 { talk.apply(.message(.audio(GeminiBlob(mimeType: "audio/pcm;rate=8000", data: [0, 0])))) }
        #expect(talk.errors.map(\.code) == ["unsupported_output_audio"])
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.ended.map(\.status) == [.completed])
    }

    @Test func aRequestThatTheServerHasNotBegunToAnswerGivesWayToAnother() {
        var talk = GeminiTalk.ready()
        var parameters = ResponseParameters()
        parameters.metadata = ["n": "2"]
        talk.say(.responseCreate(nil))
        talk.say(.responseCreate(parameters))
        #expect(talk.errors.isEmpty && talk.sent.count == 2)
        talk.hearAudio(20)
        talk.say(.responseCreate(nil), id: "third")
        #expect(talk.errors.map(\.code) == ["conversation_already_has_active_response"])
        talk.hear { $0.isTurnComplete = true }
        #expect(talk.ended.map(\.metadata) == [["n": "2"]])
    }

    @Test func aServerThatGoesAwayBeforeItWasOfUseIsNotFollowedForEver() {
        var talk = GeminiTalk.ready()
        talk.hear(.sessionResumptionUpdate(handle: "h1"))
        talk.hear(.goAway(timeLeftMs: nil))
        #expect(talk.reconnects == 0)
        for _ in 0..<5 { talk.say(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 48_000))) }
        #expect(talk.reconnects == 1, "five seconds are use enough")
        talk.apply(.opened)
        talk.hear(.setupComplete(sessionId: nil))
        talk.hear(.goAway(timeLeftMs: nil))
        #expect(talk.reconnects == 1)
    }

    @Test(
        arguments: [("minimal", "MINIMAL"), ("xhigh", "HIGH"), ("unheard-of", nil)] as [(String, String?)])
    func theEffortIsALevelOfThinking(_ effort: String, _ level: String?) {
        var session = RealtimeSession(model: "m")
        session.reasoning = Reasoning(effort: effort)
        #expect(GeminiSetup(session).thinkingLevel == level)
    }

    @Test func aServerThatNeverStopsTalkingFillsNoMemory() {
        var talk = GeminiTalk.ready()
        let words = String(repeating: "x", count: 1 << 18)
        for _ in 0..<8 {
            talk.hear { $0.inputTranscription = GeminiTranscription(text: words) }
            talk.forget()
        }
        talk.hear { $0.outputTranscription = GeminiTranscription(text: words) }
        for _ in 0..<8 { talk.hear { $0.outputTranscription = GeminiTranscription(text: words) } }
        talk.hear { $0.isTurnComplete = true }
        let lengths = talk.events.compactMap { event -> Int? in
            switch event {
            case .inputAudioTranscriptionCompleted(let completed): completed.transcript.utf8.count
            case .responseOutputAudioTranscriptDone(let text): text.text.utf8.count
            default: nil
            }
        }
        #expect(lengths == [GeminiClientMachine.wordsLimit, GeminiClientMachine.wordsLimit])
    }

    @Test func withoutAHandleTheClientLosesTheConnectionInstead() {
        var talk = GeminiTalk.ready()
        talk.hear(.goAway(timeLeftMs: nil))
        #expect(talk.reconnects == 0)
    }

    @Test func anUpdateThatTheServerCannotTakeReconnectsOrIsRefused() {
        var talk = GeminiTalk.ready()
        var update = SessionUpdate()
        update.output.voice = "Kore"
        talk.say(.conversationItemCreate(ItemCreation(item: .userText("Hi", id: "a"))))
        talk.say(.sessionUpdate(update), id: "u1")
        #expect(talk.errors.map(\.code) == ["session_update_unavailable"])
        #expect(talk.errors.first?.eventId == "u1")
        talk.hear(.sessionResumptionUpdate(handle: "h"))
        talk.say(.sessionUpdate(update), id: "u2")
        #expect(talk.reconnects == 1)
        talk.apply(.opened)
        talk.hear(.setupComplete(sessionId: nil))
        #expect(talk.types.last == "session.updated")
        talk.forget()
        talk.say(.sessionUpdate(SessionUpdate()))
        #expect(talk.types == ["session.updated"] && talk.reconnects == 1, "nothing has changed")
    }

    @Test func withoutTurnDetectionAnUtteranceIsSentWhenItsAnswerIsAskedFor() {
        var talk = GeminiTalk.ready { $0.input.turnDetection = .clear }
        talk.say(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 9_600)))
        talk.say(.inputAudioBufferClear)
        talk.say(.inputAudioBufferCommit, id: "early")
        #expect(talk.errors.map(\.code) == ["input_audio_buffer_commit_empty"])
        talk.say(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 9_600)))
        talk.say(.inputAudioBufferCommit)
        #expect(talk.sent.isEmpty && talk.types.contains("input_audio_buffer.committed"))
        talk.say(.responseCreate(nil))
        #expect(talk.sent.count == 4)
        #expect(talk.sent.first == .realtimeInput(.activityStart))
        #expect(talk.sent.last == .realtimeInput(.activityEnd))
        talk.hearAudio(20)
        #expect(!talk.types.contains("input_audio_buffer.speech_started"))
    }

    @Test func anAnswerIsTruncatedInTheClientsOwnRecord() {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        talk.hear { $0.outputTranscription = GeminiTranscription(text: "A long story.") }
        talk.hearAudio(500)
        talk.hear { $0.isTurnComplete = true }
        guard let id = talk.ended.first?.output.first?.id else {
            Issue.record("no item")
            return
        }
        talk.forget()
        talk.say(.conversationItemTruncate(ItemTruncation(itemId: id, audioEndMs: 501)))
        #expect(talk.errors.map(\.code) == ["invalid_value"])
        talk.say(.conversationItemTruncate(ItemTruncation(itemId: id, audioEndMs: 300)))
        #expect(talk.types.last == "conversation.item.truncated")
        talk.say(.conversationItemRetrieve(itemId: id))
        #expect(talk.types.last == "conversation.item.retrieved")
        talk.say(.conversationItemDelete(itemId: id))
        talk.say(.conversationItemRetrieve(itemId: id))
        #expect(talk.errors.last?.code == "item_retrieve_invalid_item_id")
    }

    @Test(
        arguments: [
            (.conversationItemTruncate(ItemTruncation(itemId: "x", audioEndMs: 1)), "item_truncate_invalid_item_id"),
            (.conversationItemDelete(itemId: "x"), "item_delete_invalid_item_id"),
            (.responseCancel(responseId: nil), "response_cancel_not_active"),
            (
                .conversationItemCreate(ItemCreation(item: .functionOutput(callId: "x", output: ""))),
                "invalid_value"
            ),
            (.unknown(type: "session.dance", raw: [:]), "invalid_value"),
            (.outputAudioBufferClear, "invalid_value"),
        ] as [(ClientEvent, String)])
    func whatCannotBeDoneIsRefusedByName(_ event: ClientEvent, _ code: String) {
        var talk = GeminiTalk.ready()
        talk.say(event, id: "mine")
        #expect(talk.errors.map(\.code) == [code])
        #expect(talk.errors.first?.eventId == "mine")
    }

    @Test(
        arguments: [
            (nil, .completed, nil), ("RESPONSE_REJECTED", .incomplete, "content_filter"),
            ("MALFORMED_FUNCTION_CALL", .failed, nil),
        ] as [(String?, ResponseStatus, String?)])
    func theReasonOfATurnsEndIsTheAnswersStatus(_ reason: String?, _ status: ResponseStatus, _ end: String?) {
        var talk = GeminiTalk.ready()
        talk.say(.responseCreate(nil))
        talk.hear {
            $0.isTurnComplete = true
            $0.turnCompleteReason = reason
        }
        #expect(talk.ended.map(\.status) == [status])
        #expect(talk.ended.first?.statusDetails?.reason?.rawValue == end)
    }

    @Test func aPictureWithoutWordsIsAFrameAndOneWithWordsATurn() {
        var talk = GeminiTalk.ready()
        let url = "data:image/jpeg;base64,/9j/"
        func item(_ parts: [ContentPart]) -> ClientEvent {
            .conversationItemCreate(
                ItemCreation(item: ConversationItem(body: .message(MessageItem(role: .user, content: parts)))))
        }
        talk.say(item([.inputImage(url: url, detail: nil)]))
        let blob = GeminiBlob(mimeType: "image/jpeg", data: [0xFF, 0xD8, 0xFF])
        #expect(talk.sent == [.realtimeInput(.video(blob))])
        talk.say(item([.inputText("What is it?"), .inputImage(url: url, detail: nil)]))
        talk.say(.responseCreate(nil))
        #expect(
            talk.sent.last
                == .clientContent(turns: [.user(.text("What is it?"), .inlineData(blob))], isTurnComplete: true))
    }
}
