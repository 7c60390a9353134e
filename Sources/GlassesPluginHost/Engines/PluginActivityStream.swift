import GlassesDomain
import Synchronization

/// One stream at a plugin's detector: in order, and over once.
final class PluginActivityStream: Sendable {
    /// As the port promises.
    private static let waitingSeconds = 2

    private let instance: any DetectorInstance
    private let inbox: DetectionInbox
    private let onActivity: @Sendable (VoiceActivity) -> Void
    private let onFailure: @Sendable (SpeechEngineError) -> Void
    private let state = Mutex(State())

    private struct State {
        var id: UInt64 = 0
        var pushedFrames: Int64 = 0
        /// Frames whose call was not made yet.
        var waitingFrames = 0
        /// Where the next judgement may begin at the earliest.
        var judgedFrames: Int64 = 0
        var isOver = false
    }

    init(
        instance: any DetectorInstance, inbox: DetectionInbox, onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) {
        self.instance = instance
        self.inbox = inbox
        self.onActivity = onActivity
        self.onFailure = onFailure
    }

    func begin(_ id: UInt64) {
        state.withLock { $0.id = id }
        instance.send(.begin, stream: id) { [self] answer in
            guard case .failure(let failure) = answer else { return }
            inbox.forget(id, wasAccepted: false)
            fail(SpeechEngineError(failure))
        }
    }

    func push(_ samples: [Int16]) {
        let limit = instance.facts.sampleRate * Self.waitingSeconds
        let (id, isFull): (UInt64?, Bool) = state.withLock { state in
            guard !state.isOver, !samples.isEmpty else { return (nil, false) }
            guard state.waitingFrames + samples.count <= limit else { return (nil, true) }
            state.waitingFrames += samples.count
            state.pushedFrames += Int64(samples.count)
            return (state.id, false)
        }
        if isFull { giveUp(.lagging) }
        guard let id else { return }
        instance.send(.push(samples), stream: id) { [self] answer in
            state.withLock { $0.waitingFrames -= samples.count }
            if case .failure(let failure) = answer { giveUp(SpeechEngineError(failure)) }
        }
    }

    func reset() {
        let id: UInt64? = state.withLock { $0.isOver ? nil : $0.id }
        guard let id else { return }
        instance.send(.reset, stream: id) { [self] answer in
            if case .failure(let failure) = answer { giveUp(SpeechEngineError(failure)) }
        }
    }

    func end() { finish() }

    func judged(_ activity: VoiceActivity) {
        let (isWanted, isInPlace) = state.withLock { state in
            guard !state.isOver else { return (false, true) }
            let end = activity.firstFrame.addingReportingOverflow(Int64(activity.frames))
            guard activity.frames > 0, activity.firstFrame >= state.judgedFrames, !end.overflow,
                end.partialValue <= state.pushedFrames
            else { return (false, false) }
            state.judgedFrames = end.partialValue
            return (true, true)
        }
        if isWanted { onActivity(activity) }
        if isInPlace { return }
        inbox.reportWrongPosition()
        giveUp(.misplaced)
    }

    /// The plugin has ended the stream, or never began it; the first end counts.
    func fail(_ error: SpeechEngineError) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { onFailure(error) }
    }

    /// The host ends a stream that does not keep its word.
    private func giveUp(_ error: SpeechEngineError) { if finish() { onFailure(error) } }

    @discardableResult
    private func finish() -> Bool {
        let id: UInt64? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.id
        }
        guard let id else { return false }
        inbox.forget(id, wasAccepted: true)
        instance.send(.end, stream: id) { _ in }
        return true
    }
}

/// What the runtime holds of a stream; letting it go ends the stream.
final class ActivityStreamHandle: VoiceActivityStream {
    private let stream: PluginActivityStream

    init(_ stream: PluginActivityStream) { self.stream = stream }

    deinit { stream.end() }

    func push(_ samples: [Int16]) { stream.push(samples) }
    func reset() { stream.reset() }
    func end() { stream.end() }
}

extension SpeechEngineError {
    fileprivate static let lagging = SpeechEngineError(
        code: "engine_busy", message: "The voice activity detector does not keep up. Use a faster one.")
    fileprivate static let misplaced = SpeechEngineError(
        code: "engine_failed",
        message: "The voice activity detector judged audio that it did not get. Update its plugin.")
}
