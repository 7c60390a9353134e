import CGlassesPlugin
import Dispatch
import GlassesPluginKit
import MWDATCore
import Synchronization

/// Carries out what ``ConnectionStateMachine`` decides: tells the host, keeps the session, and reports what the glasses report.
final class GlassesDriver: Sendable {
    private struct Requests {
        var connect: PluginRequest?
        var disconnect: PluginRequest?
    }

    let sessions: SessionKeeper
    private let watch: GlassesWatch
    private let host: TransportHost
    /// One for all instances: each serial queue of its own would keep a thread for five seconds after its last work.
    private static let work = DispatchQueue(label: "org.extentos.meta-dat")
    /// Everything happens here, one after the other.
    private let queue: DispatchQueue
    private let machine = Mutex(ConnectionStateMachine())
    private let requests = Mutex(Requests())
    private let timers = Mutex<[ConnectionStateMachine.Timer: UInt64]>([:])
    private let condition = Mutex<PowerReport?>(nil)
    private let inputs: Inputs
    private struct Listener {
        var released: (@Sendable () -> Void)?
    }

    private let listener = Mutex(Listener())

    /// Where the watch and the sessions leave what they have seen, until the driver is there.
    private final class Inputs: Sendable {
        private struct Outlet {
            var sink: (@Sendable (ConnectionStateMachine.Input) -> Void)?
        }

        private let outlet = Mutex(Outlet())
        func connect(_ sink: @escaping @Sendable (ConnectionStateMachine.Input) -> Void) {
            outlet.withLock { $0.sink = sink }
        }
        func take(_ input: ConnectionStateMachine.Input) { outlet.withLock { $0.sink }?(input) }
    }

    init(_ wearables: any WearablesInterface, host: TransportHost) {
        self.host = host
        let queue = DispatchQueue(label: "org.extentos.meta-dat.glasses", target: Self.work)
        let inputs = Inputs()
        let watch = GlassesWatch(wearables, on: queue) { inputs.take(.glassesChanged($0)) }
        sessions = SessionKeeper(
            wearables,
            reports: SessionKeeper.Reports(
                gesture: { gesture in
                    var report = InputReport(gesture, control: "temple")
                    report.isInferred = true
                    host.reportInput(report)
                },
                ended: { inputs.take(.sessionEnded($0.check)) },
                snapshot: { watch.device($0).map(GlassesSnapshot.init) }))
        (self.queue, self.watch, self.inputs) = (queue, watch, inputs)
        inputs.connect { [weak self] input in
            guard let self else { return }
            self.queue.async { self.take(input) }
        }
        watch.start()
    }

    /// All known glasses.
    var knownDevices: [Device] { watch.devices }

    /// Whether the host takes glasses to be connected.
    var isConnected: Bool { machine.withLock { $0.connected != nil } }

    /// Called on each loss and each disconnect, before the host is told.
    func whenReleased(_ body: @escaping @Sendable () -> Void) { listener.withLock { $0.released = body } }

    func connect(_ request: PluginRequest, to device: DeviceIdentifier?) throws(PluginFailure) {
        let isFree = requests.withLock { requests in
            guard requests.connect == nil else { return false }
            requests.connect = request
            return true
        }
        guard isFree, machine.withLock({ $0.connected }) == nil else {
            if isFree { requests.withLock { $0.connect = nil } }
            throw .wrongState("The glasses are connected, or are being connected.")
        }
        inputs.take(.connectRequested(device))
    }

    func disconnect(_ request: PluginRequest) throws(PluginFailure) {
        let isFree = requests.withLock { requests in
            guard requests.disconnect == nil else { return false }
            requests.disconnect = request
            return true
        }
        guard isFree else { throw .wrongState("The glasses are being disconnected.") }
        inputs.take(.disconnectRequested)
    }

    func shutdown() {
        watch.stop()
        sessions.release()
    }

    // MARK: On the queue

    private func take(_ input: ConnectionStateMachine.Input) {
        let actions = machine.withLock { $0.apply(input) }
        for action in actions { perform(action) }
        if let id = machine.withLock({ $0.connected }), let device = watch.device(id) { report(PowerReport(device)) }
    }

    private func perform(_ action: ConnectionStateMachine.Action) {
        switch action {
        case .tellConnecting(let id): host.reportConnecting(pluginDevice(id))
        case .tellConnected(let id):
            condition.withLock { $0 = nil }
            host.reportConnected(pluginDevice(id))
        case .tellLost(let loss):
            if loss == .hingesClosed { reportFolded() }
            host.reportDisconnected(DisconnectReason(loss))
        case .tellDisconnected: host.reportDisconnected(.userRequested)
        case .completeConnect: taken(\.connect)?.complete()
        case .failConnect: taken(\.connect)?.fail(.noDevice)
        case .completeDisconnect: taken(\.disconnect)?.complete()
        case .startTimer(let timer, let delay): start(timer, delay)
        case .stopTimer(let timer): timers.withLock { $0[timer, default: 0] += 1 }
        case .use(let id): sessions.keep(id)
        case .release:
            listener.withLock { $0.released }?()
            sessions.release()
        }
    }

    private func taken(_ key: any WritableKeyPath<Requests, PluginRequest?> & Sendable) -> PluginRequest? {
        requests.withLock { requests in
            defer { requests[keyPath: key] = nil }
            return requests[keyPath: key]
        }
    }

    /// A timer that was stopped or started again meanwhile has another number.
    private func start(_ timer: ConnectionStateMachine.Timer, _ delay: Duration) {
        let number = timers.withLock { timers in
            timers[timer, default: 0] += 1
            return timers[timer]
        }
        let (seconds, attoseconds) = delay.components
        queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
        ) { [weak self] in
            guard let self, timers.withLock({ $0[timer] }) == number else { return }
            take(.timerFired(timer))
        }
    }

    private func report(_ power: PowerReport) {
        let isNews = condition.withLock { last in
            defer { last = power }
            return last != power
        }
        if isNews { host.reportPower(power) }
    }

    /// The news of the session may come before that of the hinges.
    private func reportFolded() {
        var power = condition.withLock { $0 } ?? PowerReport()
        power.hinges = .closed
        report(power)
    }

    private func pluginDevice(_ id: DeviceIdentifier) -> PluginDevice {
        watch.device(id).map { PluginDevice($0) }
            ?? PluginDevice(id: id, modelName: id, vendor: PluginDevice.vendorToken)
    }
}

extension DisconnectReason {
    fileprivate init(_ loss: ConnectionStateMachine.Loss) {
        switch loss {
        case .hingesClosed: self = .hingesClosed
        case .tooHot: self = .thermalCritical
        case .dropped: self = .deviceDropped
        }
    }
}
