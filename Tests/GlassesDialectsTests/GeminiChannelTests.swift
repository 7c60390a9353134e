import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Testing

@testable import GlassesDialects

@Suite struct GeminiChannelTests {
    /// A session whose setup is accepted.
    private func session(
        _ live: ScriptedLive, _ client: ScriptedClient
    ) async throws -> (channel: any WebSocketChannel, socket: ScriptedLive.Socket) {
        let channel = try await GeminiChannel.connect(model: "live", open: live.opener, receiver: client)
        var update = SessionUpdate()
        update.input.transcription = .set(Transcription())
        #expect(channel.send(.sessionUpdate(update)) == .accepted)
        let socket = try await live.socket(0)
        socket.say(.setupComplete(sessionId: nil))
        #expect(client.types == ["session.created", "session.updated"])
        return (channel, socket)
    }

    /// The server is of use: it says something that changes nothing.
    private func work(_ socket: ScriptedLive.Socket) { socket.say(.serverContent(GeminiServerContent())) }

    private func closure(_ client: ScriptedClient) async throws -> ConnectionClosure? {
        let deadline = ContinuousClock.now + .seconds(20)
        while client.closure == nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        return client.closure
    }

    @Test func aTypedTurnIsAnsweredThroughTheDialect() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        channel.send(.conversationItemCreate(ItemCreation(item: .userText("Hi", id: "a"))))
        channel.send(.responseCreate(nil))
        #expect(socket.messages.last == .clientContent(turns: [.user(.text("Hi"))], isTurnComplete: true))
        socket.say(.audio(.pcm([1, 2, 3, 4], rate: 24_000)))
        var end = GeminiServerContent()
        end.isTurnComplete = true
        socket.say(.serverContent(end))
        let audio = client.events.compactMap { event in
            if case .responseOutputAudioDelta(let delta) = event { delta.audio } else { nil }
        }
        #expect(audio == [[1, 2, 3, 4]])
        #expect(client.types.last == "response.done")
    }

    @Test func theToolsAndTheDeviceOfASessionAreInItsSetup() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let channel = try await GeminiChannel.connect(model: "live", open: live.opener, receiver: client)
        var update = SessionUpdate()
        update.instructions = "Be kind.\n\n{\"vendor\":\"acme\"}"
        update.tools = ["end_conversation", "get_device_info"].map {
            .function(FunctionTool(name: $0, description: "It."))
        }
        channel.send(.sessionUpdate(update))
        let socket = try await live.socket(0)
        #expect(socket.setup?.systemInstruction?.parts == [.text("Be kind.\n\n{\"vendor\":\"acme\"}")])
        #expect(socket.setup?.functions.map(\.name) == ["end_conversation", "get_device_info"])
        socket.say(.setupComplete(sessionId: nil))
        // What is told later is text of its own, which asks for no answer.
        let before = socket.messages.count
        let note = ConversationItem(
            id: "note", body: .message(MessageItem(role: .system, content: [.inputText("The device has changed.")])))
        channel.send(.conversationItemCreate(ItemCreation(item: note)))
        channel.send(.conversationItemDelete(itemId: "note"))
        #expect(!client.types.contains("error"), "\(client.types)")
        channel.send(.conversationItemCreate(ItemCreation(item: .userText("Hi", id: "a"))))
        channel.send(.responseCreate(nil))
        #expect(socket.messages.count > before)
        guard case .clientContent(let turns, true)? = socket.messages.last else {
            Issue.record("the turn is sent")
            return
        }
        #expect("\(turns)".contains("Hi"))
    }

    @Test func theMicrophoneIsHeardAtTheRateOfGeminiLive() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        for _ in 0..<50 {
            channel.send(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 960)), lane: .audio)
        }
        let blobs = socket.messages.compactMap { message in
            if case .realtimeInput(.audio(let blob)) = message { blob } else { nil }
        }
        #expect(blobs.count == 50)
        #expect(Set(blobs.map(\.mimeType)) == ["audio/pcm;rate=16000"])
        let second = blobs.reduce(0) { $0 + $1.data.count }
        #expect(abs(second - 32_000) < 200, "\(second) bytes of a second are sent")
    }

    @Test func aServerThatGoesAwayIsFollowedByAnotherSocketAndTheClientNoticesNothing() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        let before = client.types
        channel.pauseReading()
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        socket.say(.goAway(timeLeftMs: 10_000))
        let next = try await live.socket(1)
        #expect(socket.closeCode == 1_000)
        #expect(next.setup?.resumptionHandle == "h1")
        #expect(next.isPaused, "the reading stays paused")
        channel.send(.inputAudioBufferAppend(audio: [UInt8](repeating: 0, count: 960)), lane: .audio)
        #expect(next.messages.count == 1)
        next.say(.setupComplete(sessionId: nil))
        #expect(next.messages.count == 2)
        // What the old one still brings, its end too, is of no interest.
        socket.say(.audio(.pcm([1, 2], rate: 24_000)))
        socket.receiver.closed(ConnectionClosure(code: "closed", message: "", closeCode: 1_006))
        #expect(client.types == before && client.closure == nil)
        channel.resumeReading()
        #expect(!next.isPaused)
    }

    @Test func aClientThatWaitsForRoomHearsOfItFromTheNextSocket() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (_, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        #expect(client.drainedCount == 0)
        socket.say(.goAway(timeLeftMs: nil))
        // The old one's room is nobody's any more.
        socket.receiver.drained()
        _ = try await live.socket(1)
        let deadline = ContinuousClock.now + .seconds(20)
        while client.drainedCount == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(client.drainedCount == 1)
    }

    @Test func aServerThatGoesAwayWhileItsClientClosesIsNotFollowed() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        channel.close(code: 1_001, reason: "")
        socket.say(.goAway(timeLeftMs: nil))
        #expect(socket.closeCode == 1_001, "it is not closed once more")
        socket.receiver.closed(ConnectionClosure(code: "closed", message: "", closeCode: 1_001))
        #expect(client.closure?.closeCode == 1_001 && live.sockets.count == 1)
    }

    @Test func aServerThatSpeaksBeforeItsSetupIsALostConnection() async throws {
        let live = ScriptedLive(greetingAfterTheFirst: .setupComplete(sessionId: nil))
        let client = ScriptedClient()
        let (_, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        socket.say(.goAway(timeLeftMs: nil))
        #expect(try await closure(client)?.code == "resumption_failed")
        let deadline = ContinuousClock.now + .seconds(20)
        while live.sockets.last?.closeCode != 1_001, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(live.sockets.map(\.closeCode) == [1_000, 1_001])
    }

    @Test func aRefusedResumptionIsALostConnection() async throws {
        let refusal = ConnectionClosure(code: "http_503", message: "Later.", httpStatus: 503)
        let (live, client) = (ScriptedLive(refusingAfterTheFirst: refusal), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        socket.say(.goAway(timeLeftMs: nil))
        let closure = try await closure(client)
        #expect(closure?.code == "resumption_failed" && closure?.closeCode == 1_006)
        #expect(channel.send(.inputAudioBufferClear) == .refused)
    }

    @Test func aDroppedLinkIsResumedByTheHandleAndAHandleThatIsNotTakenIsALostConnection() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (_, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        socket.receiver.closed(ConnectionClosure(code: "lost", message: "", closeCode: 1_011))
        let next = try await live.socket(1)
        #expect(next.setup?.resumptionHandle == "h1" && client.closure == nil)
        next.receiver.closed(ConnectionClosure(code: "closed", message: "", closeCode: 1_007))
        #expect(try await closure(client)?.closeCode == 1_006)
    }

    @Test(
        arguments: [
            (nil, true, 1_006, 1_006), ("h1", false, 1_006, 1_006), ("h1", true, 1_007, 1_007),
        ] as [(String?, Bool, UInt16, UInt16)])
    func aSessionThatCannotBeResumedEndsAsItsSocketDoes(
        _ handle: String?, _ hasWorked: Bool, _ code: UInt16, _ told: UInt16
    ) async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (_, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: handle))
        if hasWorked { work(socket) }
        socket.receiver.closed(ConnectionClosure(code: "lost", message: "", closeCode: code))
        #expect(client.closure?.closeCode == told && live.sockets.count == 1)
    }

    @Test func anAnswerThatALostLinkHasCutIsForTheSessionToMend() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        channel.send(.responseCreate(nil))
        socket.say(.audio(.pcm([1, 2], rate: 24_000)))
        socket.receiver.closed(ConnectionClosure(code: "lost", message: "", closeCode: 1_006))
        #expect(client.closure?.closeCode == 1_006 && live.sockets.count == 1)
    }

    @Test func aSessionThatIsClosedWhileItIsResumedEndsAtOnceAndLeavesNoSocketOpen() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        socket.say(.goAway(timeLeftMs: nil))
        channel.close(code: 1_000, reason: "")
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            // Either the end came before the second socket, or that one is closed.
            if client.closure != nil, live.sockets.count == 1 || live.sockets[1].closeCode != nil { break }
            if live.sockets.count > 1, live.sockets[1].closeCode != nil { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(client.closure?.closeCode == 1_000 || live.sockets.last?.closeCode == 1_000)
        #expect(live.sockets.allSatisfy { $0.closeCode != nil })
    }

    @Test(arguments: [1_000, 1_001, 1_006] as [UInt16])
    func aSessionThatItsClientClosesIsNotResumed(_ code: UInt16) async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        socket.say(.sessionResumptionUpdate(handle: "h1"))
        work(socket)
        channel.close(code: 1_001, reason: "")
        socket.receiver.closed(ConnectionClosure(code: "closed", message: "", closeCode: code))
        #expect(client.closure?.closeCode == code && live.sockets.count == 1)
    }

    @Test func theEndOfTheSocketIsTheEndOfTheSession() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        channel.close(code: 1_000, reason: "")
        #expect(socket.closeCode == 1_000)
        let closure = ConnectionClosure(code: "closed", message: "", closeCode: 1_007)
        socket.receiver.drained()
        socket.receiver.closed(closure)
        #expect(client.closure == closure)
        #expect(client.drainedCount == 1)
    }

    @Test func whatIsNoMessageIsToldAndChangesNothing() async throws {
        let (live, client) = (ScriptedLive(), ScriptedClient())
        let (channel, socket) = try await session(live, client)
        #expect(channel.send(.text(Array("no JSON".utf8)), lane: .control) == .accepted)
        #expect(channel.send(.binary([1]), lane: .control) == .refused)
        socket.receiver.received(.text(Array("[]".utf8)))
        let codes = client.events.compactMap { event in
            if case .error(let info) = event { info.code } else { nil }
        }
        #expect(codes == ["invalid_json", "invalid_event"])
        #expect(client.closure == nil)
    }

    @Test func aRequestWithoutAModelIsRefusedBeforeAnythingIsOpened() async {
        let live = ScriptedLive()
        await #expect(throws: ConnectionClosure.self) {
            _ = try await GeminiLive.adapter(RealtimeRequest(), live.opener, ScriptedClient())
        }
        #expect(live.sockets.isEmpty)
    }
}
