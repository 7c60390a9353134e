import GlassesDomain
import Synchronization

/// The connection sub-client: loads the chosen transport on the first connect, then connects, disconnects and follows its states.
final class ConnectionDriver: ConnectionClient {
    /// Loads the transport; called once, and again only after it failed.
    typealias Loader = @Sendable () async -> ExtentosResult<any GlassesTransport, ConnectError>

    private let box = ObservableBox<GlassesState>(.notRegistered)
    private let pairing = ObservableBox<PairingCode?>(nil)
    private let operations = OperationChain()
    private let loaded = Mutex<(any GlassesTransport)?>(nil)
    private let isShutDown = Mutex(false)
    private let clock: ClockPort
    private let load: Loader
    private let events: EventLog
    private let onTransport: @Sendable (any GlassesTransport) async -> Void
    private let onState: @Sendable (GlassesState) async -> Void
    private let onPower: @Sendable (DevicePower) -> Void
    private let background: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let cameraHealth: CameraHealth
    private let consent: VendorConsent
    private let reports: DeviceReports

    /// `usesCamera` says whether the app declares the camera; `onPower` gets what the device tells of its condition; `onTransport` gets the transport once it is loaded; `onState` gets each state and is awaited before the next one.
    init(
        load: @escaping Loader, clock: ClockPort, events: EventLog,
        background: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        cameraHealth: CameraHealth = CameraHealth(), usesCamera: Bool = false,
        onPower: @escaping @Sendable (DevicePower) -> Void = { _ in },
        onTransport: @escaping @Sendable (any GlassesTransport) async -> Void,
        onState: @escaping @Sendable (GlassesState) async -> Void
    ) {
        self.load = load
        self.clock = clock
        self.events = events
        self.background = background
        self.onTransport = onTransport
        self.onState = onState
        self.onPower = onPower
        self.cameraHealth = cameraHealth
        consent = VendorConsent(clock: clock, events: events, usesCamera: usesCamera)
        reports = DeviceReports(events: events)
        cameraHealth.follow { [weak self] status in self?.cameraChanged(status) }
    }

    /// The camera's health is part of the active state; nobody but the state's readers has to act on it.
    private func cameraChanged(_ status: CameraStatus) {
        isShutDown.withLock { isShutDown in
            guard !isShutDown, case .active(.connected(let device, _)) = box.current else { return }
            box.set(.active(state: .connected(device: device, camera: status)))
        }
    }

    var state: any ObservableState<GlassesState> { box }

    var pairingCode: any ObservableState<PairingCode?> { pairing }

    /// The transport, once one was loaded.
    var transport: (any GlassesTransport)? { loaded.withLock { $0 } }

