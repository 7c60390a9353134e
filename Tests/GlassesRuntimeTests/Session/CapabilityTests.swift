import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// Sessions at servers that have a part of the protocol, each behind a real WebSocket.
@Suite("Endpoints with a part of the protocol", .serialized)
struct CapabilityTests {
    private func harness(
        _ provider: ScriptedProvider = ScriptedProvider(), variant: ScriptedGateway.Variant? = nil,
        _ change: (inout RealtimeCapabilities) -> Void = { _ in }
    ) throws -> SessionHarness {
        var variant = variant ?? ScriptedGateway.Variant()
        change(&variant.capabilities)
        return SessionHarness(server: try ScriptedGateway(serving: provider, variant: variant))
    }

    private func problems(_ harness: SessionHarness) -> [String] {
        harness.events.compactMap { event in
            if case .error("invalid_configuration", let message) = event { message } else { nil }
        }
    }

    /// The user interrupts an answer of a second in its middle.
    private func interrupt(_ harness: SessionHarness) async {
        harness.speakAnswer("r1", item: "a1", transcript: "one two three four", milliseconds: 1000, finish: false)
        await harness.run(.seconds(2)) { harness.device.simulatedSpeaker.heard.count >= 9_600 }
        harness.userSpeaks()
        await eventually("the answer is cut") { harness.events.contains(.assistantAudioFinished) }
    }

    /// An utterance is over and its commit is dealt with: what was sent before it has arrived.
    private func finishTurn(_ harness: SessionHarness) async {
        harness.userStops()
        await harness.run(.milliseconds(200))
    }

    private func kinds(_ harness: SessionHarness) -> [String] { harness.sent.map(\.type) }

    // MARK: - Cutting

    @Test("Where an answer cannot be truncated, the words that were heard take its place")
    func withoutTruncation() async throws {
        let harness = try harness { $0.truncates = false }
        let session = try await harness.awake()
        await interrupt(harness)
        await eventually("the item is deleted") { kinds(harness).contains("conversation.item.delete") }
        let words = harness.sent.compactMap { event -> (text: String?, after: String?)? in
            guard case .conversationItemCreate(let creation) = event, case .message(let message) = creation.item.body
            else { return nil }
            return (message.content.first?.text, creation.previousItemId)
        }
        #expect(words.count == 1)
        #expect(words.first?.after == "a1")
        #expect(words.first?.text?.hasPrefix("one") == true && words.first?.text?.hasSuffix(" …") == true)
        #expect(harness.truncations.isEmpty)
        // The server's word about the new item is no second answer in the history.
        if case .conversationItemCreate(let creation)? = harness.sent.first(where: {
            $0.type == "conversation.item.create"
        }) {
            harness.connection?.say(.conversationItemAdded(ItemPlacement(item: creation.item, previousItemId: "a1")))
        }
        await finishTurn(harness)
        let answers = session.conversationHistory().filter { if case .assistantText = $0 { true } else { false } }
        #expect(answers.count == 1)
        await harness.end(session)
    }

    @Test("Where items can be neither truncated nor deleted, nothing of the kind is sent and the session goes on")
    func withoutDeletion() async throws {
        let harness = try harness {
            $0.truncates = false
            $0.deletes = false
        }
        let session = try await harness.awake()
        await interrupt(harness)
        await finishTurn(harness)
        // What is typed comes behind whatever the cut has sent.
        let typed = Task { try await session.sendText("go on") }
        await eventually("the typed turn") { kinds(harness).contains("conversation.item.create") }
        #expect(!kinds(harness).contains { $0.hasPrefix("conversation.item.delete") || $0.hasSuffix("truncate") })
        #expect(kinds(harness).count { $0 == "conversation.item.create" } == 1)
        typed.cancel()
        await harness.end(session)
        _ = await typed.result
    }

    @Test("An answer that is to end is named where that is possible", arguments: [true, false])
    func cancelling(byName: Bool) async throws {
        let harness = try harness { $0.cancelsByName = byName }
        let session = try await harness.awake()
        harness.beginAnswer("r1", item: "a1")
        await eventually("the answer began") { session.state.current == .active && !harness.events.isEmpty }
        harness.sendAudio("r1", item: "a1", SessionHarness.tone(milliseconds: 400))
        await harness.run(.seconds(1)) { harness.events.contains(.assistantAudioStarted) }
        await session.cancelSpeak()
        await eventually("the cancel") { kinds(harness).contains("response.cancel") }
        let named = harness.sent.compactMap { event -> String?? in
            if case .responseCancel(let id) = event { .some(id) } else { nil }
        }
        #expect(named == [byName ? "r1" : nil])
        await harness.end(session)
    }

