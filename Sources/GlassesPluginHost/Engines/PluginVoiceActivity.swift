import GlassesDomain
import Synchronization

/// A plugin's voice activity detector behind the port that the runtime uses.
final class PluginVoiceActivity: VoiceActivityEngine {
    private let instance: any DetectorInstance
    private let inbox: DetectionInbox

    var id: String { instance.facts.id }
    var sampleRate: Int { instance.facts.sampleRate }

    init(instance: any DetectorInstance, inbox: DetectionInbox) {
        self.instance = instance
        self.inbox = inbox
    }

    func start(
        onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) -> any VoiceActivityStream {
        let stream = PluginActivityStream(
            instance: instance, inbox: inbox, onActivity: onActivity, onFailure: onFailure)
        inbox.open(stream)
        return ActivityStreamHandle(stream)
    }

    func shutdown() async {
        await instance.destroy()
        inbox.endAll()
    }
}

/// Receives a detector's reports and hands them to their streams.
final class DetectionInbox: Sendable {
    private let monitor: CallMonitor
    private let state = Mutex(State())

    private struct State {
        var ledger = RequestLedger()
        var streams: [UInt64: PluginActivityStream] = [:]
        var isEnded = false
    }

    init(monitor: CallMonitor) { self.monitor = monitor }

    /// Opens a stream; it fails at once when the engine was ended.
    func open(_ stream: PluginActivityStream) {
        let id: UInt64? = state.withLock { state in
            guard !state.isEnded else { return nil }
            let id = state.ledger.begin()
            state.streams[id] = stream
            return id
        }
        if let id {
            stream.begin(id)
        } else {
            stream.fail(.ended)
        }
    }

    func receive(_ report: DetectionReport) {
        switch report {
        case .activity(let id, let activity): judged(id, activity)
        case .failed(let id, let failure): failed(id, failure)
        }
    }

    /// The stream gets no report any more: it was ended, or refused.
    func forget(_ id: UInt64, wasAccepted: Bool) {
        state.withLock { state in
            _ = wasAccepted ? state.ledger.expire(id) : state.ledger.refuse(id)
            state.streams[id] = nil
        }
    }

    /// A judgement is not where it has to be.
    func reportWrongPosition() { monitor.report(.wrongPosition, in: DetectionCallbacks.onActivity) }

    func endAll() {
        let open = state.withLock { state in
            state.isEnded = true
            _ = state.ledger.closeAll()
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in open { stream.fail(.ended) }
    }

    private func judged(_ id: UInt64, _ activity: VoiceActivity) {
        let (stream, wasOpened) = state.withLock { ($0.streams[id], $0.ledger.knows(id)) }
        // A judgement that was under way when its stream ended is no fault.
        if !wasOpened { monitor.report(.unknownRequest, in: DetectionCallbacks.onActivity) }
        stream?.judged(activity)
    }

    private func failed(_ id: UInt64, _ failure: PluginFailureReport) {
        let (completion, stream) = state.withLock { state in
            (state.ledger.complete(id), state.streams.removeValue(forKey: id))
        }
        switch completion {
        case .expected: stream?.fail(SpeechEngineError(failure))
        case .doubled: monitor.report(.completedTwice, in: DetectionCallbacks.onFailed)
        case .late: break  // It failed while it was being ended.
        case .unknown: monitor.report(.unknownRequest, in: DetectionCallbacks.onFailed)
        }
    }
}
