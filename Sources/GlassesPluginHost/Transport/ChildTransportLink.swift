import GlassesDomain
import Synchronization

/// What the host knows of a transport in a child: what it was asked to be, and what it tells.
final class ChildTransportLink: ChildClient {
    /// Whether a call has to reach the plugin.
    enum Need: Sendable, Hashable {
        case needsPlugin
        /// There is no plugin, and nothing is left to be done: whatever was to be stopped has stopped with it.
        case needsNoPlugin
        /// A new child is being connected already; the call ends when that is over.
        case waits
    }

    /// Where the child is.
    fileprivate enum Phase: Sendable, Hashable {
        /// There is none, or it has no instance yet.
        case none
        /// It is being brought to where its predecessor was.
        case restoring
        case up
        /// It is being ended.
        case ending
    }

    fileprivate struct State {
        var phase = Phase.none
        var facts: TransportFacts?
        /// Requests that were made and not completed, and those of them that the living child has accepted.
        var made: [UInt64: TransportCall] = [:]
        var accepted: Set<UInt64> = []
        // What every new child has to become:
        var connected: Wanted?
        var microphone: RingStream?
        var speaker: RingStream?
        var camera: VideoStream?
        /// The tree that is on the display.
        var tree: [UInt8]?
        /// The last device that the plugin told to be connected.
        var device: DeviceInfo?
        /// Connects that end with the restoration.
        var waitingConnects: [UInt64] = []
        /// Why the last child could not be brought there.
        var loss: PluginFailureReport?
    }

    /// A connection that somebody asked for; nil is the default device.
    fileprivate struct Wanted: Sendable {
        var deviceId: DeviceId?
        /// Whether the plugin has not told since that the device is gone.
        var isThere = true
    }

    private let monitor: CallMonitor
    private let requests: RequestTable
    private let deliver: @Sendable (TransportReport) -> Void
    private let state = Mutex(State())
    private let callbacks: TransportCallbacks
    private let reports: ReportRelay

    init(monitor: CallMonitor, requests: RequestTable, deliver: @escaping @Sendable (TransportReport) -> Void) {
        self.monitor = monitor
        self.requests = requests
        self.deliver = deliver
        let relay = ReportRelay()
        reports = relay
        callbacks = TransportCallbacks(monitor: monitor) { relay.link?.told($0) }
        relay.attach(self)
    }

    /// What the plugin says of itself; nil before the first child has opened it.
    var facts: TransportFacts? { state.withLock { $0.facts } }

    /// A call is made.
    func begins(_ call: TransportCall, _ id: UInt64) -> Need {
        state.withLock { state in
            let stopped = state.forget(call)
            if state.phase == .none, stopped { return .needsNoPlugin }
            if case .connect = call, state.phase != .up, state.connected?.isThere == true {
                state.waitingConnects.append(id)
                return .waits
            }
            state.made[id] = call
            return .needsPlugin
        }
    }

    /// A call that needed no plugin is done.
    func completedByItself(_ id: UInt64) {
        requests.complete(id, .success(()), function: "glasses_transport_host.on_completed")
    }

    /// The child accepted or refused a call.
    func accepted(_ id: UInt64, _ result: Result<Void, PluginFailureReport>) {
        state.withLock { state in
            guard case .success = result, requests.isOpen(id) else {
                state.made[id] = nil
                return
            }
            state.accepted.insert(id)
        }
    }

    /// The instance is being destroyed: what is open ends as cancelled.
    func isEnding() { state.withLock { $0.phase = .ending } }

    // MARK: - ChildClient

    func childOpened(_ instance: ChildInstance) -> Result<Void, PluginFailureReport> {
        let function = PluginKind.transport.describeFunction
        let refusal = PluginFailureReport(.failed, plugin: monitor.plugin, function: function)
        guard let json = PluginDescription.object(monitor, function, instance.description) else {
            return .failure(refusal)
        }
        do {
            let facts = try TransportFacts(
                plugin: monitor.plugin, json: json, extensions: instance.extensions)
            return state.withLock { state in
                // The ports above were made for the first child's rates.
                guard state.facts?.hasSameStreams(as: facts) ?? true else { return .failure(refusal) }
                state.facts = state.facts ?? facts
                return .success(())
            }
        } catch {
            monitor.report(.wrongFacts(member: error.member), in: function)
            return .failure(refusal)
        }
    }

    func restore(_ restoration: ChildRestoration) {
        let calls: [TransportCall] = state.withLock { state in
            state.phase = .restoring
            state.loss = nil
            return state.restoringCalls
        }
        // The connection first: the streams need it.
        guard let connect = calls.first else { return finish(restoration) }
        request(connect, restoration) { [weak self] in self?.restore(Array(calls.dropFirst()), restoration) }
    }