    // MARK: - The session's settings

    @Test("Turns by meaning become turns by silence, and the app is told")
    func withoutSemanticTurns() async throws {
        let harness = try harness { $0.semanticTurns = false }
        let session = try await harness.awake { $0.provider = .managed(turnDetection: .semanticVad) }
        guard case .serverVAD? = harness.connection?.session.input.turnDetection else {
            Issue.record("\(String(describing: harness.connection?.session.input.turnDetection))")
            return
        }
        await eventually("the app is told") { problems(harness).contains { $0.contains("silence only") } }
        await harness.end(session)
    }

    @Test("A server that writes nothing down is not asked to, and the app is told")
    func withoutTranscription() async throws {
        let harness = try harness { $0.transcribes = false }
        let session = try await harness.awake()
        #expect(harness.connection?.session.input.transcription == nil)
        await eventually("the app is told") { problems(harness).contains { $0.contains("transcribesInput") } }
        await harness.end(session)
    }

    @Test("The model that writes down what is said is named where it has to be")
    func transcriptionModel() async throws {
        let harness = try harness { $0.transcriptionModel = "my-deployment" }
        let session = try await harness.awake()
        #expect(harness.connection?.session.input.transcription?.model == "my-deployment")
        #expect(problems(harness).isEmpty)
        await harness.end(session)
    }

    @Test("A server that decides what interrupts is left to it")
    func turnsOfTheServer() async throws {
        let harness = try harness { $0.leavesTurnsToClient = false }
        let session = try await harness.awake { $0.interruption = InterruptionConfig() }
        guard case .serverVAD(let detection)? = harness.connection?.session.input.turnDetection else {
            Issue.record("no turn detection")
            return
        }
        #expect(detection.createResponse != false && detection.interruptResponse != false)
        await harness.end(session)
    }

    // MARK: - Turns and pictures

