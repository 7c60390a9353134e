import Synchronization

/// Chooses the first glasses, in the companion's order, that are connected, compatible, worn and let through by a filter.
///
/// It keeps its choice while that is so. Glasses that are reconnected within 2.5 s are not given up, since links blink in normal use;
/// glasses that are disconnected, folded or taken off are given up at once. It has its answer as soon as it is made. Glasses that
/// do not report whether they are worn count as worn.
public final class AutoDeviceSelector: DeviceSelector {
    private let driver: AutoSelectorDriver

    /// A selector over the glasses of `wearables`. `filter` leaves glasses out; with `requiresDonned` false glasses that
    /// are not worn are chosen too.
    public init(wearables: any WearablesInterface, filter: DeviceFilter? = nil, requiresDonned: Bool = true) {
        driver = AutoSelectorDriver(wearables, filter: filter, requiresDonned: requiresDonned)
        driver.begin()
    }

    deinit { driver.end() }

    /// The glasses that it chooses now; nil when none can be used.
    public var activeDevice: DeviceIdentifier? { driver.activeDevice }

    /// The choice now, and each one after it. It ends when the selector goes away.
    public func activeDeviceStream() -> AnyAsyncSequence<DeviceIdentifier?> {
        driver.stream().eraseToAnySequence()
    }

    /// Which check each pair of glasses fails that cannot be chosen.
    public var ineligibleDevices: [DeviceIdentifier: Refusal] { driver.refusals() }
}

/// Watches the glasses and applies the machine.
private final class AutoSelectorDriver: Sendable {
    private struct State {
        var machine = SelectorMachine()
        var tokens: [DeviceIdentifier: (device: Device, token: any AnyListenerToken)] = [:]
        var listToken: (any AnyListenerToken)?
        var timers: [Int: any PendingTimer] = [:]
        /// Looks at the glasses are numbered, so that an older look never undoes a newer one.
        var begunLooks = 0
        var takenLook = 0
        var isEnded = false
    }

    private let wearables: any WearablesInterface
    private let filter: DeviceFilter?
    private let requiresDonned: Bool
    private let timekeeper: any Timekeeper
    private let streams = StateStreams<DeviceIdentifier?>(of: nil)
    private let state = Mutex(State())

    init(_ wearables: any WearablesInterface, filter: DeviceFilter?, requiresDonned: Bool) {
        self.wearables = wearables
        self.filter = filter
        self.requiresDonned = requiresDonned
        timekeeper = (wearables as? WearablesHub)?.timekeeper ?? SystemTimekeeper.shared
    }

    func begin() {
        let token = wearables.addDevicesListener { [weak self] _ in self?.look() }
        state.withLock { $0.listToken = token }
        look()
    }

    func end() {
        let (tokens, timers) = state.withLock { state in
            state.isEnded = true
            defer { (state.tokens, state.listToken, state.timers) = ([:], nil, [:]) }
            return (state.tokens.values.map(\.token) + [state.listToken].compactMap { $0 }, Array(state.timers.values))
        }
        release(tokens)
        for timer in timers { timer.cancel() }
        streams.finish()
    }

    var activeDevice: DeviceIdentifier? {
        look()
        return state.withLock { $0.machine.active }
    }

    func stream() -> AsyncStream<DeviceIdentifier?> {
        look()
        return streams.stream()
    }

    func refusals() -> [DeviceIdentifier: Refusal] {
        var refusals: [DeviceIdentifier: Refusal] = [:]
        for device in wearables.devices.compactMap(wearables.deviceForIdentifier) {
            refusals[device.identifier] = refusal(of: device)
        }
        return refusals
    }

    /// Looks at all glasses. The app's filter runs without a lock.
    private func look() {
        let number = state.withLock { state in
            state.begunLooks += 1
            return state.begunLooks
        }
        let devices = wearables.devices.compactMap(wearables.deviceForIdentifier)
        let candidates = devices.map { SelectorMachine.Candidate(identifier: $0.identifier, fitness: fitness(of: $0)) }
        // Without a registration the list is empty for good.
        let isListComplete = wearables.registrationState != .registered
        let isNews = state.withLock { state in
            guard number > state.takenLook, !state.isEnded else { return false }
            state.takenLook = number
            apply(.candidatesChanged(candidates, isListComplete: isListComplete), to: &state)
            return true
        }
        if isNews { watch(devices) }
    }

    private func watch(_ devices: [Device]) {
        let stale = state.withLock { state in
            let gone = state.tokens.filter { entry in !devices.contains { $0 === entry.value.device } }
            for identifier in gone.keys { state.tokens[identifier] = nil }
            return Array(gone.values)
        }
        release(stale.map(\.token))
        for device in devices {
            guard state.withLock({ $0.tokens[device.identifier] == nil && !$0.isEnded }) else { continue }
            let token = device.addDeviceStateListener { [weak self] _ in self?.look() }
            let superfluous = state.withLock { state in
                guard state.tokens[device.identifier] == nil, !state.isEnded else { return true }
                state.tokens[device.identifier] = (device, token)
                return false
            }
            if superfluous { release([token]) }
        }
    }

    private func fitness(of device: Device) -> SelectorMachine.Candidate.Fitness {
        guard let refusal = refusal(of: device) else { return .eligible }
        return refusal.check == .link && device.linkState == .connecting ? .blinking : .ineligible
    }

    private func refusal(of device: Device) -> Refusal? {
        if let filter, !filter(device) {
            return Refusal(.notFound, "The app's filter leaves \(device.nameOrId()) out.", isRetryable: false)
        }
        return Eligibility.refusal(ofAutomatic: device.snapshot, requiresDonned: requiresDonned)
    }

    private func timerFired(_ timer: Int) {
        state.withLock { state in
            state.timers[timer] = nil
            if !state.isEnded { apply(.timerFired(timer), to: &state) }
        }
    }

    private func apply(_ input: SelectorMachine.Input, to state: inout State) {
        for action in state.machine.apply(input, at: timekeeper.now) {
            switch action {
            case .schedule(let timer, let delay):
                state.timers[timer] = timekeeper.after(delay) { [weak self] in self?.timerFired(timer) }
            case .cancel(let timer): state.timers.removeValue(forKey: timer)?.cancel()
            case .choose(let device): streams.send(device)
            }
        }
    }

    private func release(_ tokens: [any AnyListenerToken]) {
        for token in tokens { (token as? any ReleasableToken)?.cancelAtOnce() }
    }
}
