import GlassesAssistant
import GlassesDomain

/// A fault planted between the session and its world, as a wrong machine would make it, so that each invariant proves itself.
public enum StormBug: String, CaseIterable, Sendable {
    /// A state is skipped.
    case skippedState
    /// Every eighth ending of a call of the app is lost.
    case lostEnding
    /// Every eighth call of the app ends twice.
    case secondEnding
    /// A tool body is run twice.
    case secondRun
    /// An end of the assistant's sound is not told.
    case lostAudioEdge
    /// An answer is asked for twice.
    case secondRequest
    /// Playback is not cut.
    case lostFlush
    /// An answer is truncated a second too late.
    case lateTruncation
    /// A turn that was heard to its end is kept as if it had been cut.
    case wrongWords
    /// A turn of the history is lost.
    case lostTurn
    /// A result is not sent.
    case lostResult
    /// The microphone is not closed.
    case openMicrophone
    /// What a dropped connection's successor says is taken for the old one's, and dropped.
    case commandOnOldConnection
    /// The history grows without a bound.
    case endlessHistory
    /// A connection is not closed.
    case leftConnection

    /// The invariant that has to notice.
    public var invariant: StormInvariant {
        switch self {
        case .skippedState: .legalState
        case .lostEnding, .secondEnding: .oneEndingPerRequest
        case .secondRun: .oneEndingPerCall
        case .lostAudioEdge: .pairedAudioEdges
        case .secondRequest: .oneAnswerAtATime
        case .lostFlush, .lateTruncation: .cutAtTheEar
        case .wrongWords, .lostTurn: .historyIsTrue
        case .lostResult: .conversationIsTheHistory
        case .openMicrophone: .silentMicrophone
        case .commandOnOldConnection: .oneConnection
        case .endlessHistory: .boundedMemory
        case .leftConnection: .nothingLeft
        }
    }

    func change(_ configuration: inout SessionConfiguration) {
        if self == .endlessHistory, configuration.historyCap < 100 { configuration.historyCap = 1_000 }
    }

    func change(_ actions: inout [SessionAction], _ step: Int) {
        switch self {
        case .skippedState: actions.removeAll { $0 == .enter(.activating) }
        case .lostEnding: if step % 8 == 0 { actions.removeAll { if case .finish = $0 { true } else { false } } }
        case .secondEnding:
            if step % 8 == 0 { repeatFirst(&actions) { if case .finish = $0 { true } else { false } } }
        case .secondRun: repeatFirst(&actions) { if case .tool(.run) = $0 { true } else { false } }
        case .lostAudioEdge: if step % 4 == 0 { actions.removeAll { $0 == .notify(.assistantAudioFinished) } }
        case .secondRequest: repeatFirst(&actions) { if case .send(.requestAnswer, _) = $0 { true } else { false } }
        case .lostFlush: actions.removeAll { if case .playback(.flush) = $0 { true } else { false } }
        case .lateTruncation: delayTruncation(&actions)
        case .wrongWords: actions = actions.map(Self.cutLastTurn)
        case .lostTurn: actions = actions.map(Self.loseTurn)
        case .lostResult:
            actions.removeAll {
                if case .send(.createItem(_, .functionCallOutput), _) = $0 { true } else { false }
            }
        case .openMicrophone: actions.removeAll { $0 == .microphone(.close) || $0 == .microphone(.stopUplink) }
        case .commandOnOldConnection: actions = actions.map(Self.misdirect)
        case .leftConnection:
            actions.removeAll {
                switch $0 {
                case .connection(.close), .connection(.abandon): true
                default: false
                }
            }
        case .endlessHistory: break
        }
    }

    private func repeatFirst(_ actions: inout [SessionAction], where matches: (SessionAction) -> Bool) {
        if let index = actions.firstIndex(where: matches) { actions.insert(actions[index], at: index) }
    }

    private func delayTruncation(_ actions: inout [SessionAction]) {
        for index in actions.indices {
            guard case .send(.truncateItem(let event, let item, let part, let time), let id) = actions[index] else {
                continue
            }
            actions[index] = .send(
                .truncateItem(eventID: event, itemID: item, contentIndex: part, milliseconds: time + 1_000), on: id)
        }
    }

    private static func cutLastTurn(_ action: SessionAction) -> SessionAction {
        guard case .publishHistory(var turns) = action, case .assistantText(let text, let time)? = turns.last else {
            return action
        }
        turns[turns.count - 1] = .assistantText(text: text + " …", timestampMs: time)
        return .publishHistory(turns)
    }

    private static func loseTurn(_ action: SessionAction) -> SessionAction {
        guard case .publishHistory(let turns) = action, turns.count > 3 else { return action }
        return .publishHistory(Array(turns.dropFirst()))
    }

    private static func misdirect(_ action: SessionAction) -> SessionAction {
        guard case .send(let command, let id) = action, id.number > 20 else { return action }
        return .send(command, on: ConnectionID(id.number - 1))
    }
}
