import GlassesCore

/// Leads the conversation: runs the script, or follows what a person does at the keyboard.
struct TalkConversation: Sendable {
    /// How the conversation came to its end.
    enum End: Sendable, Hashable {
        /// The script is done; `isComplete` tells whether every line was answered.
        case scriptDone(isComplete: Bool)
        /// Somebody asked for the end.
        case asked
        /// The session ended by itself.
        case sessionEnded
    }

    let session: any AssistantSession
    let options: TalkOptions
    let journal: TalkJournal
    let voice: SpokenInput?

    /// Holds the conversation until it ends or a signal comes.
    func hold(until signals: EndSignals) async -> End {
        await FirstOf.run([
            {
                await signals.wait()
                return .asked
            },
            { await sessionEnd() },
            { options.script.isEmpty ? await followKeyboard() : await runScript() },
        ]) ?? .asked
    }

    private func sessionEnd() async -> End {
        for await entry in journal.follow(ticking: false) {
            if case .event(.assistant(.sessionEnded)) = entry { return .sessionEnded }
        }
        return .asked
    }

    // MARK: Script

    private func runScript() async -> End {
        var isComplete = true
        if options.greets, await played(since: journal.follow(), inputEnd: Stopwatch.now) != .answered {
            isComplete = false
        }
        for line in options.script where !Task.isCancelled {
            if await !run(line) { isComplete = false }
        }
        return .scriptDone(isComplete: isComplete)
    }

    private func run(_ line: TalkOptions.Line) async -> Bool {
        let entries = journal.follow()
        do {
            // A line before it may have sent the assistant to sleep.
            try await session.wake()
            let inputEnd: MonotonicTime
            switch line {
            case .typed(let text):
                try await session.sendText(text)
                inputEnd = Stopwatch.now
            case .spoken(let text): inputEnd = try await speak(text)
            }
            switch await played(since: entries, inputEnd: inputEnd) {
            case .answered, .abandoned: return true
            case .waiting: return false
            case .unanswered:
                journal.record(.error(Problem(code: "no_answer", "The line was not answered in time.")))
                return false
            }
        } catch {
            if !Task.isCancelled { journal.record(.error(Problem(session: error))) }
            return false
        }
    }

    private func speak(_ text: String) async throws -> MonotonicTime {
        guard let voice else { throw Problem.missingEngine("voice") }
        return Stopwatch.now.advanced(by: try await voice.speak(text))
    }

    /// Waits until the turn is over; `.waiting` when the conversation was ended meanwhile.
    private func played(
        since entries: AsyncStream<TalkJournal.Entry>, inputEnd: MonotonicTime
    ) async -> TurnWatch.Outcome {
        var watch = TurnWatch(inputEnd: inputEnd)
        for await entry in entries {
            let input: TurnWatch.Input? =
                switch entry {
                case .tick: .timePassed
                case .event(.assistant(let event)): .event(event)
                case .event: nil
                }
            guard let input else { continue }
            let outcome = watch.apply(input, at: Stopwatch.now)
            if outcome != .waiting { return outcome }
        }
        return .waiting
    }

    // MARK: Keyboard

    private func followKeyboard() async -> End {
        for await line in StandardInputLines.stream() {
            do {
                if session.state.current == .active, line.contains(where: { !$0.isWhitespace }) {
                    try await session.sendText(line)
                } else {
                    try await session.wake()
                }
            } catch {
                journal.record(.error(Problem(session: error)))
            }
        }
        // The end of standard input ends nothing: wait until something else does.
        for await _ in journal.follow(ticking: false) {}
        return .asked
    }
}