    func connect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        // Not behind an operation that hangs: the answer is known.
        if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
        let result = await operations.run { [self] in await connectNow(deviceId) }
        await afterConnect(result)
        return result
    }

    func disconnect() async {
        if isShutDown.withLock({ $0 }) { return }
        await operations.run { [self] in await disconnectNow() }
    }

    func reconnect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
        let result = await operations.run { [self] in
            await disconnectNow()
            return await connectNow(deviceId)
        }
        await afterConnect(result)
        return result
    }

    /// Not part of the operation: a person who takes a while to answer holds up no disconnect.
    private func afterConnect(_ result: ExtentosResult<Void, ConnectError>) async {
        guard case .success = result, let registration = transport?.registration else { return }
        await consent.askForCamera(registration)
    }

    /// Answers a URL by the transport; false without one.
    func handleUrl(_ url: String) async -> Bool {
        guard let transport else { return false }
        return await transport.handleUrl(url)
    }

    /// Begins the end: the state is `disconnected` from now on, and every connect fails, also one that is under way.
    func refuse() {
        isShutDown.withLock { isShutDown in
            isShutDown = true
            box.set(.disconnected(cause: .userRequested))
        }
    }

    /// Ends the transport and the state's streams, at the latest at `deadline`: an operation under way that lasts longer is left to
    /// itself, and the transport ends without it.
    func shutdown(by deadline: MonotonicTime) async {
        refuse()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let limit = Task(executorPreference: RuntimeThreads.shared) { [clock] in
            do {
                try await clock.sleepUntil(deadline)
            } catch {
                return  // Cancelled: the end came in time.
            }
            end.finish()
        }
        operations.add { [self] in
            await onState(.disconnected(cause: .userRequested))
            await endTransport()
            end.finish()
        }
        for await _ in ended {}
        limit.cancel()
        Task(executorPreference: RuntimeThreads.shared) { [self] in await endTransport() }
        box.finish()
        pairing.set(nil)
        pairing.finish()
    }

    /// Ends the transport, once.
    private func endTransport() async {
        let transport = loaded.withLock { loaded in
            defer { loaded = nil }
            return loaded
        }
        await transport?.shutdown()
    }

    private static let shutDownError = ConnectError.transportFailure(
        code: "shut_down", message: "These glasses were shut down. Create new ones to connect.")

    private func connectNow(_ deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
        if let active = box.current.active, deviceId == nil || active.device.id == deviceId { return .success(()) }
        let transport: any GlassesTransport
        switch await loadedTransport() {
        case .success(let value): transport = value
        case .failure(let error):
            await enter(.disconnected(cause: .transportFailure(cause: error.asTransportError)))
            return .failure(error)
        }
        if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
        if let registration = transport.registration {
            if await registration.state() != .registered { await enter(.notRegistered) }
            if let error = await consent.register(registration) { return .failure(error) }
            if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
        }
        let id = deviceId ?? transport.facts.device.id
        await enter(.registered)
        await enter(.deviceDiscovered(deviceId: id))
        await enter(.connecting(deviceId: id))
        switch await transport.connect(deviceId: deviceId) {
        case .success(let device):
            if isShutDown.withLock({ $0 }) { return .failure(Self.shutDownError) }
            await enter(.active(state: .connected(device: device, camera: .ready)))
            return .success(())
        case .failure(.registrationRequired):
            await enter(.notRegistered)
            return .failure(.registrationRequired)
        case .failure(let error):
            await enter(.disconnected(cause: .transportFailure(cause: error.asTransportError)))
            return .failure(error)
        }
    }

    private func disconnectNow() async {
        guard let transport else { return }
        // The streams are closed before the device goes, so that no listener takes its end for a loss.
        await enter(.disconnected(cause: .userRequested))
        await transport.disconnect()
    }

    private func loadedTransport() async -> ExtentosResult<any GlassesTransport, ConnectError> {
        if let transport { return .success(transport) }
        let result = await load()
        if case .success(let transport) = result {
            loaded.withLock { $0 = transport }
            await onTransport(transport)
            background { [weak self] in await self?.follow(transport) }
        }
        return result
    }

    /// What the transport reports by itself: a device that went away or came back.
    private func follow(_ transport: any GlassesTransport) async {
        for await event in transport.events {
            switch event {
            case .stateChanged(let state): await operations.run { [self] in await accept(state) }
            case .errorEvent(let error):
                events.log(
                    .warn, "transport.error", ["code": .string(error.code), "message": .string(error.description)])
            case .registrationChanged(let state, let reason):
                reports.registrationChanged(state, reason: reason)
                // Not awaited: a connect that waits for the registration is one of the operations.
                operations.add { [self] in await registrationChanged(state) }
            case .powerChanged(let power):
                reports.powerChanged(power)
                onPower(power)
            case .inputReceived(let input): reports.inputReceived(input)
            case .pairingCodeShown(let code): pairing.set(code)
            }
        }
    }

    /// A transport repeats the states of a connect that is already told; only what changes by itself counts.
    private func accept(_ state: GlassesState) async {
        switch state {
        case .disconnected(.userRequested), .notRegistered, .registered, .deviceDiscovered: return
        case .connecting, .active, .disconnected: break
        }
        if case .disconnected(.userRequested) = box.current { return }
        await enter(state)
    }

    /// A registration that was taken back is shown once the device, which goes with it, is gone.
    private func registrationChanged(_ state: DeviceRegistration) async {
        guard state == .available else { return }
        switch box.current {
        case .disconnected(.userRequested), .active, .connecting, .deviceDiscovered, .notRegistered: return
        case .registered, .disconnected: await enter(.notRegistered)
        }
    }

    private func enter(_ told: GlassesState) async {
        let entered = isShutDown.withLock { isShutDown -> GlassesState? in
            // Read under the lock, so that no change of the health can come between.
            let state = told.withCamera(cameraHealth.status)
            guard !isShutDown, box.current != state else { return nil }
            box.set(state)
            return state
        }
        guard let entered else { return }
        if entered.active != nil { pairing.set(nil) }
        await onState(entered)
    }
}

extension ConnectError {
    /// This error as the cause of a disconnect.
    var asTransportError: TransportError {
        switch self {
        case .transportFailure(let code, let message): .platformError(code: code, message: message)
        case .noDeviceAvailable, .permissionDenied, .pairingFailed, .registrationRequired:
            .hardwareUnavailable(reason: code)
        }
    }
}
