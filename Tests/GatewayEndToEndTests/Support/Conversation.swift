import GlassesDomain

/// Holds a scripted conversation with a session, whatever happens to its connection meanwhile.
struct Conversation: Sendable {
    /// A turn that did not leave the history that it should.
    struct Failed: Error, CustomStringConvertible {
        let step: Int
        let line: ConversationScript.Line
        let history: [Turn]
        let state: AssistantState
        let events: [AssistantEvent]

        var description: String {
            "turn \(step), \(line), in \(state): the history ends with \(history.suffix(6)), the events with \(events.suffix(12))"
        }
    }

    /// For one turn with all its reconnects: on a busy machine a gateway alone takes half a minute to come back.
    private static let turnLimit = Duration.seconds(150)

    let script: ConversationScript
    let live: LiveSession
    let speech: Speech

    /// Goes through the script; throws at the first turn that does not come to its end.
    func hold() async throws {
        for (index, step) in script.steps.enumerated() {
            try await say(step.line)
            let expected = script.history(after: index + 1)
            let isDone = try await LiveSession.until(Self.turnLimit) {
                try live.history == expected && !live.isAudible && !live.microphone.isSpeaking
            }
            guard isDone else {
                throw Failed(
                    step: index, line: step.line, history: live.session.conversationHistory(limit: 1_000),
                    state: live.session.state.current, events: live.events)
            }
        }
    }

    /// A person does not speak to an assistant that is not there.
    private func say(_ line: ConversationScript.Line) async throws {
        _ = await LiveSession.until(Self.turnLimit) { live.session.state.current == .active }
        switch line {
        case .spoken(let text): live.microphone.speak(try await speech.samples(text))
        case .typed(let text):
            let turns = live.session.conversationHistory(limit: 1_000).count
            do { try await live.session.sendText(text) } catch {
                // Lost at that moment: it is typed again, unless the session has kept it.
                _ = await LiveSession.until(Self.turnLimit) { live.session.state.current == .active }
                guard live.session.conversationHistory(limit: 1_000).count == turns else { return }
                try await live.session.sendText(text)
            }
        }
    }
}