    func received(_ message: ChildMessage) throws(WireError) {
        switch message {
        case .state(let number, let detail): callbacks.stateChanged(number, detail)
        case .completed(let request, let result, let detail): callbacks.completed(request, result, detail)
        case .event(let text): callbacks.told(text)
        case .photo(let request, let file, let facts): callbacks.photo(request, file, facts)
        case .streamChanged(let change): callbacks.streamChanged(change)
        case .selected(let node): callbacks.selected(node)
        case .back: callbacks.wentBack()
        case .registration(let state, let detail): callbacks.registrationChanged(state, detail)
        case .permission(let request, let isGranted): callbacks.permissionAnswered(request, isGranted)
        case .urlAnswered(let request, let isHandled): callbacks.urlAnswered(request, isHandled)
        case .power(let power): callbacks.powerChanged(power)
        case .input(let gesture, let time, let detail): callbacks.inputReceived(gesture, time, detail)
        default: throw .outOfOrder("a callback of another kind of plugin")
        }
    }

    func childEnded(_ report: PluginFailureReport) {
        let (open, streams, isEnding): ([UInt64], [RingStream], Bool) = state.withLock { state in
            let isEnding = state.phase == .ending
            if !isEnding { state.phase = .none }
            defer { state.accepted = [] }
            for id in state.accepted { state.made[id] = nil }
            return (state.accepted.sorted(), [state.microphone, state.speaker].compactMap { $0 }, isEnding)
        }
        for stream in streams { stream.pluginDied() }
        let reason =
            isEnding ? PluginFailureReport(.cancelled, plugin: monitor.plugin, function: "destroy") : report
        for id in open { requests.fail(id, reason) }
    }

    func outageIsLong() {
        let device = state.withLock { state in state.connected?.isThere == true ? state.lastDevice : nil }
        if let device { deliver(.stateChanged(.connecting(deviceId: device.id))) }
    }

    func childWasReplaced(wasTold: Bool) {
        let (cause, device, waiting): (DisconnectCause?, DeviceInfo?, [UInt64]) = state.withLock { state in
            defer { state.waitingConnects = [] }
            guard let connected = state.connected else { return (nil, nil, state.waitingConnects) }
            guard state.loss != nil || !connected.isThere else { return (nil, state.lastDevice, state.waitingConnects) }
            state.loseDevice()
            return (state.loss.map(DisconnectCause.init) ?? .deviceDroppedConnection, nil, state.waitingConnects)
        }
        if let cause {
            deliver(.stateChanged(.disconnected(cause: cause)))
        } else if wasTold, let device {
            deliver(.stateChanged(.active(state: .connected(device: device, camera: .ready))))
        }
        let lost = PluginFailureReport(.unavailable, plugin: monitor.plugin, function: "glasses_transport.connect")
        endConnects(waiting, device != nil ? .success(()) : .failure(state.withLock { $0.loss } ?? lost))
    }

    func childWasGivenUp(_ report: PluginFailureReport) {
        let (wasConnected, waiting) = state.withLock { state in
            defer {
                state.loseDevice()
                state.waitingConnects = []
            }
            return (state.connected != nil, state.waitingConnects)
        }
        if wasConnected { deliver(.stateChanged(.disconnected(cause: DisconnectCause(report)))) }
        endConnects(waiting, .failure(report))
    }

    private func endConnects(_ waiting: [UInt64], _ ending: RequestTable.Ending) {
        for id in waiting { requests.complete(id, ending, function: "glasses_transport.connect") }
    }

    // MARK: - Restoring

    /// Starts the streams side by side: each may wait for a sound server.
    private func restore(_ calls: [TransportCall], _ restoration: ChildRestoration) {
        guard !calls.isEmpty else { return finish(restoration) }
        let left = Countdown(calls.count)
        for call in calls {
            call.pluginRestarts?()
            request(call, restoration) { [weak self] in if left.isLast() { self?.finish(restoration) } }
        }
    }

    /// Makes a request of the restoration, and goes on with `then` when it succeeds.
    private func request(
        _ call: TransportCall, _ restoration: ChildRestoration, then: @escaping @Sendable () -> Void
    ) {
        requests.begin(
            call.function, limit: call.limit,
            ended: { [weak self] ending in
                guard case .failure(let failure) = ending else { return then() }
                self?.state.withLock { $0.loss = failure }
                self?.finish(restoration)
            },
            { id, answer in
                let parts = call.onWire(id)
                state.withLock { $0.made[id] = call }
                restoration.call(
                    ChildRestoration.Step(call: parts.call, descriptors: parts.descriptors, owner: parts.owner) {
                        [weak self] result in
                        self?.accepted(id, result)
                        answer(result)
                    })
            })
    }

