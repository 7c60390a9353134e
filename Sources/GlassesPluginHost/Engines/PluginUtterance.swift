import GlassesDomain
import Synchronization

/// One utterance at a plugin's recogniser: it ends exactly once.
final class PluginUtterance: Sendable {
    typealias Ending = Result<RecognitionResult, SpeechEngineError>

    /// As the port promises.
    private static let finishLimit: Duration = .seconds(30)
    private static let waitingSeconds = 60

    private let instance: any RecogniserInstance
    private let inbox: RecognitionInbox
    private let onPartial: @Sendable (RecognitionResult) -> Void
    private let state = Mutex(State())

    private struct State {
        var id: UInt64 = 0
        var waitingFrames = 0
        var isPluginFull = false
        var ending: Ending?
        var waiter: OnceContinuation<Ending>?
    }

    init(
        instance: any RecogniserInstance, inbox: RecognitionInbox,
        onPartial: @escaping @Sendable (RecognitionResult) -> Void
    ) {
        self.instance = instance
        self.inbox = inbox
        self.onPartial = onPartial
    }

    func assign(_ id: UInt64) { state.withLock { $0.id = id } }

    func begin() {
        guard let id = openId else { return }
        instance.send(.begin, utterance: id) { [self] answer in
            guard case .failure(let failure) = answer else { return }
            inbox.forget(id, wasAccepted: false)
            end(.failure(SpeechEngineError(failure)))
        }
    }

    /// False when more than a minute of audio waits here, or the plugin had no room for the block before.
    func push(_ samples: [Int16]) -> Bool {
        let limit = instance.facts.sampleRate * Self.waitingSeconds
        let (id, hasRoom): (UInt64?, Bool) = state.withLock { state in
            guard state.ending == nil, state.waitingFrames + samples.count <= limit else { return (nil, false) }
            state.waitingFrames += samples.count
            return (state.id, !state.isPluginFull)
        }
        guard let id else { return false }
        instance.send(.push(samples), utterance: id) { [self] answer in
            state.withLock { state in
                state.waitingFrames -= samples.count
                state.isPluginFull = answer.isBusy
            }
            if case .failure(let failure) = answer, failure.result != .busy {
                end(.failure(SpeechEngineError(failure)))
            }
        }
        return hasRoom
    }

    func finish() async -> Ending {
        await withCheckedContinuation { (continuation: CheckedContinuation<Ending, Never>) in
            let waiter = OnceContinuation(continuation)
            let ended: Ending? = state.withLock { state in
                if state.ending == nil { state.waiter = waiter }
                return state.ending
            }
            if let ended {
                waiter.resume(ended)
            } else {
                sendFinish()
            }
        }
    }

    /// Drops the utterance; without effect after its end.
    func cancel() { giveUp(.calledOff) }

    func partial(_ result: RecognitionResult) { if openId != nil { onPartial(result) } }

    /// The first ending counts.
    func end(_ ending: Ending) {
        let waiter = state.withLock { state in
            guard state.ending == nil else { return nil as OnceContinuation<Ending>? }
            state.ending = ending
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(ending)
    }

    private var openId: UInt64? { state.withLock { $0.ending == nil ? $0.id : nil } }

    private func sendFinish() {
        guard let id = openId else { return }
        instance.send(.finish, utterance: id) { [self] answer in
            if case .failure(let failure) = answer { end(.failure(SpeechEngineError(failure))) }
        }
        _ = Deadline.after(Self.finishLimit) { [weak self] in
            guard let self, openId != nil else { return }
            inbox.reportSilence(limit: Self.finishLimit)
            giveUp(
                SpeechEngineError(
                    code: "timeout",
                    message: "The recogniser did not finish in time. Speak again, or use a faster engine."))
        }
    }

    private func giveUp(_ error: SpeechEngineError) {
        guard let id = openId else { return }
        end(.failure(error))
        inbox.forget(id, wasAccepted: true)
        instance.send(.cancel, utterance: id) { _ in }
    }
}

/// What the runtime holds of an utterance; letting it go drops the utterance.
final class UtteranceHandle: SpeechToTextUtterance {
    private let utterance: PluginUtterance

    init(_ utterance: PluginUtterance) { self.utterance = utterance }

    deinit { utterance.cancel() }

    func push(_ samples: [Int16]) -> Bool { utterance.push(samples) }

    func finish() async throws(SpeechEngineError) -> RecognitionResult {
        let ending = await withTaskCancellationHandler {
            await utterance.finish()
        } onCancel: {
            utterance.cancel()
        }
        return try ending.get()
    }

    func cancel() { utterance.cancel() }
}

extension Result where Failure == PluginFailureReport {
    /// Whether the plugin had no room.
    fileprivate var isBusy: Bool { if case .failure(let failure) = self { failure.result == .busy } else { false } }
}
