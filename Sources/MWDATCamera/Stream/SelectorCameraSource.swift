import MWDATCore
import Synchronization

/// The sessions of a stream that has a selector of its own, as in the first versions: each start opens a session with the glasses
/// that are chosen, each stop ends it.
final class SelectorCameraSource: CameraSource {
    private struct State {
        /// Which start this is; what belongs to an earlier one is given up.
        var attempt = 0
        var search: Task<Void, Never>?
        var session: DeviceSession?
        var attachment: StreamAttachment?
    }

    /// What an attempt to open a session came to.
    private enum Outcome {
        case ready(DeviceSession)
        case later(Refusal)
        case never(Refusal)
    }

    /// Between two attempts: glasses that are asked faster than that stop answering.
    private static let rest = Duration.seconds(2)

    private let selector: any DeviceSelector
    private let givenHub: WearablesHub?
    private let state = Mutex(State())

    /// Sessions of `hub`; nil for that of the process, once it is configured.
    init(_ selector: any DeviceSelector, hub: WearablesHub?) {
        self.selector = selector
        givenHub = hub
    }

    private var hub: WearablesHub? { givenHub ?? Wearables.sharedIfConfigured as? WearablesHub }

    func nextIdentifier() -> UInt64 { hub?.nextIdentifier() ?? 0 }

    func acquire(for stream: StreamDriver) -> StreamStateMachine.Input {
        guard let hub else { return .cameraRefused(StreamBounds.notConfigured) }
        state.withLock { state in
            state.attempt += 1
            let attempt = state.attempt
            state.search = Task { [self] in await search(for: stream, attempt, hub) }
        }
        return .cameraAwaited(StreamBounds.noGlasses)
    }

    func release() {
        let old = state.withLock { state in
            defer { (state.search, state.session, state.attachment) = (nil, nil, nil) }
            state.attempt += 1
            return state
        }
        old.search?.cancel()
        old.attachment?.detach()
        old.session?.stop()
    }

    func send(_ command: (LinkSession) -> LinkCommand) {
        guard let session = state.withLock({ $0.session }) else { return }
        session.send(command(session.linkSession))
    }

    private func search(for stream: StreamDriver, _ attempt: Int, _ hub: WearablesHub) async {
        func tell(_ input: StreamStateMachine.Input) {
            stream.apply(input) { state.withLock { $0.attempt == attempt } }
        }
        for await device in selector.activeDeviceStream() {
            // A selector of the app's own may not notice that it is not read any more.
            if Task.isCancelled { return }
            guard var candidate = device else {
                tell(.cameraAwaited(StreamBounds.noGlasses))
                continue
            }
            while !Task.isCancelled {
                switch await open(candidate, for: stream, attempt, hub) {
                case .ready(let session): return tell(StreamAttachment.ready(in: session))
                case .never(let reason): return tell(.cameraRefused(reason))
                case .later(let reason): tell(.cameraAwaited(reason))
                }
                await hub.timekeeper.rest(Self.rest)
                guard let next = selector.activeDevice else { break }
                candidate = next
            }
        }
        tell(.cameraRefused(StreamBounds.noGlasses))
    }

    private func open(
        _ device: DeviceIdentifier, for stream: StreamDriver, _ attempt: Int, _ hub: WearablesHub
    ) async -> Outcome {
        let session: DeviceSession
        do throws(DeviceSessionError) {
            session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: device, wearables: hub))
            try session.start()
        } catch {
            return .later(Refusal(error))
        }
        for await sessionState in session.stateStream() {
            if sessionState == .started { return take(session, for: stream, attempt) }
        }
        session.stop()
        let reason = session.endReason ?? StreamBounds.noGlasses
        return reason.isRetryable ? .later(reason) : .never(reason)
    }

    private func take(_ session: DeviceSession, for stream: StreamDriver, _ attempt: Int) -> Outcome {
        let attachment = StreamAttachment(of: stream, in: session) { [weak stream] in stream?.apply(.sessionEnded($0)) }
        do throws(DeviceSessionError) {
            try attachment.attach()
        } catch {
            session.stop()
            return .later(Refusal(error, of: session))
        }
        let isWanted = state.withLock { state in
            guard state.attempt == attempt else { return false }
            (state.session, state.attachment) = (session, attachment)
            return true
        }
        guard !isWanted else { return .ready(session) }
        attachment.detach()
        session.stop()
        return .later(StreamBounds.noGlasses)
    }
}

extension Timekeeper {
    fileprivate func rest(_ time: Duration) async {
        await withCheckedContinuation { continuation in _ = after(time) { continuation.resume() } }
    }
}
