import GlassesDomain
import MWDATCore

/// The simulated companion, its glasses and everything that runs on them: facts in, orders out.
///
/// The usual order of operations is power, unfold, don: glasses are listed once they are powered and unfolded, and a session starts
/// once they are worn. ``MockDeviceOperation/don`` implies the other two.
struct MockWorld: Sendable, Equatable {
    /// How long glasses are away after a crash.
    static let restartTime = Duration.seconds(2)
    /// Commands that wait for their late answer; with more of them the next is answered at once.
    static let waitingLimit = 1_000

    struct Waiting: Sendable, Equatable {
        var due: MonotonicTime
        var client: MockClient
        var command: LinkCommand
    }

    struct PermissionRequest: Sendable, Equatable {
        var client: MockClient
        var request: LinkRequest
        var permission: Permission
    }

    var isEnabled = false
    var registration = RegistrationState.unavailable
    var statuses: [Permission: PermissionStatus] = [:]
    /// What a request for a permission results in; granted without an entry.
    var requestResults: [Permission: PermissionStatus] = [:]
    /// Requests that wait for a callback URL, oldest first.
    var openRequests: [PermissionRequest] = []
    var behavior = MockBehavior()
    var faults = MockFaults()
    /// In the order of pairing.
    var glasses: [SimulatedGlasses] = []
    var clients: Set<MockClient> = []
    var sessions: [MockSessionKey: SimulatedSession] = [:]
    var waiting: [Waiting] = []
    var actions: [MockAction] = []

    /// When ``MockInput/timePassed`` is due next; nil when nothing waits for the clock.
    var nextDue: MonotonicTime? {
        let arrivals = sessions.values.compactMap { $0.stream?.queue.nextArrival }
        return (arrivals + glasses.compactMap(\.restart) + waiting.map(\.due)).min()
    }

    /// What has to be done about `input`.
    mutating func apply(_ input: MockInput, at now: MonotonicTime) -> [MockAction] {
        actions = []
        let before = listedDevices
        take(input, at: now)
        for index in glasses.indices { glasses[index].noteConnection() }
        reportDevices(since: before)
        defer { actions = [] }
        return actions
    }

    private mutating func take(_ input: MockInput, at now: MonotonicTime) {
        switch input {
        case .opened(let client): open(client)
        case .closed(let client): close(client)
        case .commanded(let client, let command): accept(command, from: client, at: now)
        case .operated(let operation): operate(operation, at: now)
        case .pictured(let key, let frame): pictured(key, frame, at: now)
        case .feedFailed(let key, let refusal):
            if stream(key) != nil { endStream(of: key.session, refusal) }
        case .photoEnded(let key, let result): endPhoto(key, result)
        case .timePassed: passTime(at: now)
        }
    }

    // MARK: Links

    private mutating func open(_ client: MockClient) {
        clients.insert(client)
        guard isEnabled else { return deliver(client, .unavailable(.kitDisabled)) }
        greet(client)
    }

    mutating func greet(_ client: MockClient) {
        deliver(client, .available(LinkPeer(name: "mock device kit", version: "1.0")))
        deliver(client, .registration(registration, nil))
        deliver(client, .devices(listedDevices))
    }

    /// What the app left behind stays on the glasses: nobody is there to end it.
    private mutating func close(_ client: MockClient) {
        for key in sessions.keys where key.client == client {
            let device = endSession(key, nil)
            change(device) { $0.isLeaked = true }
        }
        waiting.removeAll { $0.client == client }
        openRequests.removeAll { $0.client == client }
        clients.remove(client)
        actions.removeAll { if case .deliver(client, _) = $0 { true } else { false } }
    }

    // MARK: Devices

    /// What the companion tells an app: nothing before it is registered.
    var listedDevices: [LinkDevice] {
        guard isEnabled, registration == .registered else { return [] }
        return glasses.filter(\.isListed).map(device)
    }

    /// Glasses as a link reports them.
    func device(_ glasses: SimulatedGlasses) -> LinkDevice {
        LinkDevice(
            identifier: glasses.identifier, name: glasses.name, type: glasses.type, firmware: glasses.firmware,
            state: glasses.state(tellsDon: behavior.donRequirement == .always))
    }

    private mutating func reportDevices(since before: [LinkDevice]) {
        let after = listedDevices
        guard after != before, isEnabled else { return }
        if after.map(\.identifier) != before.map(\.identifier) { return broadcast(.devices(after)) }
        for (old, new) in zip(before, after) where old != new { broadcast(.device(new)) }
    }

    func find(_ identifier: DeviceIdentifier) -> SimulatedGlasses? {
        glasses.first { $0.identifier == identifier }
    }

    mutating func change(_ identifier: DeviceIdentifier?, _ body: (inout SimulatedGlasses) -> Void) {
        guard let index = glasses.firstIndex(where: { $0.identifier == identifier }) else { return }
        body(&glasses[index])
    }

    // MARK: Events

    mutating func deliver(_ client: MockClient, _ event: LinkEvent) {
        guard clients.contains(client) else { return }
        actions.append(.deliver(client, event))
    }

    mutating func broadcast(_ event: LinkEvent) {
        for client in clients.sorted() { deliver(client, event) }
    }

    // MARK: Time

    private mutating func passTime(at now: MonotonicTime) {
        for index in glasses.indices {
            if let restart = glasses[index].restart, restart <= now { glasses[index].restart = nil }
        }
        while let first = waiting.first, first.due <= now {
            waiting.removeFirst()
            carryOut(first.command, from: first.client, at: now)
        }
        for key in sessions.keys.sorted(by: { $0.session < $1.session }) { deliverArrivals(key, at: now) }
    }
}