    private func finish(_ restoration: ChildRestoration) {
        state.withLock { if $0.phase == .restoring { $0.phase = .up } }
        restoration.finish()
    }

    // MARK: - What the plugin tells

    fileprivate func told(_ report: TransportReport) {
        let isForApp: Bool = state.withLock { state in
            switch report {
            case .completed(let id, _, let ending):
                state.completed(id, ending)
                return true
            case .stateChanged(let new):
                state.changed(new)
                // What a new child goes through on its way is no news of the device.
                return state.phase != .restoring
            case .cameraChanged(.ended):
                state.camera = nil
                return true
            case .told, .still, .cameraChanged, .displayed, .registration, .answered, .power, .input, .pairingCode:
                return true
            }
        }
        if isForApp { deliver(report) }
    }
}

/// Tells the last one of several that end in any order.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func isLast() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}

/// Breaks the circle between a link and the callbacks that it owns.
private final class ReportRelay: Sendable {
    private struct Box: Sendable {
        weak var link: ChildTransportLink?
    }
    private let box = Mutex(Box())

    func attach(_ link: ChildTransportLink) { box.withLock { $0.link = link } }

    var link: ChildTransportLink? { box.withLock { $0.link } }
}

extension ChildTransportLink.State {
    fileprivate var lastDevice: DeviceInfo? { device ?? facts?.device }

    /// What a call ends is no longer wanted of a new child; true when that is all that the call does.
    fileprivate mutating func forget(_ call: TransportCall) -> Bool {
        switch call {
        case .connect, .startMicrophone, .startSpeaker, .startCamera, .takePhoto, .show, .registerApp, .unregisterApp,
            .checkPermission, .requestPermission, .handleURL:
            return false
        case .disconnect: loseDevice()
        case .stopMicrophone: microphone = nil
        case .stopSpeaker: speaker = nil
        case .stopCamera: camera = nil
        case .clearDisplay: tree = nil
        }
        return true
    }

    fileprivate mutating func loseDevice() {
        (connected, microphone, speaker, camera, tree) = (nil, nil, nil, nil, nil)
    }

    /// What brings a new child to where the dead one was.
    fileprivate var restoringCalls: [TransportCall] {
        guard let connected, connected.isThere else { return [] }
        let streams: [TransportCall?] = [
            microphone.map { .startMicrophone($0) }, speaker.map { .startSpeaker($0) }, camera.map { .startCamera($0) },
            tree.map { .show($0) },
        ]
        return [.connect(connected.deviceId)] + streams.compactMap { $0 }
    }

    fileprivate mutating func completed(_ id: UInt64, _ ending: Result<Void, PluginFailureReport>) {
        accepted.remove(id)
        guard let call = made.removeValue(forKey: id), case .success = ending else { return }
        switch call {
        case .connect(let device): connected = .init(deviceId: device)
        case .startMicrophone(let stream): microphone = stream
        case .startSpeaker(let stream): speaker = stream
        case .startCamera(let stream): camera = stream
        case .show(let shown): tree = shown
        case .takePhoto, .registerApp, .unregisterApp, .checkPermission, .requestPermission, .handleURL: break
        case .disconnect, .stopMicrophone, .stopSpeaker, .stopCamera, .clearDisplay: _ = forget(call)
        }
    }

    fileprivate mutating func changed(_ new: GlassesState) {
        switch new {
        case .active(let active):
            device = active.device
            connected?.isThere = true
        case .disconnected: connected?.isThere = false
        case .connecting, .deviceDiscovered, .registered, .notRegistered: break
        }
    }
}

extension TransportCall {
    /// What has to happen before the stream that the call starts gets another plugin.
    fileprivate var pluginRestarts: (@Sendable () -> Void)? {
        switch self {
        case .startMicrophone(let stream), .startSpeaker(let stream): stream.pluginRestarts
        case .startCamera(let stream): stream.pluginRestarts
        case .connect, .disconnect, .stopMicrophone, .stopSpeaker, .stopCamera, .takePhoto, .show, .clearDisplay,
            .registerApp, .unregisterApp, .checkPermission, .requestPermission, .handleURL:
            nil
        }
    }
}

extension DisconnectCause {
    /// The end of a plugin.
    fileprivate init(_ report: PluginFailureReport) {
        self = .transportFailure(cause: .platformError(code: report.code, message: report.message))
    }
}

extension TransportFacts {
    fileprivate func hasSameStreams(as other: TransportFacts) -> Bool {
        microphoneRate == other.microphoneRate && speakerRate == other.speakerRate && camera == other.camera
            && panel == other.panel
    }
}
