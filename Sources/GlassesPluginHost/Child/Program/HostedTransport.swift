import CGlassesPlugin
import Synchronization

/// A transport in its child.
final class HostedTransport: HostedInstance {
    private let functions: TransportFunctions
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
        let functions = TransportFunctions(table)
        let attached = functions.attach(callbacks.sides)
        guard attached == GLASSES_OK else {
            functions.destroy()
            throw OpeningFailure(stage: .instanceRefused, result: attached)
        }
        return HostedOpening.Opened(
            instance: HostedTransport(functions, callbacks),
            message: .opened(description: description, functions.extensions))
    }

    private init(_ functions: TransportFunctions, _ callbacks: HostedTransportCallbacks) {
        self.functions = functions
        self.callbacks = callbacks
    }

    func perform(_ call: PluginCall, descriptors: [Int32]) throws(WireError) -> glasses_result {
        switch call {
        case .connect(let request, let device): return functions.connect(request, device: device)
        case .disconnect(let request): return functions.disconnect(request)
        case .startMicrophone(let request, let shape):
            let ring = try RingMapping(shape, descriptors: descriptors)
            callbacks.microphone.begins(ring)
            return functions.startMicrophone(request, ring.pointer)
        case .stopMicrophone(let request):
            callbacks.microphone.ends(request)
            return functions.stopMicrophone(request)
        case .startSpeaker(let request, let shape):
            let ring = try RingMapping(shape, descriptors: descriptors)
            callbacks.speaker.begins(ring)
            return functions.startSpeaker(request, ring.pointer)
        case .stopSpeaker(let request):
            callbacks.speaker.ends(request)
            return functions.stopSpeaker(request)
        case .flush(let id, let position): return functions.flushSpeaker(id, upTo: position)
        case .startCamera(let request, let configuration, let slotBytes):
            let ring = try VideoRingMapping(slotBytes: slotBytes, descriptors: descriptors)
            callbacks.camera.begins(ring)
            return functions.startCamera(request, configuration, ring.pointer)
        case .stopCamera(let request):
            callbacks.camera.ends(request)
            return functions.stopCamera(request)
        case .takePhoto(let request): return functions.takePhoto(request)
        case .show(let request, let tree): return functions.show(request, tree)
        case .clearDisplay(let request): return functions.clearDisplay(request)
        case .registerApp(let request): return functions.registerApp(request)
        case .unregisterApp(let request): return functions.unregisterApp(request)
        case .checkPermission(let request, let permission): return functions.checkPermission(request, permission)
        case .requestPermission(let request, let permission): return functions.requestPermission(request, permission)
        case .handleURL(let request, let url): return functions.handleURL(request, url)
        default: throw .outOfOrder("a call of another kind of plugin")
        }
    }

    func destroy() { functions.destroy() }
}

/// Keeps the ring of a stream mapped until the plugin has answered its stop.
final class HostedRing<Mapping: AnyObject & Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var ring: Mapping?
        var stop: UInt64?
    }

    func begins(_ ring: Mapping) { state.withLock { $0 = State(ring: ring) } }

    func ends(_ request: UInt64) { state.withLock { $0.stop = request } }

    func completed(_ request: UInt64) { state.withLock { if $0.stop == request { $0 = State() } } }
}

/// What the plugin's callbacks send to the host; lives as long as the process. [any]
final class HostedTransportCallbacks: Sendable {
    let microphone = HostedRing<RingMapping>()
    let speaker = HostedRing<RingMapping>()
    let camera = HostedRing<VideoRingMapping>()
    let outbox: ChildOutbox

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

    /// As ``table()``.
    func cameraTable() -> UnsafePointer<glasses_camera_host> {
        let table = UnsafeMutablePointer<glasses_camera_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_camera_host(
                size: UInt32(MemoryLayout<glasses_camera_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_photo: { context, request, data, length, facts in
                    // A picture that the host does not take ends with its request, whose completion follows.
                    _ = HostedTransportCallbacks.of(context)?.outbox.sendPatiently(
                        .photo(request: request, PhotoBytes.copy(data, length), facts: CText(facts)))
                },
                on_stream: { context, state in
                    HostedTransportCallbacks.of(context)?.outbox.send(.streamChanged(CText(state)))
                }))
        return UnsafePointer(table)
    }

    /// As ``table()``.
    func displayTable() -> UnsafePointer<glasses_display_host> {
        let table = UnsafeMutablePointer<glasses_display_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_display_host(
                size: UInt32(MemoryLayout<glasses_display_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(self).toOpaque(),
                on_select: { context, node in
                    HostedTransportCallbacks.of(context)?.outbox.sendIfPossible(.selected(CText(node)))
                },
                on_back: { context in HostedTransportCallbacks.of(context)?.outbox.sendIfPossible(.back) }))
        return UnsafePointer(table)
    }

    private func completed(_ request: UInt64, _ result: glasses_result, _ detail: CText?) {
        microphone.completed(request)
        speaker.completed(request)
        camera.completed(request)
        outbox.send(.completed(request: request, result: result, detail: detail))
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> HostedTransportCallbacks? {
        context.map { Unmanaged<HostedTransportCallbacks>.fromOpaque($0).takeUnretainedValue() }
    }
}
