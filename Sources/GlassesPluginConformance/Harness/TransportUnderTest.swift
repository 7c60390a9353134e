import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost

/// A transport with its requests: every id is remembered, so that each can be held against its one ending.
final class TransportUnderTest {
    let instance: InstanceUnderTest
    let run: CaseRun
    /// The requests that the plugin accepted.
    private(set) var accepted: [UInt64] = []
    /// The longest time that a call took to return.
    private(set) var longestCall: (function: String, duration: Duration) = ("", .zero)

    var recorder: Recorder { instance.recorder }
    var table: glasses_transport { instance.table.load(as: glasses_transport.self) }

    /// The longest time from a request to its end.
    enum Limit {
        static let connect = Duration.seconds(10)
        static let other = Duration.seconds(2)
    }

    init(_ instance: InstanceUnderTest) {
        self.instance = instance
        run = instance.run
    }

    /// A transport that is activated and not connected.
    static func activated(_ run: CaseRun) throws(CaseEnd) -> TransportUnderTest {
        TransportUnderTest(try InstanceUnderTest.activated(.transport, run))
    }

    /// A transport that is connected; skips the case where its device is not there.
    static func connected(_ run: CaseRun) throws(CaseEnd) -> TransportUnderTest {
        let transport = try activated(run)
        try transport.connect()
        return transport
    }

    /// Connects, and skips the case where the device is not there.
    func connect() throws(CaseEnd) {
        let result = try end(
            of: try start("glasses_transport.connect") { table.connect(table.instance, $0, nil) },
            "connect", within: Limit.connect)
        switch Int(result) {
        case GLASSES_OK: return
        case GLASSES_ERROR_UNAVAILABLE, GLASSES_ERROR_BUSY, GLASSES_ERROR_DENIED, GLASSES_ERROR_TIMEOUT:
            throw .skipped("the device cannot be connected here: \(KnownResults.name(result))")
        default: throw .failed("connect ended with \(KnownResults.name(result)).")
        }
    }

    /// Disconnects and waits for the end.
    func disconnect() throws(CaseEnd) {
        let result = try end(
            of: try start("glasses_transport.disconnect") { table.disconnect(table.instance, $0) }, "disconnect",
            within: Limit.other)
        try expect(result == GLASSES_OK, "disconnect ended with \(KnownResults.name(result)).")
    }

    /// Makes a request; fails unless it is accepted.
    func start(_ function: String, _ body: (UInt64) -> glasses_result) throws(CaseEnd) -> UInt64 {
        let (id, result) = attempt(function, body)
        // A device that is not there may be found out at once as well as later.
        if result == GLASSES_ERROR_UNAVAILABLE { throw .skipped("\(function) answered UNAVAILABLE") }
        try expect(result == GLASSES_OK, "\(function) answered \(KnownResults.name(result)).")
        return id
    }

    /// Makes a request that may be refused.
    func attempt(_ function: String, _ body: (UInt64) -> glasses_result) -> (id: UInt64, result: glasses_result) {
        let id = instance.newRequest()
        let (result, took) = run.timed(function) { body(id) }
        if took > longestCall.duration { longestCall = (function, took) }
        if result == GLASSES_OK { accepted.append(id) }
        return (id, result)
    }

    /// The result with which a request ended; fails when it did not in time.
    func end(of id: UInt64, _ what: String, within limit: Duration) throws(CaseEnd) -> glasses_result {
        let isEnded = recorder.wait(limit) { $0.contains { $0.ending?.id == id } }
        guard isEnded, let ending = recorder.endings(of: id).first else {
            throw .failed("\(what) was accepted, and on_completed did not come within \(limit.inMilliseconds) ms.")
        }
        return ending.result
    }

    /// The extension's struct, or nil.
    func ext<T>(_ id: String, as type: T.Type) -> T? {
        extensionPointer(id).map { $0.load(as: type) }
    }

    /// What get_extension answers.
    func extensionPointer(_ id: String) -> UnsafeRawPointer? {
        run.call("glasses_transport.get_extension") { table.get_extension(table.instance, id) }
    }

    /// A rate of describe.
    func rate(_ key: String) throws(CaseEnd) -> Int {
        guard let rate = try instance.facts()[key]?.intValue else { throw .failed("describe has no \(key).") }
        return Int(rate)
    }
}
