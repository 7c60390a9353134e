import GlassesDomain
import Synchronization

/// A plugin's synthesiser behind the port that the runtime uses.
final class PluginTextToSpeech: TextToSpeechEngine {
    private let instance: any SynthesiserInstance
    private let inbox: SynthesisInbox

    var id: String { instance.facts.id }
    var sampleRate: Int { instance.facts.sampleRate }
    var voices: [String] { instance.facts.voices }

    init(instance: any SynthesiserInstance, inbox: SynthesisInbox) {
        self.instance = instance
        self.inbox = inbox
    }

    func synthesize(
        _ text: String, voice: String?, rate: Float, pitch: Float
    ) -> AsyncThrowingStream<PCMBlock, any Error> {
        // Not more than what audioArrived counts: every block is bounded there by the request's own limit.
        let (stream, continuation) = AsyncThrowingStream<PCMBlock, any Error>.makeStream()
        guard text.utf8.count <= CText.messageLimit else {
            continuation.finish(throwing: SpeechEngineError.textTooLong)
            return stream
        }
        let request = inbox.open(continuation, sampleRate: sampleRate)
        guard let request else {
            continuation.finish(throwing: SpeechEngineError.ended)
            return stream
        }
        continuation.onTermination = { [instance, inbox] _ in
            if inbox.callOff(request) { instance.cancel(request: request) }
        }
        // A C string ends at its first NUL; the words after one are meant to be heard too.
        let spoken = text.replacing("\0", with: " ")
        let options = Self.options(voice: voice.flatMap { voices.contains($0) ? $0 : nil }, rate: rate, pitch: pitch)
        instance.speak(spoken, options: options, request: request) { [inbox] answer in
            if case .failure(let failure) = answer { inbox.refused(request, failure) }
        }
        watch(request)
        return stream
    }

    func shutdown() async {
        await instance.destroy()
        inbox.endAll()
    }

    private static func options(voice: String?, rate: Float, pitch: Float) -> String {
        var members: [String: JSONValue] = [
            "rate": .double(rate.isFinite ? Double(min(max(rate, 0.5), 2)) : 1),
            "pitch": .double(pitch.isFinite ? Double(min(max(pitch, -1), 1)) : 0),
        ]
        if let voice { members["voice"] = .string(voice) }
        return JSONValue.object(members).jsonText
    }

    /// A synthesiser that says nothing for this long hangs; even a slow board makes a sentence in it.
    private static let silenceLimit: Duration = .seconds(10)

    private func watch(_ request: UInt64) {
        _ = Deadline.after(Self.silenceLimit) { [self] in
            switch inbox.checkSilence(request, limit: Self.silenceLimit) {
            case .busy: watch(request)
            case .silent: instance.cancel(request: request)
            case .over: break
            }
        }
    }
}

/// Receives a synthesiser's audio and endings and hands them to their streams.
final class SynthesisInbox: Sendable {
    typealias Stream = AsyncThrowingStream<PCMBlock, any Error>.Continuation

    /// What a look at a request's progress shows.
    enum Progress: Sendable {
        case busy
        case silent
        case over
    }

    /// A text of the longest allowed length lasts less; an engine that makes more is broken, and would fill the memory.
    private static let requestSeconds = 3_600 * 2
    /// No engine hands over more than a minute in one block.
    private static let blockSeconds = 60

    private struct Request {
        var stream: Stream
        var sampleRate: Int
        var frames = 0
        var hasNews = false
    }

    private struct State {
        var ledger = RequestLedger()
        var requests: [UInt64: Request] = [:]
        var isEnded = false
    }

    private let monitor: CallMonitor
    private let state = Mutex(State())

    init(monitor: CallMonitor) { self.monitor = monitor }

    /// Opens a request; nil after the engine was ended.
    func open(_ stream: Stream, sampleRate: Int) -> UInt64? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            let id = state.ledger.begin()
            state.requests[id] = Request(stream: stream, sampleRate: sampleRate)
            return id
        }
    }

    /// A block arrived; false when nobody wants more of its request.
    func audioArrived(_ id: UInt64, _ block: UnsafeBufferPointer<Int16>) -> Bool {
        let (stream, sampleRate): (Stream?, Int) = state.withLock { state in
            guard var request = state.requests[id] else { return (nil, 0) }
            request.frames += block.count
            request.hasNews = true
            state.requests[id] = request
            let isPlausible =
                block.count <= request.sampleRate * Self.blockSeconds
                && request.frames <= request.sampleRate * Self.requestSeconds
            return (isPlausible ? request.stream : nil, request.sampleRate)
        }
        guard let stream else { return false }
        stream.yield(PCMBlock(samples: Array(block), sampleRate: sampleRate))
        return true
    }

    /// The plugin ended a request.
    func finished(_ id: UInt64, _ result: Result<Void, PluginFailureReport>) {
        let (completion, request) = state.withLock { state in
            (state.ledger.complete(id), state.requests.removeValue(forKey: id))
        }
        switch completion {
        case .expected: Self.end(request, result.mapError(SpeechEngineError.init))
        case .doubled: monitor.report(.completedTwice, in: "glasses_tts_host.on_finished")
        case .late: break  // A request that was called off is answered CANCELLED by every good plugin.
        case .unknown: monitor.report(.unknownRequest, in: "glasses_tts_host.on_finished")
        }
    }

    /// The plugin did not accept a request.
    func refused(_ id: UInt64, _ failure: PluginFailureReport) {
        let request = state.withLock { state in
            state.ledger.refuse(id) ? state.requests.removeValue(forKey: id) : nil
        }
        Self.end(request, .failure(SpeechEngineError(failure)))
    }

    /// Nobody listens any more; true when the plugin has to be told.
    func callOff(_ id: UInt64) -> Bool {
        let request = state.withLock { state in
            state.ledger.expire(id) ? state.requests.removeValue(forKey: id) : nil
        }
        Self.end(request, .failure(.calledOff))
        return request != nil
    }

    /// Ends a request that made no progress since the last look.
    func checkSilence(_ id: UInt64, limit: Duration) -> Progress {
        let (progress, silent): (Progress, Request?) = state.withLock { state in
            guard let request = state.requests[id] else { return (.over, nil) }
            if request.hasNews {
                state.requests[id]?.hasNews = false
                return (.busy, nil)
            }
            _ = state.ledger.expire(id)
            state.requests[id] = nil
            return (.silent, request)
        }
        if let silent {
            monitor.report(.notCompleted(limit: limit), in: "glasses_tts.speak")
            Self.end(silent, .failure(.silentEngine))
        }
        return progress
    }

    func endAll() {
        let open = state.withLock { state in
            state.isEnded = true
            _ = state.ledger.closeAll()
            defer { state.requests = [:] }
            return Array(state.requests.values)
        }
        for request in open { Self.end(request, .failure(.ended)) }
    }

    private static func end(_ request: Request?, _ result: Result<Void, SpeechEngineError>) {
        switch result {
        case .success: request?.stream.finish()
        case .failure(let error): request?.stream.finish(throwing: error)
        }
    }
}

extension SpeechEngineError {
    fileprivate static let textTooLong = SpeechEngineError(
        code: "engine_failed", message: "The text is longer than 64 KiB. Speak it in parts.")
    fileprivate static let silentEngine = SpeechEngineError(
        code: "timeout", message: "The synthesiser did not answer in time. Try again, or use another engine.")
}
