import GlassesDomain
import GlassesRealtime
import Synchronization

extension TestGlasses {
    /// The user says something, and the provider has understood it. An answer that is being spoken is interrupted, as by a real voice.
    /// Throws when the session does not listen; the mock provider hears it in every state after the start.
    public func userSays(_ text: String) async throws {
        let step = beginStep("userSays(\"\(text)\")")
        if let session, session.config.isMock { return try await session.sendText(text) }
        guard let session, session.state.current == .active else {
            throw ConversationFailure(
                kind: .misuse, step: step, reason: "The session does not listen; it is \(stateName).")
        }
        let before = count(of: text)
        let item = newName("user")
        storage.withLock { storage in
            storage.owesAnswer = provider.connections.last?.session.createsResponse ?? false
        }
        say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: item, audioStartMs: 0)))
        say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: item, audioEndMs: 60 * text.count)))
        say(.inputAudioBufferCommitted(BufferCommitted(itemId: item, previousItemId: nil)))
        let message = ConversationItem(id: item, body: .message(MessageItem(role: .user, content: [])))
        say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil)))
        say(
            .inputAudioTranscriptionCompleted(
                TranscriptionCompleted(itemId: item, transcript: text, usage: .duration(seconds: 0))))
        try await wait(step, "The session did not take what the user said.") { self.count(of: text) > before }
        await settle()
    }

    /// The user types something: the app's own `sendText`.
    public func userTypes(_ text: String) async throws {
        let step = beginStep("userTypes(\"\(text)\")")
        guard let session else {
            throw ConversationFailure(kind: .misuse, step: step, reason: "There is no session; start one.")
        }
        try await session.sendText(text)
    }

    private func count(of text: String) -> Int { events.count { $0 == .userSpoke(transcript: text) } }

    var stateName: String { session.map { $0.state.current.rawValue } ?? "not started" }

    // MARK: - The device

    /// The wearer folds the glasses: the session sleeps.
    public func fold() async throws {
        let step = beginStep("fold")
        device.drop(cause: .hingesClosed)
        try await wait(step, "The session did not fall asleep; it is \(self.stateName).") {
            self.session?.state.current != .active
        }
    }

    /// The wearer unfolds the glasses; the session stays asleep until the app wakes it.
    public func unfold() async {
        _ = beginStep("unfold")
        device.comeBack()
        await settle()
    }

    // MARK: - The network

    /// The connection breaks, and the session finds the provider again.
    public func loseConnection() async throws {
        let step = beginStep("loseConnection")
        let before = provider.connections.count
        provider.connections.last?.drop(
            ConnectionClosure(code: "closed", message: "The connection broke.", closeCode: 1006))
        storage.withLock { $0.owesAnswer = false }
        // Its own waiting is in the clock's time, at most a minute.
        for _ in 0..<700 where provider.connections.count == before || session?.state.current != .active {
            clock.advance(by: .milliseconds(100))
            await settle()
        }
        try await wait(step, "The session did not come back; it is \(self.stateName).") {
            self.session?.state.current == .active
        }
    }
}

extension RealtimeSession {
    /// Whether the provider answers each utterance by itself.
    fileprivate var createsResponse: Bool {
        switch input.turnDetection {
        case .serverVAD(let detection): detection.createResponse
        case .semanticVAD(let detection): detection.createResponse
        default: false
        }
    }
}
