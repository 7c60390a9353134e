import GlassesDomain

/// What the user says, and what the stand-in makes of it.
extension MockSessionMachine {
    mutating func sendText(_ text: String, _ id: OperationID) {
        switch state {
        case .idle: return finish(id, .failed(.notReady))
        case .stopping, .stopped: return finish(id, .failed(.sessionEnded))
        case .dormant, .activating, .active, .reconnecting, .sleeping: break
        }
        let length = text.utf8.count
        guard length <= Self.textBytes else {
            let message = "The text has \(length) bytes; send at most \(Self.textBytes) at once."
            return finish(id, .failed(.providerError(code: "text_too_long", message: message)))
        }
        if !text.allSatisfy(\.isWhitespace) { userSays(text) }
        finish(id, .succeeded)
    }

    private mutating func userSays(_ text: String) {
        notify(.userSpoke(transcript: text))
        if state == .active, sleepPhrases.matches(text) { return sleepByItself() }
        turns.append(.userText(text: text, timestampMs: timestampMs))
        applyLedger(.userTurned)
        let asked = askedFor
        askedFor = nil
        if let asked, agreement.isWhole(text) { return call(asked) }
        // Only a word of agreement is one: what else was said ends the question.
        applyLedger(.userTurned)
        if cancelPhrases.isWhole(text) {
            applyLedger(.calledOff)
            return speak(asked != nil || !outcomes.isEmpty ? "Cancelled." : "There is nothing to cancel.")
        }
        guard let tool = choice.tool(for: text) else { return speak("I have no tool for that.") }
        call(tool)
    }

    private mutating func call(_ tool: String) {
        let (callID, answerID) = (newCallID(), newAnswerID())
        applyLedger(.called(responseID: answerID, callID: callID, name: tool, arguments: "{}"))
        applyLedger(.answerEnded(responseID: answerID))
    }

    mutating func ended(_ outcome: ToolOutcome) {
        outcomes[outcome.callID] = outcome
        let text = ToolOutput.wireText(outcome.output, isError: outcome.isError)
        turns.append(.toolReturn(callId: outcome.callID, output: text, timestampMs: timestampMs))
        notify(
            .toolResult(
                callId: outcome.callID, name: outcome.name, output: outcome.output, isError: outcome.isError,
                durationMs: outcome.duration.wholeMilliseconds))
    }

    /// The calls of an answer have ended: says so, or asks the user.
    mutating func tellOutcomes(_ callIDs: [String]) {
        for callID in callIDs {
            guard let outcome = outcomes[callID] else { continue }
            if outcome.isError, ledger.asksAbout(outcome.name, [:]) {
                askedFor = outcome.name
                speak("Shall I run \(outcome.name)?")
            } else if outcome.isError {
                speak("Sorry, \(outcome.name) did not work. \(outcome.output)")
            } else {
                speak(outcome.output.isEmpty ? "\(outcome.name) is done." : outcome.output)
            }
        }
    }

    /// Says a text that nobody hears: its sound begins and ends in one moment.
    mutating func speak(_ text: String) {
        notify(.assistantAudioStarted)
        notify(.assistantSpoke(transcript: text))
        notify(.assistantAudioFinished)
        turns.append(.assistantText(text: text, timestampMs: timestampMs))
        applyLedger(.answerHeard(responseID: newAnswerID()))
    }

    /// `mock_call_` and random digits in the form of RFC 9562, version 4.
    private mutating func newCallID() -> String {
        let (high, low) = (generator.next(), generator.next())
        let versioned = high & ~0xF000 | 0x4000
        let marked = low & ~(0xC0 << 56) | 0x80 << 56
        var groups: [Substring] = []
        var rest = (Self.hex(versioned) + Self.hex(marked))[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return "mock_call_" + groups.joined(separator: "-")
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
