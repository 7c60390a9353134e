import CGlassesPlugin
import GlassesPluginHost

/// A microphone or a loudspeaker of a connected transport, with its ring.
final class StreamUnderTest {
    /// Which one.
    enum Kind: String {
        case microphone, speaker

        var extensionId: String { self == .microphone ? GLASSES_EXT_MICROPHONE : GLASSES_EXT_SPEAKER }
        var rateKey: String { rawValue + "Rate" }
        var structName: String { "glasses_" + rawValue }
    }

    let kind: Kind
    let transport: TransportUnderTest
    private(set) var ring: RingUnderTest
    private let rate: Int
    private let startFunction: (UInt64, UnsafeMutablePointer<glasses_ring>) -> glasses_result
    private let stopFunction: (UInt64) -> glasses_result
    private let flushFunction: ((UInt64, Int64) -> glasses_result)?

    /// More than a plugin's period, less than a second of waiting in a case that fills it.
    static let usualMilliseconds = 400

    /// The stream of a transport, not started; skips the case when there is none.
    init(
        _ kind: Kind, of transport: TransportUnderTest, milliseconds: Int = usualMilliseconds
    ) throws(CaseEnd) {
        self.kind = kind
        self.transport = transport
        let instance = transport.table.instance
        switch kind {
        case .microphone:
            guard let table = transport.ext(kind.extensionId, as: glasses_microphone.self) else {
                throw Self.absent(kind)
            }
            startFunction = { table.start(instance, $0, $1) }
            stopFunction = { table.stop(instance, $0) }
            flushFunction = nil
        case .speaker:
            guard let table = transport.ext(kind.extensionId, as: glasses_speaker.self) else { throw Self.absent(kind) }
            startFunction = { table.start(instance, $0, $1) }
            stopFunction = { table.stop(instance, $0) }
            flushFunction = { table.flush(instance, $0, $1) }
        }
        rate = try transport.rate(kind.rateKey)
        ring = try RingUnderTest(rate: rate, milliseconds: milliseconds)
    }

    private static func absent(_ kind: Kind) -> CaseEnd { .skipped("the transport has no \(kind.rawValue)") }

    /// A stream that runs, of a new transport.
    static func started(
        _ kind: Kind, _ run: CaseRun, milliseconds: Int = usualMilliseconds
    ) throws(CaseEnd) -> StreamUnderTest {
        let stream = try StreamUnderTest(kind, of: try TransportUnderTest.connected(run), milliseconds: milliseconds)
        try stream.start()
        return stream
    }

    /// Starts it and waits for its completion.
    func start() throws(CaseEnd) {
        let id = try transport.start(kind.structName + ".start") { startFunction($0, ring.pointer) }
        let result = try transport.end(of: id, "start", within: TransportUnderTest.Limit.other)
        switch Int(result) {
        case GLASSES_OK: return
        case GLASSES_ERROR_UNAVAILABLE, GLASSES_ERROR_BUSY, GLASSES_ERROR_DENIED, GLASSES_ERROR_TIMEOUT:
            throw .skipped("the \(kind.rawValue) cannot be started here: \(KnownResults.name(result))")
        default: throw .failed("start ended with \(KnownResults.name(result)).")
        }
    }

    /// Starts it on a new ring.
    func restart() throws(CaseEnd) {
        ring = try RingUnderTest(rate: rate, milliseconds: Self.usualMilliseconds)
        try start()
    }

    /// Asks for a start that may be refused.
    func attemptStart() -> (id: UInt64, result: glasses_result) {
        transport.attempt(kind.structName + ".start") { startFunction($0, ring.pointer) }
    }

    /// Stops it and waits for its completion.
    func stop() throws(CaseEnd) {
        let id = try transport.start(kind.structName + ".stop") { stopFunction($0) }
        let result = try transport.end(of: id, "stop", within: TransportUnderTest.Limit.other)
        try expect(result == GLASSES_OK, "stop ended with \(KnownResults.name(result)).")
    }

    /// Cuts everything before `upto`. [any]
    func flush(_ id: UInt64, upto: Int64) throws(CaseEnd) {
        guard let flushFunction else { return }
        let result = transport.run.call("glasses_speaker.flush") { flushFunction(id, upto) }
        try expect(result == GLASSES_OK, "flush answered \(KnownResults.name(result)).")
    }

    /// As ``flush(_:upto:)``, on another thread.
    func flushElsewhere(_ id: UInt64, upto: Int64) throws(CaseEnd) {
        guard let flushFunction else { return }
        nonisolated(unsafe) var result = glasses_result(GLASSES_OK)
        // because the thread is over before it is read
        nonisolated(unsafe) let call = flushFunction
        // because the ABI lets flush be called on any thread
        transport.run.call("glasses_speaker.flush") { AnotherThread.run { result = call(id, upto) } }
        try expect(result == GLASSES_OK, "flush on another thread answered \(KnownResults.name(result)).")
    }

    /// Frames of so many milliseconds.
    func frames(_ milliseconds: Int) -> Int { rate * milliseconds / 1_000 }

    /// Waits for a condition on the ring; a microphone's ring is emptied meanwhile.
    func wait(_ limit: Duration, until condition: () -> Bool) -> Bool {
        Moment.wait(limit) {
            if condition() { return true }
            if kind == .microphone { ring.drain() }
            return false
        }
    }
}
