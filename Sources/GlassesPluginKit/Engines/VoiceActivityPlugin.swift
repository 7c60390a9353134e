public import CGlassesPlugin
import Synchronization

/// A voice activity detector. Work happens on a thread of the engine's own; every call is accepted or refused at once.
public protocol VoiceActivityPlugin: AnyObject, Sendable {
    /// An engine with the app's settings; throw `INVALID` for a setting of the wrong kind. Load nothing large here.
    init(settings: PluginSettings, host: EngineHost) throws(PluginFailure)
    /// Loads libraries and models, within 3 s; throw `UNAVAILABLE` naming a missing file. Called once. [host] Default: nothing.
    func activate() throws(PluginFailure)
    /// The facts, constant after ``activate()``; asked for once.
    var description: VoiceActivityDescription { get }
    /// Begins a stream; throw `BUSY` when too many are open (8 at least have to work). [any]
    func begin(_ stream: VoiceActivityReport) throws(PluginFailure)
    /// Adds mono audio at the engine's rate; the memory is valid only during the call. Throw `BUSY` with nothing taken
    /// when more than 2 s are waiting. [any]
    func push(_ samples: UnsafeBufferPointer<Int16>, stream: glasses_request_id) throws(PluginFailure)
    /// Forgets what was heard and the frames that wait; counting goes on. [any]
    func reset(stream: glasses_request_id) throws(PluginFailure)
    /// Ends the stream: let its report go. [any]
    func end(stream: glasses_request_id) throws(PluginFailure)
    /// Ends the engine within 2 s: join or abandon its thread. [host] Default: nothing.
    func shutdown()
}

extension VoiceActivityPlugin {
    /// Does nothing.
    public func activate() throws(PluginFailure) {}
    /// Does nothing.
    public func shutdown() {}
}

/// The facts of a voice activity detector.
public struct VoiceActivityDescription: Sendable, Hashable {
    /// The name that a person reads.
    public var name: String
    /// Frames per second that the engine takes.
    public var sampleRate: Int
    /// The model's name; empty when there is only one.
    public var model: String

    /// Facts with the given values.
    public init(name: String, sampleRate: Int, model: String = "") {
        self.name = name
        self.sampleRate = sampleRate
        self.model = model
    }

    var json: PluginJSON {
        ["name": .string(name), "sampleRate": .number(Double(sampleRate)), "model": .string(model)]
    }
}

/// Where the judgements of one stream go; nothing goes through after the stream's end.
public final class VoiceActivityReport: Sendable {
    /// The host's number of the stream.
    public let id: glasses_request_id
    private let table: glasses_vad_host
    private let context: HostContext
    private let gate: CallbackGate
    private let isEnded = Atomic(false)

    init(id: glasses_request_id, table: glasses_vad_host, gate: CallbackGate) {
        self.id = id
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    deinit { fail(.failed("stream_dropped", "The engine gave up a stream that was not ended.")) }

    /// Tells how likely it is, 0 to 1, that somebody speaks in `frames` frames from `firstFrame` on, counted from the
    /// stream's begin. In the order of the audio, from one thread at a time. [any]
    public func judge(firstFrame: UInt64, frames: UInt32, probability: Double) {
        guard !isEnded.load(ordering: .acquiring) else { return }
        gate.pass { table.on_activity(context.pointer, id, firstFrame, frames, probability) }
    }

    /// Ends the stream with an error; the first time counts. [any]
    public func fail(_ failure: PluginFailure) {
        if end() { gate.pass { table.on_failed(context.pointer, id, failure.result, failure.message) } }
    }

    /// Lets nothing through any more; false when the stream was over before.
    @discardableResult
    func end() -> Bool {
        isEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }
}
