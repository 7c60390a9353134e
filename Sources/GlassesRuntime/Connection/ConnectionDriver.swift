import GlassesDomain
import Synchronization

/// The connection sub-client: loads the chosen transport on the first connect, then connects, disconnects and follows its states.
final class ConnectionDriver: ConnectionClient {
    /// Loads the transport; called once, and again only after it failed.
    typealias Loader = @Sendable () async -> ExtentosResult<any GlassesTransport, ConnectError>

    private let box = ObservableBox<GlassesState>(.notRegistered)
    private let operations = OperationChain()
    private let loaded = Mutex<(any GlassesTransport)?>(nil)
    private let load: Loader
    private let events: EventLog
    private let onTransport: @Sendable (any GlassesTransport) async -> Void
    private let onState: @Sendable (GlassesState) async -> Void
    private let background: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// `onTransport` gets the transport once it is loaded; `onState` gets each state and is awaited before the next one.
    init(
        load: @escaping Loader, events: EventLog,
        background: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        onTransport: @escaping @Sendable (any GlassesTransport) async -> Void,
        onState: @escaping @Sendable (GlassesState) async -> Void
    ) {
        self.load = load
        self.events = events
        self.background = background
        self.onTransport = onTransport
        self.onState = onState
    }

    var state: any ObservableState<GlassesState> { box }

    /// The transport, once one was loaded.
    var transport: (any GlassesTransport)? { loaded.withLock { $0 } }

    func connect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        await operations.run { [self] in await connectNow(deviceId) }
    }

    func disconnect() async {
        await operations.run { [self] in await disconnectNow() }
    }

    func reconnect(deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        await operations.run { [self] in
            await disconnectNow()
            return await connectNow(deviceId)
        }
    }

    /// Answers a URL by the transport; false without one.
    func handleUrl(_ url: String) async -> Bool {
        guard let transport else { return false }
        return await transport.handleUrl(url)
    }

    /// Ends the transport and the state's streams.
    func shutdown() async {
        await operations.run { [self] in
            if let transport { await transport.shutdown() }
            loaded.withLock { $0 = nil }
        }
        box.finish()
    }

    private func connectNow(_ deviceId: DeviceId?) async -> ExtentosResult<Void, ConnectError> {
        if let active = box.current.active, deviceId == nil || active.device.id == deviceId { return .success(()) }
        let transport: any GlassesTransport
        switch await loadedTransport() {
        case .success(let value): transport = value
        case .failure(let error):
            await enter(.disconnected(cause: .transportFailure(cause: error.asTransportError)))
            return .failure(error)
        }
        let id = deviceId ?? transport.facts.device.id
        await enter(.registered)
        await enter(.deviceDiscovered(deviceId: id))
        await enter(.connecting(deviceId: id))
        switch await transport.connect(deviceId: deviceId) {
        case .success(let device):
            await enter(.active(state: .connected(device: device, camera: .ready)))
            return .success(())
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

    private func enter(_ state: GlassesState) async {
        guard box.current != state else { return }
        box.set(state)
        await onState(state)
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
