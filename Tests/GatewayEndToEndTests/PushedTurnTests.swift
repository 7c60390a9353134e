import Foundation
import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesTesting
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// A button that is held while one speaks: with the pipeline of this process, and with Gemini Live over a real socket.
@Suite(.serialized) struct PushedTurnTests {
    private func push(_ live: LiveSession, speaking milliseconds: Int, in quiet: Duration = .zero) async throws {
        try await live.session.beginTurn()
        live.microphone.speak(PredictableEngines.speech(milliseconds))
        _ = await LiveSession.until(.seconds(30)) { !live.microphone.isSpeaking }
        // What is on its way from the microphone belongs to the turn.
        try await Task.sleep(for: .milliseconds(200) + quiet)
        try await live.session.endTurn()
    }

    /// A session at a Gemini Live server whose turns the app tells.
    private func pushing(at server: LiveServer) async throws -> LiveSession {
        let connector = Extentos.connector(to: GatewayEndpoint(url: try server.url))
        return try await LiveSession(connector, model: "live-model") { $0.turnTaking = .pushToTalk }
    }

    private func waitForTurns(_ count: Int, _ live: LiveSession) async throws {
        let isDone = await LiveSession.until(.seconds(60)) {
            live.session.conversationHistory(limit: 100).count == count && !live.isAudible
        }
        try #require(isDone, "\(live.session.conversationHistory(limit: 100)) \(live.events)")
    }

    private func spoken(_ live: LiveSession) -> [String] {
        live.events.compactMap { if case .userSpoke(let words) = $0 { words } else { nil } }
    }

    @Test(.timeLimit(.minutes(1)))
    func withThePipelineAHeldButtonIsOneTurnHoweverOftenOnePauses() async throws {
        let ear = CountingEar()
        let connector = PipelineConnector.make(engines: PredictableEngines.make(ear), clock: LiveClock.port)
        let live = try await LiveSession(connector) { $0.turnTaking = .pushToTalk }
        // Nobody is heard without the button.
        live.microphone.speak(PredictableEngines.speech(800))
        _ = await LiveSession.until(.seconds(30)) { !live.microphone.isSpeaking }
        // A pause that ends a turn for any detector.
        try await live.session.beginTurn()
        live.microphone.speak(
            PredictableEngines.speech(600) + [Int16](repeating: 0, count: 24_000) + PredictableEngines.speech(600))
        _ = await LiveSession.until(.seconds(30)) { !live.microphone.isSpeaking }
        try await Task.sleep(for: .milliseconds(200))
        try await live.session.endTurn()
        try await waitForTurns(2, live)
        #expect(try live.history == HistoryEntry.both("utterance 1", "You said utterance 1."))
        #expect(spoken(live) == ["utterance 1"])
        #expect(ear.loudMilliseconds.count == 1 && ear.loudMilliseconds.allSatisfy { (700...1_000).contains($0) })
        try await push(live, speaking: 600)
        try await waitForTurns(4, live)
        #expect(spoken(live) == ["utterance 1", "utterance 2"])
        await live.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func withThePipelineAButtonThatIsReleasedWithoutSpeechIsNoTurn() async throws {
        let ear = CountingEar()
        let connector = PipelineConnector.make(engines: PredictableEngines.make(ear), clock: LiveClock.port)
        let live = try await LiveSession(connector) { $0.turnTaking = .pushToTalk }
        // Touched, and held in silence.
        for quiet in [Duration.zero, .milliseconds(800)] {
            try await live.session.beginTurn()
            if quiet > .zero { try await Task.sleep(for: quiet) }
            do { try await live.session.endTurn() } catch AssistantError.providerError(let code, _) {
                #expect(code == "input_audio_buffer_commit_empty")
            }
        }
        try await push(live, speaking: 600)
        _ = await LiveSession.until(.seconds(30)) { spoken(live).count == 1 && !live.isAudible }
        #expect(spoken(live) == ["utterance 1"])
        #expect(ear.loudMilliseconds.count == 1)
        let users = try live.history.filter { if case .user = $0 { true } else { false } }
        #expect(users == [.user("utterance 1")])
        #expect(live.events.count { if case .error = $0 { true } else { false } } == 0)
        await live.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func withGeminiLiveAHeldButtonIsOneActivity() async throws {
        let server = try LiveServer()
        let live = try await pushing(at: server)
        let connection = try #require(server.connections.first)
        #expect(connection.setup?.activityDetection.isDisabled == true)
        live.microphone.speak(PredictableEngines.speech(800))
        _ = await LiveSession.until(.seconds(30)) { !live.microphone.isSpeaking }
        #expect(connection.heardMilliseconds == 0 && connection.activities.isEmpty)
        for turn in 1...2 {
            let before = connection.heardMilliseconds
            try await push(live, speaking: 1_000)
            try await waitForTurns(2 * turn, live)
            #expect(connection.activities.count == 2 * turn)
            #expect((1_000...2_500).contains(connection.heardMilliseconds - before))
        }
        #expect(connection.activities == [.activityStart, .activityEnd, .activityStart, .activityEnd])
        #expect(connection.isInActivityOnly)
        let said = try (1...2).flatMap { try HistoryEntry.both("spoken \($0)", "You said spoken \($0).") }
        #expect(try live.history == said)
        #expect(spoken(live) == ["spoken 1", "spoken 2"])
        #expect(server.connections.count == 1)
        await live.end()
        await server.stop()
    }

    @Test(.timeLimit(.minutes(1)))
    func withGeminiLiveAButtonThatIsTouchedOrTakenBackTellsTheServerNothing() async throws {
        let server = try LiveServer()
        let live = try await pushing(at: server)
        let connection = try #require(server.connections.first)
        try await live.session.beginTurn()
        do { try await live.session.endTurn() } catch AssistantError.providerError(let code, _) {
            #expect(code == "input_audio_buffer_commit_empty")
        }
        try await live.session.beginTurn()
        live.microphone.speak(PredictableEngines.speech(500))
        _ = await LiveSession.until(.seconds(30)) { !live.microphone.isSpeaking }
        await live.session.cancelTurn()
        try await push(live, speaking: 600)
        try await waitForTurns(2, live)
        #expect(connection.activities == [.activityStart, .activityEnd])
        #expect(spoken(live) == ["spoken 1"])
        await live.end()
        await server.stop()
    }
}

extension LiveServer.Connection {
    /// Whether all sound came between the beginning of an activity and its end.
    fileprivate var isInActivityOnly: Bool {
        var isActive = false
        for message in messages {
            switch message {
            case .realtimeInput(.activityStart): isActive = true
            case .realtimeInput(.activityEnd): isActive = false
            case .realtimeInput(.audio): if !isActive { return false }
            case .setup, .clientContent, .realtimeInput, .toolResponse, .unknown: break
            }
        }
        return true
    }
}
