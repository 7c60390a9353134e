import GlassesDomain
import Synchronization

/// A plugin's recogniser behind the port that the runtime uses.
final class PluginSpeechToText: SpeechToTextEngine {
    private let instance: any RecogniserInstance
    private let inbox: RecognitionInbox

    var id: String { instance.facts.id }
    var sampleRate: Int { instance.facts.sampleRate }
    /// US English for an engine that does not say, as the port has it.
    var languages: [String] { instance.facts.languages.isEmpty ? ["en-US"] : instance.facts.languages }

    init(instance: any RecogniserInstance, inbox: RecognitionInbox) {
        self.instance = instance
        self.inbox = inbox
    }

    func start(onPartial: @escaping @Sendable (RecognitionResult) -> Void) -> any SpeechToTextUtterance {
        let utterance = PluginUtterance(instance: instance, inbox: inbox, onPartial: onPartial)
        inbox.add(utterance)
        utterance.begin()
        return UtteranceHandle(utterance)
    }

    func shutdown() async {
        await instance.destroy()
        inbox.endAll()
    }
}

/// Receives a recogniser's reports and hands them to their utterances.
final class RecognitionInbox: Sendable {
    private let monitor: CallMonitor
    private let state = Mutex(State())

    private struct State {
        var ledger = RequestLedger()
        var utterances: [UInt64: PluginUtterance] = [:]
        var isEnded = false
    }

    init(monitor: CallMonitor) { self.monitor = monitor }

    /// Opens an utterance's request; it fails at once when the engine was ended.
    func add(_ utterance: PluginUtterance) {
        let isEnded = state.withLock { state in
            guard !state.isEnded else { return true }
            let id = state.ledger.begin()
            utterance.assign(id)
            state.utterances[id] = utterance
            return false
        }
        if isEnded { utterance.end(.failure(.ended)) }
    }

    func receive(_ report: RecognitionReport) {
        switch report {
        case .partial(let id, let result): state.withLock { $0.utterances[id] }?.partial(result)
        case .finished(let id, let result): finished(id, result)
        }
    }

    /// The utterance will get no report any more that counts: it was refused, or given up at its limit.
    func forget(_ id: UInt64, wasAccepted: Bool) {
        state.withLock { state in
            _ = wasAccepted ? state.ledger.expire(id) : state.ledger.refuse(id)
            state.utterances[id] = nil
        }
    }

    /// A request was not ended in time.
    func reportSilence(limit: Duration) { monitor.report(.notCompleted(limit: limit), in: "glasses_stt.finish") }

    func endAll() {
        let open = state.withLock { state in
            state.isEnded = true
            _ = state.ledger.closeAll()
            defer { state.utterances = [:] }
            return Array(state.utterances.values)
        }
        for utterance in open { utterance.end(.failure(.ended)) }
    }

    private func finished(_ id: UInt64, _ result: Result<RecognitionResult, PluginFailureReport>) {
        let (completion, utterance) = state.withLock { state in
            (state.ledger.complete(id), state.utterances.removeValue(forKey: id))
        }
        switch completion {
        case .expected: utterance?.end(result.mapError(SpeechEngineError.init))
        case .doubled: monitor.report(.completedTwice, in: "glasses_stt_host.on_finished")
        case .late: break  // An utterance that was cancelled is answered CANCELLED by every good plugin.
        case .unknown: monitor.report(.unknownRequest, in: "glasses_stt_host.on_finished")
        }
    }
}
