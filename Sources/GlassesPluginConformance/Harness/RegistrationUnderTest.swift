import CGlassesPlugin

/// A registration of a transport.
final class RegistrationUnderTest {
    /// The longest time from a request to its end.
    enum Limit {
        static let person = Duration.seconds(90)
        static let answer = Duration.seconds(8)
        static let firstReport = Duration.seconds(3)
    }

    let transport: TransportUnderTest
    let table: glasses_registration

    /// The registration of a transport, attached; skips the case when there is none.
    init(of transport: TransportUnderTest) throws(CaseEnd) {
        guard let pointer = transport.extensionPointer(GLASSES_EXT_REGISTRATION) else {
            throw .skipped("the transport has no registration")
        }
        self.transport = transport
        table = pointer.load(as: glasses_registration.self)
        let host = ReportCallbacks.registration(transport.recorder)
        let result = transport.run.call("glasses_registration.attach") {
            table.attach(transport.table.instance, host)
        }
        try expect(result == GLASSES_OK, "glasses_registration.attach answered \(KnownResults.name(result)).")
    }

    /// A registration of a new transport, which is not connected.
    static func attached(_ run: CaseRun) throws(CaseEnd) -> RegistrationUnderTest {
        try RegistrationUnderTest(of: try TransportUnderTest.activated(run))
    }

    /// The state that is told first.
    func firstState() throws(CaseEnd) -> Int32 {
        let isTold = transport.recorder.wait(Limit.firstReport) { $0.contains { $0.registration != nil } }
        guard isTold, let state = transport.recorder.all.compactMap(\.registration).first else {
            throw .failed("on_registration did not come within 3 s after attach.")
        }
        return state
    }

    /// Asks without asking anybody.
    func check(_ permission: Int32) -> (id: UInt64, result: glasses_result) {
        transport.attempt("glasses_registration.check_permission") {
            table.check_permission(transport.table.instance, $0, permission)
        }
    }

    /// Hands over a URL.
    func open(_ url: String) -> (id: UInt64, result: glasses_result) {
        transport.attempt("glasses_registration.handle_url") { id in
            url.withCString { table.handle_url(transport.table.instance, id, $0) }
        }
    }

    /// The answers that came for a request.
    func answers(to id: UInt64) -> [Int32] { transport.recorder.all.compactMap { $0.answer(to: id) } }

    /// Waits for the one answer and the completion with OK after it.
    func answer(to id: UInt64, _ what: String) throws(CaseEnd) -> Int32 {
        let result = try transport.end(of: id, what, within: Limit.answer)
        try expect(result == GLASSES_OK, "\(what) ended with \(KnownResults.name(result)).")
        let answers = answers(to: id)
        guard answers.count == 1, let answer = answers.first else {
            throw .failed("\(what) was answered \(answers.count) times before its end.")
        }
        try expect(answer == 0 || answer == 1, "\(what) was answered \(answer), neither 0 nor 1.")
        return answer
    }
}

/// What a device tells of itself, and of its wearer.
enum ReportsUnderTest {
    /// Attaches the power extension; skips the case when there is none.
    static func attachPower(_ transport: TransportUnderTest) throws(CaseEnd) {
        guard let table = transport.ext(GLASSES_EXT_POWER, as: glasses_power.self) else {
            throw .skipped("the transport tells nothing of its condition")
        }
        let host = ReportCallbacks.power(transport.recorder)
        let result = transport.run.call("glasses_power.attach") { table.attach(transport.table.instance, host) }
        try expect(result == GLASSES_OK, "glasses_power.attach answered \(KnownResults.name(result)).")
    }

    /// Attaches the input extension; skips the case when there is none.
    static func attachInput(_ transport: TransportUnderTest) throws(CaseEnd) {
        guard let table = transport.ext(GLASSES_EXT_INPUT, as: glasses_input.self) else {
            throw .skipped("the transport tells no gestures")
        }
        let host = ReportCallbacks.input(transport.recorder)
        let result = transport.run.call("glasses_input.attach") { table.attach(transport.table.instance, host) }
        try expect(result == GLASSES_OK, "glasses_input.attach answered \(KnownResults.name(result)).")
    }
}

/// The host's sides of the extensions that report; never freed.
enum ReportCallbacks {
    static func registration(_ recorder: Recorder) -> UnsafePointer<glasses_registration_host> {
        let table = UnsafeMutablePointer<glasses_registration_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_registration_host(
                size: UInt32(MemoryLayout<glasses_registration_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(recorder).toOpaque(),
                on_registration: { context, state, detail in
                    ReportCallbacks.recorder(context)?
                        .record(.registration(state, detail: detail.map { CallbackText($0) }))
                },
                on_permission: { context, request, isGranted in
                    ReportCallbacks.recorder(context)?.record(.permission(request, isGranted))
                },
                on_url: { context, request, isHandled in
                    ReportCallbacks.recorder(context)?.record(.url(request, isHandled))
                }))
        return UnsafePointer(table)
    }

    static func power(_ recorder: Recorder) -> UnsafePointer<glasses_power_host> {
        let table = UnsafeMutablePointer<glasses_power_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_power_host(
                size: UInt32(MemoryLayout<glasses_power_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(recorder).toOpaque(),
                on_power: { context, power in
                    ReportCallbacks.recorder(context)?.record(.power(CallbackText(power)))
                }))
        return UnsafePointer(table)
    }

    static func input(_ recorder: Recorder) -> UnsafePointer<glasses_input_host> {
        let table = UnsafeMutablePointer<glasses_input_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_input_host(
                size: UInt32(MemoryLayout<glasses_input_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(recorder).toOpaque(),
                on_input: { context, gesture, _, detail in
                    ReportCallbacks.recorder(context)?
                        .record(.input(gesture, detail: detail.map { CallbackText($0) }))
                }))
        return UnsafePointer(table)
    }

    private static func recorder(_ context: UnsafeMutableRawPointer?) -> Recorder? {
        context.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension PluginCallback {
    /// The registration's state that it tells.
    var registration: Int32? { if case .registration(let state, _) = kind { state } else { nil } }

    /// The answer that it gives to a request.
    func answer(to id: UInt64) -> Int32? {
        switch kind {
        case .permission(id, let answer), .url(id, let answer): answer
        default: nil
        }
    }
}
