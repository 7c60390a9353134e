import GlassesAssistant
import GlassesAudio
import GlassesDomain
import Synchronization

/// The assistant sub-client: makes sessions, keeps the one that lives, and passes on what the device and the user's gates do.
final class AssistantDriver: AssistantClient {
    private struct Storage {
        var active: LiveSession?
        var isDeviceConnected = false
        var isDeviceLost = false
    }

    private let storage = Mutex(Storage())
    private let ports: SessionDriver.Ports
    private let seed: @Sendable () -> UInt64

    init(ports: SessionDriver.Ports, seed: @escaping @Sendable () -> UInt64) {
        self.ports = ports
        self.seed = seed
    }

    var activeSession: (any AssistantSession)? { storage.withLock { $0.active } }

    func start(
        provider: AssistantProvider, _ configure: (AssistantConfigBuilder) -> Void
    ) async throws -> any AssistantSession {
        let builder = AssistantConfigBuilder(provider: provider)
        configure(builder)
        let session = createSession(config: builder.config)
        try await session.start()
        return session
    }

    func createSession(config: AssistantConfig) -> any AssistantSession {
        LiveSession(config: config, ports: ports, seed: seed(), client: self)
    }

    func stop() async { await activeSession?.stop() }

    /// Makes `session` the one that lives; throws `alreadyActive` when another one does.
    func claim(_ session: LiveSession) throws(AssistantError) {
        let claimed = storage.withLock { storage in
            if let active = storage.active, active !== session { return false }
            let isNew = storage.active == nil
            storage.active = session
            if isNew {
                session.driver.post(ports.microphone.gate.isOpen ? .microphoneGateOpened : .microphoneGateClosed)
                // What happened to the device before the session had the slot, it has not heard of.
                session.driver.post(storage.isDeviceLost ? .deviceLost(.dropped) : .deviceReturned)
                session.driver.deliver(.deviceChanged)
            }
            return true
        }
        guard claimed else { throw .alreadyActive }
        ports.output.setListener { [weak driver = session.driver] event in driver?.post(SessionInput(event)) }
    }

    /// Gives the slot back, if `session` has it.
    func release(_ session: LiveSession?) {
        let released = storage.withLock { storage in
            guard let session, storage.active === session else { return false }
            storage.active = nil
            return true
        }
        if released { ports.output.setListener(nil) }
    }

    /// Follows the device's connection.
    func deviceChanged(_ state: GlassesState) {
        storage.withLock { storage in
            switch state {
            case .active:
                if storage.isDeviceLost { storage.active?.driver.post(.deviceReturned) }
                storage.isDeviceConnected = true
                storage.isDeviceLost = false
            case .connecting, .disconnected:
                guard storage.isDeviceConnected else { return }
                storage.isDeviceConnected = false
                storage.isDeviceLost = true
                storage.active?.driver.post(.deviceLost(DeviceLossReason(state)))
            case .notRegistered, .registered, .deviceDiscovered: break
            }
        }
    }

    /// The device is another one than models were told of.
    func deviceChanged() { storage.withLock { $0.active }?.driver.deliver(.deviceChanged) }

    /// Follows the user's gates.
    func gateChanged(_ gate: MicrophoneGate) {
        storage.withLock { $0.active }?.driver.post(gate.isOpen ? .microphoneGateOpened : .microphoneGateClosed)
    }
}

extension DeviceLossReason {
    fileprivate init(_ state: GlassesState) {
        switch state {
        case .disconnected(.userRequested): self = .userRequested
        case .disconnected(.hingesClosed): self = .hingesClosed
        default: self = .dropped
        }
    }
}

extension SessionInput {
    fileprivate init(_ event: PlaybackEvent) {
        switch event {
        case .started(let segment): self = .playbackStarted(SegmentID(segment))
        case .progressed(let segment, let heardMs):
            self = .playbackProgressed(HeardPosition(segment: SegmentID(segment), milliseconds: Int(heardMs)))
        case .drained: self = .playbackDrained
        }
    }
}