    @Test("A server that answers commits by itself is not asked for an answer", arguments: [true, false])
    func commits(areAnswered: Bool) async throws {
        let harness = try harness { $0.answersCommits = areAnswered }
        let session = try await harness.awake { $0.turnTaking = .pushToTalk }
        try await session.beginTurn()
        async let ended: Void = session.endTurn()
        await eventually("the commit") { kinds(harness).contains("input_audio_buffer.commit") }
        harness.connection?.say(.inputAudioBufferCommitted(BufferCommitted(itemId: "u1", previousItemId: nil)))
        try await ended
        harness.speakAnswer("r1", item: "a1", transcript: "yes", milliseconds: 200)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.events.contains(.assistantSpoke(transcript: "yes")))
        #expect(harness.responseRequests == (areAnswered ? 0 : 1))
        await harness.end(session)
    }

    @Test("A server that takes no pictures is sent none")
    func withoutPictures() async throws {
        let harness = try harness { $0.pictures = false }
        let session = try await harness.awake()
        let picture = "data:image/png;base64,iVBORw0KGgo="
        await #expect(throws: AssistantError.self) { try await session.includeImage(uri: picture) }
        await eventually("the app is told") {
            harness.events.contains { if case .error("vision_unsupported", _) = $0 { true } else { false } }
        }
        #expect(!kinds(harness).contains("conversation.item.create"))
        await harness.end(session)
    }

    // MARK: - Connections

    @Test(
        "A connection is left before its ceiling; a second one is opened beside it only where that is allowed",
        arguments: [true, false])
    func ceiling(allowsSecond: Bool) async throws {
        let provider = ScriptedProvider()
        var variant = ScriptedGateway.Variant()
        variant.capabilities.allowsSecondConnection = allowsSecond
        let server = try ScriptedGateway(serving: provider, variant: variant)
        let most = Mutex(0)
        var connector = server.connector
        connector.sessionCeiling = .seconds(120)
        let connect = connector.connect
        connector.connect = { request in
            let connection = try await connect(request)
            most.withLock { $0 = max($0, provider.openCount) }
            return connection
        }
        let harness = SessionHarness(server: server, connector: connector)
        let session = try await harness.awake { $0.silenceTimeout = nil }
        for _ in 0..<1_300 where !harness.events.contains(where: { if case .reconnected = $0 { true } else { false } })
        {
            harness.clock.advance(by: .milliseconds(100))
            for _ in 0..<3 { await pause() }
        }
        await eventually("it has moved") {
            harness.events.contains { if case .reconnected(.proactiveCadence, _) = $0 { true } else { false } }
        }
        #expect(provider.attempts == 2)
        #expect(most.withLock { $0 } == (allowsSecond ? 2 : 1))
        await harness.end(session)
    }

    // MARK: - Names and places

    private static func changed(_ bytes: [UInt8], _ change: (inout [String: JSONValue]) -> Void) -> [UInt8] {
        guard var event = (try? JSONValue(jsonText: bytes))?.objectValue else { return bytes }
        change(&event)
        return Array(JSONValue.object(event).jsonText.utf8)
    }

    @Test("Voice and turn detection go and come at the top of the session")
    func voiceOnTop() async throws {
        let updates = Mutex<[JSONValue]>([])
        var variant = ScriptedGateway.Variant()
        variant.capabilities = .xAI
        variant.toProvider = { bytes in
            Self.changed(bytes) { event in
                guard event["type"] == "session.update", var session = event["session"]?.objectValue else { return }
                updates.withLock { $0.append(.object(session)) }
                var audio = session["audio"]?.objectValue ?? [:]
                var input = audio["input"]?.objectValue ?? [:]
                input["turn_detection"] = session.removeValue(forKey: "turn_detection")
                audio["input"] = .object(input)
                audio["output"] = ["voice": session.removeValue(forKey: "voice") ?? .null]
                session["audio"] = .object(audio)
                event["session"] = .object(session)
            }
        }
        variant.toClient = { bytes in
            Self.changed(bytes) { event in
                guard var session = event["session"]?.objectValue else { return }
                session["turn_detection"] = ["type": "server_vad", "create_response": true, "interrupt_response": true]
                session["voice"] = "Ara"
                session["audio"] = ["input": ["format": ["type": "audio/pcm", "rate": 24_000]]]
                event["session"] = .object(session)
            }
        }
        let harness = try harness(variant: variant)
        let session = try await harness.awake { $0.provider = .managed(voice: "Ara") }
        let update = try #require(updates.withLock { $0.first })
        #expect(update["voice"] == "Ara")
        #expect(update["turn_detection"]?["type"] == "server_vad")
        #expect(update["audio"]?["input"]?["turn_detection"] == nil)
        #expect(update["audio"]?["input"]?["format"]?["rate"] == 24_000)
        await eventually("the voice is known") {
            harness.events.contains { if case .sessionStarted(_, _, "Ara") = $0 { true } else { false } }
        }
        // The server answers by itself: its own word of that was understood.
        harness.userSpeaks()
        harness.userStops()
        harness.speakAnswer("r1", item: "a1", transcript: "yes", milliseconds: 200)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.responseRequests == 0)
        await harness.end(session)
    }

    @Test("The beta's names go and come")
    func beta() async throws {
        let updates = Mutex<[JSONValue]>([])
        var variant = ScriptedGateway.Variant()
        variant.capabilities = .openAIBeta
        variant.toProvider = { bytes in
            Self.changed(bytes) { event in
                guard event["type"] == "session.update", let session = event["session"]?.objectValue else { return }
                updates.withLock { $0.append(.object(session)) }
                event["session"] = [
                    "type": "realtime", "audio": ["input": ["turn_detection": session["turn_detection"] ?? .null]],
                ]
            }
        }
        variant.toClient = { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
                .replacingOccurrences(of: "\"response.output_audio", with: "\"response.audio")
                .replacingOccurrences(of: "\"conversation.item.added\"", with: "\"conversation.item.created\"")
            return Array(text.utf8)
        }
        let harness = try harness(variant: variant)
        let session = try await harness.awake { $0.provider = .managed(voice: "alloy") }
        let update = try #require(updates.withLock { $0.first })
        #expect(update["voice"] == "alloy")
        #expect(update["input_audio_format"] == "pcm16")
        #expect(update["audio"] == nil)
        harness.speakAnswer("r1", item: "a1", transcript: "yes", milliseconds: 200)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.events.contains(.assistantSpoke(transcript: "yes")))
        await harness.end(session)
    }
}
