import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost

/// A transport: its extensions, its connection, and how its requests end.
enum TransportCases {
    static let all =
        InstanceCases.all(.transport, .transport, checkFacts: FactsCheck.transport) + extensions + connection + requests
        + ends

    private static let extensions = [
        ConformanceCase(
            "transport.extensions", .transport,
            "the extensions are those of describe's capabilities, with their sizes and functions",
            needs: ["transport.describe"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            let facts = try transport.instance.facts()
            for known in KnownExtension.all {
                let isPromised = facts["capabilities"]?[known.capability]?.boolValue == true
                let pointer = transport.extensionPointer(known.id)
                try expect(
                    (pointer != nil) == isPromised,
                    "describe says \(known.capability): \(isPromised), get_extension(\"\(known.id)\") answers "
                        + (pointer == nil ? "null." : "an extension."))
                guard let pointer else { continue }
                let name = "glasses_" + known.capability
                try StructUnderTest(pointer: pointer, name: name).check(size: known.size, firstFunction: 8)
                try expect(transport.extensionPointer(known.id) == pointer, "An extension moved.")
            }
        },
        ConformanceCase(
            "transport.unknown-extension", .transport, "get_extension answers null for an id that it does not know",
            needs: ["transport.describe"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            for id in [
                "", "glasses", "glasses.microphone", "glasses.microphone/2", "glasses.speaker/10", "org.example/1",
            ] {
                try expect(transport.extensionPointer(id) == nil, "get_extension(\"\(id)\") answered an extension.")
            }
        },
    ]

    private static let connection = [
        ConformanceCase(
            "transport.connect", .transport, "connect is accepted and completes within 10 s",
            needs: ["transport.extensions"]
        ) { run throws(CaseEnd) in _ = try TransportUnderTest.connected(run) },
        ConformanceCase(
            "transport.connected", .transport,
            "on_state tells CONNECTED before connect completes, and it is the last state",
            needs: ["transport.connect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.connected(run)
            let states = transport.states
            try expect(states.last == Int32(GLASSES_DEVICE_CONNECTED), "The states told were \(states).")
        },
        ConformanceCase(
            "transport.disconnect", .transport, "disconnect is accepted and completes within 2 s",
            needs: ["transport.connect"]
        ) { run throws(CaseEnd) in try TransportUnderTest.connected(run).disconnect() },
        ConformanceCase(
            "transport.disconnected", .transport,
            "on_state tells DISCONNECTED with its cause before disconnect completes",
            needs: ["transport.disconnect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.connected(run)
            try transport.disconnect()
            guard case .state(let state, let detail) = transport.recorder.all.last(where: \.isState)?.kind,
                state == Int32(GLASSES_DEVICE_DISCONNECTED)
            else { throw .failed("The states told were \(transport.states).") }
            let cause = detail?.object?["cause"]?.stringValue
            try expect(cause == "user_requested", "The cause told was \(cause ?? "absent"), not user_requested.")
        },
        ConformanceCase(
            "transport.reconnect", .transport, "connect works again after disconnect", needs: ["transport.disconnect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.connected(run)
            try transport.disconnect()
            try transport.connect()
            try transport.disconnect()
        },
        ConformanceCase(
            "transport.unknown-device", .transport, "connect to a device that does not exist does not succeed",
            needs: ["transport.connect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            let (id, refusal) = transport.attempt("glasses_transport.connect") { id in
                "org.example.no-such-device".withCString { transport.table.connect(transport.table.instance, id, $0) }
            }
            guard refusal == GLASSES_OK else { return }
            let result = try transport.end(of: id, "connect", within: TransportUnderTest.Limit.connect)
            try expect(result != GLASSES_OK, "connect to a device that does not exist ended with OK.")
        },
        ConformanceCase(
            "transport.connect-cycles", .transport,
            "connecting and disconnecting over and over leaves no memory, thread or descriptor",
            needs: ["transport.reconnect", "transport.at-once"], limit: .seconds(90)
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            try GrowthWatch.check(run, "connect and disconnect") { _ throws(CaseEnd) in
                try transport.connect()
                try transport.disconnect()
                transport.recorder.clear()
            }
        },
    ]

    private static let requests = [
        ConformanceCase(
            "transport.one-ending", .transport, "each accepted request ends exactly once, a refused one never",
            needs: ["transport.reconnect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            let table = transport.table
            try transport.connect()
            _ = transport.attempt("glasses_transport.connect") { table.connect(table.instance, $0, nil) }
            try transport.disconnect()
            _ = transport.attempt("glasses_transport.disconnect") { table.disconnect(table.instance, $0) }
            for id in transport.accepted {
                _ = try transport.end(of: id, "A request", within: TransportUnderTest.Limit.connect)
            }
            Moment.pause(Endings.silence)
            try Endings.checkOnce(transport.accepted, transport.recorder.all)
        },
        ConformanceCase(
            "transport.at-once", .transport, "no call waits for the device", needs: ["transport.reconnect"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.connected(run)
            try transport.disconnect()
            let (function, duration) = transport.longestCall
            try expect(duration < atOnceLimit, "\(function) took \(duration.inMilliseconds) ms to return.")
        },
        ConformanceCase(
            "transport.known-values", .transport, "results, states and causes are those of version 1.0",
            needs: ["transport.reconnect"]
        ) { run throws(CaseEnd) in
            let callbacks = try wholeLife(run)
            try Endings.checkKnown(callbacks)
            let causes: Set = ["user_requested", "device_dropped", "hinges_closed", "thermal_critical", "failure"]
            for callback in callbacks {
                guard case .state(let state, let detail) = callback.kind, state == Int32(GLASSES_DEVICE_DISCONNECTED),
                    let cause = detail?.object?["cause"]?.stringValue
                else { continue }
                try expect(causes.contains(cause), "on_state came with the unknown cause \(cause).")
            }
        },
        ConformanceCase(
            "transport.texts", .transport, "details and events are JSON objects in UTF-8 of at most 64 KiB",
            needs: ["transport.reconnect"]
        ) { run throws(CaseEnd) in
            for callback in try wholeLife(run) {
                guard let text = callback.text else { continue }
                if let problem = text.problem { throw .failed("A text of \(callback.name) is \(problem).") }
                guard let object = text.object else { throw .failed("A text of \(callback.name) is no JSON object.") }
                if case .event = callback.kind {
                    try expect(object["event"]?.stringValue?.isEmpty == false, "on_event came without \"event\".")
                }
            }
        },
        ConformanceCase(
            "transport.callback-threads", .transport, "no callback comes from an [audio] thread",
            needs: ["transport.reconnect"], check: CallbackThreads.check),
    ]

    private static let ends = [
        ConformanceCase(
            "transport.destroy-connected", .transport, "destroy ends a connected instance within 2 s and in silence",
            needs: ["transport.connect", "transport.destroy"]
        ) { run throws(CaseEnd) in
            try Endings.checkDestroy(of: try TransportUnderTest.connected(run).instance)
        },
        ConformanceCase(
            "transport.destroy-pending", .transport, "destroy ends a request under way, exactly once",
            needs: ["transport.one-ending", "transport.destroy-connected"]
        ) { run throws(CaseEnd) in
            let transport = try TransportUnderTest.activated(run)
            let table = transport.table
            let id = try transport.start("glasses_transport.connect") { table.connect(table.instance, $0, nil) }
            let took = transport.instance.destroy()
            try expect(took <= Endings.destroyLimit, "destroy took \(took.inMilliseconds) ms.")
            let count = transport.recorder.endings(of: id).count
            try expect(count == 1, "The request under way ended \(count) times before destroy returned.")
            try Endings.checkSilence(of: transport.recorder, after: "destroy returned")
        },
        ConformanceCase(
            "transport.own-callbacks", .transport, "callbacks come to the instance that they concern",
            needs: ["transport.connect", "transport.instances"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let first = TransportUnderTest(try InstanceUnderTest.created(.transport, entry, run))
            let second = try Endings.another(.transport, entry, run)
            try first.instance.activate()
            try second.activate()
            try first.connect()
            try expect(second.recorder.count == 0, "Another instance was told of a connection that is not its own.")
        },
    ]

    /// A call that only queues something takes microseconds; a machine under load may hold its thread for a while.
    private static let atOnceLimit = Duration.seconds(1)

    /// Everything that a transport says while it connects, runs its streams and disconnects.
    private static func wholeLife(_ run: CaseRun) throws(CaseEnd) -> [PluginCallback] {
        let transport = try TransportUnderTest.connected(run)
        for kind in [StreamUnderTest.Kind.microphone, .speaker] {
            guard transport.extensionPointer(kind.extensionId) != nil else { continue }
            let stream = try StreamUnderTest(kind, of: transport)
            guard stream.attemptStart().result == GLASSES_OK else { continue }
            Moment.pause(.milliseconds(150))
        }
        try transport.disconnect()
        return transport.recorder.all
    }
}

extension TransportUnderTest {
    /// The states told so far.
    var states: [Int32] { recorder.all.compactMap { if case .state(let state, _) = $0.kind { state } else { nil } } }
}

extension PluginCallback {
    /// Whether it tells a state.
    var isState: Bool { if case .state = kind { true } else { false } }

    /// The text that it carries.
    var text: CallbackText? {
        switch kind {
        case .state(_, let detail), .completed(_, _, let detail), .finished(_, _, let detail, _): detail
        case .event(let text), .partial(_, let text, _), .photo(_, _, _, let text), .stream(let text): text
        case .broken(_, _, let message): message
        case .registration(_, let detail), .input(_, let detail): detail
        case .power(let text): text
        case .audio, .activity, .permission, .url: nil
        }
    }
}

/// The extensions of a transport that this version knows.
private struct KnownExtension {
    let id: String
    let capability: String
    let size: Int

    static let all = [
        KnownExtension(
            id: GLASSES_EXT_MICROPHONE, capability: "microphone", size: MemoryLayout<glasses_microphone>.size),
        KnownExtension(id: GLASSES_EXT_SPEAKER, capability: "speaker", size: MemoryLayout<glasses_speaker>.size),
        KnownExtension(id: GLASSES_EXT_CAMERA, capability: "camera", size: MemoryLayout<glasses_camera>.size),
        KnownExtension(id: GLASSES_EXT_DISPLAY, capability: "display", size: MemoryLayout<glasses_display>.size),
        KnownExtension(
            id: GLASSES_EXT_REGISTRATION, capability: "registration", size: MemoryLayout<glasses_registration>.size),
        KnownExtension(id: GLASSES_EXT_POWER, capability: "power", size: MemoryLayout<glasses_power>.size),
        KnownExtension(id: GLASSES_EXT_INPUT, capability: "input", size: MemoryLayout<glasses_input>.size),
    ]
}
