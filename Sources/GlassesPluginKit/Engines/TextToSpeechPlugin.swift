public import CGlassesPlugin
import Synchronization

/// A speech synthesiser. Work happens on a thread of the engine's own; every call is accepted or refused at once.
public protocol TextToSpeechPlugin: AnyObject, Sendable {
    /// An engine with the app's settings; throw `INVALID` for a setting of the wrong kind. Load nothing large here.
    init(settings: PluginSettings, host: EngineHost) throws(PluginFailure)
    /// Loads libraries and voices, within 3 s; throw `UNAVAILABLE` naming a missing file. Called once. [host] Default: nothing.
    func activate() throws(PluginFailure)
    /// The facts, constant after ``activate()``; asked for once.
    var description: TextToSpeechDescription { get }
    /// Speaks `text` through `request`; throw `BUSY` when too many wait (64 at least have to be accepted). [any]
    func speak(_ text: String, options: SpeechOptions, request: SynthesisRequest) throws(PluginFailure)
    /// Ends a request early: fail it with ``PluginFailure/cancelled``. [any]
    func cancel(request: glasses_request_id) throws(PluginFailure)
    /// Ends the engine within 2 s: join or abandon its thread. Open requests are cancelled by the kit. [host] Default: nothing.
    func shutdown()
}

extension TextToSpeechPlugin {
    /// Does nothing.
    public func activate() throws(PluginFailure) {}
    /// Does nothing.
    public func shutdown() {}
}

/// The facts of a synthesiser.
public struct TextToSpeechDescription: Sendable, Hashable {
    /// The name that a person reads.
    public var name: String
    /// Frames per second of the audio.
    public var sampleRate: Int
    /// The voices' names; the first is the default.
    public var voices: [String]
    /// BCP 47 tags, the best first.
    public var languages: [String]

    /// Facts with the given values.
    public init(name: String, sampleRate: Int, voices: [String], languages: [String]) {
        self.name = name
        self.sampleRate = sampleRate
        self.voices = voices
        self.languages = languages
    }

    var json: PluginJSON {
        [
            "name": .string(name), "sampleRate": .number(Double(sampleRate)),
            "voices": .array(voices.map(PluginJSON.string)), "languages": .array(languages.map(PluginJSON.string)),
        ]
    }
}

/// How a text is spoken.
public struct SpeechOptions: Sendable, Hashable {
    /// One of the described voices; nil, or an unknown one, means the default.
    public var voice: String?
    /// 0.5 to 2, where 1 is the voice's own speed.
    public var rate: Double
    /// -1 to 1, where 0 is the voice's own pitch.
    public var pitch: Double

    /// Options; values out of range are clamped, values that are not numbers count as the default.
    public init(voice: String? = nil, rate: Double = 1, pitch: Double = 0) {
        self.voice = voice
        self.rate = rate.isFinite ? min(max(rate, 0.5), 2) : 1
        self.pitch = pitch.isFinite ? min(max(pitch, -1), 1) : 0
    }

    init(text: String) throws(PluginFailure) {
        let settings = try PluginSettings(text: text)
        self.init(
            voice: try settings.string("voice"), rate: try settings.double("rate") ?? 1,
            pitch: try settings.double("pitch") ?? 0)
    }
}

/// One text being spoken; it ends exactly once, whatever the engine does.
public final class SynthesisRequest: Sendable {
    /// The host's number of the request.
    public let id: glasses_request_id
    private let table: glasses_tts_host
    private let context: HostContext
    private let gate: CallbackGate
    private let isEnded = Atomic(false)

    init(id: glasses_request_id, table: glasses_tts_host, gate: CallbackGate) {
        self.id = id
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    deinit { fail(.failed("request_dropped", "The engine gave up a text without an answer.")) }

    /// Delivers the next block of mono audio. False means that nobody wants more: stop, and fail with
    /// ``PluginFailure/cancelled``. [any]
    public func write(_ samples: UnsafeBufferPointer<Int16>) -> Bool {
        guard !isEnded.load(ordering: .acquiring) else { return false }
        guard let start = samples.baseAddress, let count = UInt32(exactly: samples.count) else {
            return samples.isEmpty
        }
        return gate.pass { table.on_audio(context.pointer, id, start, count) == GLASSES_OK } ?? false
    }

    /// Ends the request after its last block. [any]
    public func finish() { end(glasses_result(GLASSES_OK), nil) }

    /// Ends the request with an error. [any]
    public func fail(_ failure: PluginFailure) { end(failure.result, failure.message) }

    func refuse() { isEnded.store(true, ordering: .releasing) }

    private func end(_ result: glasses_result, _ message: String?) {
        guard isEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        gate.pass { table.on_finished(context.pointer, id, result, message) }
    }
}
