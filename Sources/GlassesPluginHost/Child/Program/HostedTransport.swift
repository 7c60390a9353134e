import CGlassesPlugin
import Synchronization

/// A transport in its child.
final class HostedTransport: HostedInstance, @unchecked Sendable {
    // because the plugin's structs are immutable and only used for calls that the ABI allows there
    private let table: glasses_transport
    private let microphone: glasses_microphone?
    private let speaker: glasses_speaker?
    private let callbacks: HostedTransportCallbacks

    static func open(_ opening: HostedOpening) throws(OpeningFailure) -> HostedOpening.Opened {
        let factory = try opening.factory(GLASSES_FACTORY_TRANSPORT, as: glasses_transport_factory.self)
        let callbacks = HostedTransportCallbacks(opening.outbox)
        var made: UnsafePointer<glasses_transport>?
        try OpeningFailure.check(factory.create(callbacks.table(), opening.opening.settings, &made), .refused)
        let table = try opening.table(made)
        let description = try opening.describe(
            activate: { table.activate(table.instance) }, describe: { table.describe(table.instance, $0, $1, $2) },
            destroy: { table.destroy(table.instance) })
        let instance = HostedTransport(table, callbacks)
        return HostedOpening.Opened(
            instance: instance,
            message: .opened(
                description: description, hasMicrophone: instance.microphone != nil,
                hasSpeaker: instance.speaker != nil))
    }

    private init(_ table: glasses_transport, _ callbacks: HostedTransportCallbacks) {
        self.table = table
        self.callbacks = callbacks
        microphone = table.get_extension(table.instance, GLASSES_EXT_MICROPHONE)
            .flatMap { CStruct.copy($0, as: glasses_microphone.self, firstFunction: 8) }
        speaker = table.get_extension(table.instance, GLASSES_EXT_SPEAKER)
            .flatMap { CStruct.copy($0, as: glasses_speaker.self, firstFunction: 8) }
    }

    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result {
        let instance = table.instance
        switch call {
        case .connect(let request, nil): return table.connect(instance, request, nil)
        case .connect(let request, let device?):
            return device.withCString { table.connect(instance, request, $0) }
        case .disconnect(let request): return table.disconnect(instance, request)
        case .startMicrophone(let request, let shape):
            let ring = try RingMapping(shape, descriptors: descriptors)
            guard let microphone else { return glasses_result(GLASSES_ERROR_UNSUPPORTED) }
            callbacks.microphone.begins(ring)
            return microphone.start(instance, request, ring.pointer)
        case .stopMicrophone(let request):
            callbacks.microphone.ends(request)
            return microphone.map { $0.stop(instance, request) } ?? glasses_result(GLASSES_ERROR_UNSUPPORTED)
        case .startSpeaker(let request, let shape):
            let ring = try RingMapping(shape, descriptors: descriptors)
            guard let speaker else { return glasses_result(GLASSES_ERROR_UNSUPPORTED) }
            callbacks.speaker.begins(ring)
            return speaker.start(instance, request, ring.pointer)
        case .stopSpeaker(let request):
            callbacks.speaker.ends(request)
            return speaker.map { $0.stop(instance, request) } ?? glasses_result(GLASSES_ERROR_UNSUPPORTED)
        case .flush(let id, let position):
            return speaker.map { $0.flush(instance, id, position) } ?? glasses_result(GLASSES_ERROR_UNSUPPORTED)
        default:
            throw .outOfOrder("a call of another kind of plugin")
        }
    }

    func destroy() { table.destroy(table.instance) }
}

/// Keeps the ring of a stream mapped until the plugin has answered its stop.
final class HostedRing: Sendable {
    private let state = Mutex(State())

    private struct State {
        var ring: RingMapping?
        var stop: UInt64?
    }

    func begins(_ ring: RingMapping) { state.withLock { $0 = State(ring: ring) } }

    func ends(_ request: UInt64) { state.withLock { $0.stop = request } }

    func completed(_ request: UInt64) { state.withLock { if $0.stop == request { $0 = State() } } }
}

/// What the plugin's callbacks send to the host; lives as long as the process. [any]
final class HostedTransportCallbacks: Sendable {
    let microphone = HostedRing()
    let speaker = HostedRing()
    private let outbox: ChildOutbox

    init(_ outbox: ChildOutbox) { self.outbox = outbox }

    /// The struct for the plugin; never freed, since a plugin that calls back after its end still reads it.
    func table() -> UnsafePointer<glasses_transport_host> {
        let table = UnsafeMutablePointer<glasses_transport_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_transport_host(
                size: UInt32(MemoryLayout<glasses_transport_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_state: { context, state, detail in
                    HostedTransportCallbacks.of(context)?.outbox.send(
                        .state(state, detail: detail.map { CText($0) }))
                },
                on_completed: { context, request, result, detail in
                    HostedTransportCallbacks.of(context)?.completed(request, result, detail.map { CText($0) })
                },
                on_event: { context, event in
                    HostedTransportCallbacks.of(context)?.outbox.sendIfPossible(.event(CText(event)))
                }))
        return UnsafePointer(table)
    }

    private func completed(_ request: UInt64, _ result: glasses_result, _ detail: CText?) {
        microphone.completed(request)
        speaker.completed(request)
        outbox.send(.completed(request: request, result: result, detail: detail))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HostedTransportCallbacks? {
        context.map { Unmanaged<HostedTransportCallbacks>.fromOpaque($0).takeUnretainedValue() }
    }
}
