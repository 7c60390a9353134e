public import CGlassesPlugin
import Synchronization

/// A speech recogniser. Work happens on a thread of the engine's own; every call is accepted or refused at once.
///
/// Utterances are worked off in the order of ``begin(_:)``; several may be open. Each ends once, through its
/// ``RecognitionRequest``.
public protocol SpeechToTextPlugin: AnyObject, Sendable {
    /// An engine with the app's settings; throw `INVALID` for a setting of the wrong kind. Load nothing large here.
    init(settings: PluginSettings, host: EngineHost) throws(PluginFailure)
    /// Loads libraries and models, within 3 s; throw `UNAVAILABLE` naming a missing file. Called once. [host] Default: nothing.
    func activate() throws(PluginFailure)
    /// The facts, constant after ``activate()``; asked for once.
    var description: SpeechToTextDescription { get }
    /// Begins an utterance; throw `BUSY` when too many are open (8 at least have to work). [any]
    func begin(_ utterance: RecognitionRequest) throws(PluginFailure)
    /// Adds mono audio at the engine's rate; the memory is valid only during the call. Throw `BUSY` with nothing taken
    /// when more than 60 s are waiting. [any]
    func push(_ samples: UnsafeBufferPointer<Int16>, utterance: glasses_request_id) throws(PluginFailure)
    /// The utterance is complete: finish its request. [any]
    func finish(utterance: glasses_request_id) throws(PluginFailure)
    /// Drops the utterance: fail its request with ``PluginFailure/cancelled``. [any]
    func cancel(utterance: glasses_request_id) throws(PluginFailure)
    /// Ends the engine within 2 s: join or abandon its thread. Open utterances are cancelled by the kit. [host] Default: nothing.
    func shutdown()
}

extension SpeechToTextPlugin {
    /// Does nothing.
    public func activate() throws(PluginFailure) {}
    /// Does nothing.
    public func shutdown() {}
}

/// The facts of a recogniser.
public struct SpeechToTextDescription: Sendable, Hashable {
    /// The name that a person reads.
    public var name: String
    /// Frames per second that the engine takes.
    public var sampleRate: Int
    /// BCP 47 tags, the best first.
    public var languages: [String]
    /// The model's name; empty when there is only one.
    public var model: String

    /// Facts with the given values.
    public init(name: String, sampleRate: Int, languages: [String], model: String = "") {
        self.name = name
        self.sampleRate = sampleRate
        self.languages = languages
        self.model = model
    }

    var json: PluginJSON {
        [
            "name": .string(name), "sampleRate": .number(Double(sampleRate)),
            "languages": .array(languages.map(PluginJSON.string)), "model": .string(model),
        ]
    }
}

/// One utterance; it ends exactly once, whatever the engine does.
public final class RecognitionRequest: Sendable {
    /// The host's number of the utterance.
    public let id: glasses_request_id
    private let table: glasses_stt_host
    private let context: HostContext
    private let gate: CallbackGate
    private let isEnded = Atomic(false)

    init(id: glasses_request_id, table: glasses_stt_host, gate: CallbackGate) {
        self.id = id
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    deinit { fail(.failed("request_dropped", "The engine gave up an utterance without an answer.")) }

    /// Tells what was understood so far; ignored after the end. [any]
    public func partial(_ text: String, confidence: Double) {
        guard !isEnded.load(ordering: .acquiring) else { return }
        gate.pass { table.on_partial(context.pointer, id, text, confidence) }
    }

    /// Ends the utterance with its words, empty when none were understood; `confidence` is 0 to 1. [any]
    public func finish(_ text: String, confidence: Double) { end(glasses_result(GLASSES_OK), text, confidence) }

    /// Ends the utterance with an error. [any]
    public func fail(_ failure: PluginFailure) { end(failure.result, failure.message, 0) }

    func refuse() { isEnded.store(true, ordering: .releasing) }

    private func end(_ result: glasses_result, _ text: String, _ confidence: Double) {
        guard isEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        gate.pass { table.on_finished(context.pointer, id, result, text, confidence) }
    }
}
