import Synchronization

/// Sustained access to one pair of glasses: it carries a camera, a display, and what else they offer.
///
/// Make one with ``WearablesInterface/createSession(deviceSelector:)``, start it, and add capabilities once it is
/// ``DeviceSessionState/started``. A started session lives until it has stopped, even when the app drops it. `stopped` is final. Any
/// thread.
public final class DeviceSession: Sendable {
    private struct Record {
        var state = DeviceSessionState.idle
        var endReason: Refusal?
    }

    /// The glasses' identifier.
    public let deviceId: DeviceIdentifier
    /// Names the session on the link.
    package let linkSession: LinkSession
    package let hub: WearablesHub

    private let record = Mutex(Record())
    private let states: StatePublisher<DeviceSessionState>
    private let errors: ListenerStore<DeviceSessionError>
    private let errorStreams = StateStreams<DeviceSessionError>()

    init(device: DeviceIdentifier, linkSession: LinkSession, hub: WearablesHub) {
        deviceId = device
        self.linkSession = linkSession
        self.hub = hub
        states = StatePublisher("DeviceSession.statePublisher", .idle, on: hub.announcements, rule: hub.tokenRule)
        errors = ListenerStore("DeviceSession.errorPublisher", on: hub.announcements, rule: hub.tokenRule)
    }

    /// The state now.
    public var state: DeviceSessionState { record.withLock { $0.state } }

    /// Why the session ended; nil while it has not, and when the app stopped it.
    public var endReason: Refusal? { record.withLock { $0.endReason } }

    /// The glasses; nil when they are not paired any more.
    public var device: Device? { hub.deviceForIdentifier(deviceId) }

    /// Tells every change of the state, the last one too.
    public var statePublisher: any Announcer<DeviceSessionState> { states }

    /// Tells every error. The state says whether the session goes on.
    public var errorPublisher: any Announcer<DeviceSessionError> { errors }

    /// The state now and each change after it, `stopped` last. Made after the end it has `stopped` alone.
    public func stateStream() -> AsyncStream<DeviceSessionState> { states.stream }

    /// Every error from now on; it ends with the session.
    public func errorStream() -> AsyncStream<DeviceSessionError> { errorStreams.stream() }

    /// Asks the glasses for the session and returns at once; ``stateStream()`` tells how it goes on, within 10 s.
    ///
    /// Glasses that are just being connected are waited for. Starting a session that is starting or started does nothing.
    ///
    /// - Throws: `noEligibleDevice` when the glasses cannot carry it now; it may be tried again. `sessionAlreadyStopped` at the end.
    public func start() throws(DeviceSessionError) { try hub.start(self) }

    /// Ends the session and returns at once: first what it carries, then itself. Doing it again does nothing.
    public func stop() { hub.stop(self) }

    /// Returns when the session has stopped, within four seconds of ``stop()``, or when the calling task is cancelled. Does not
    /// stop it.
    public func waitUntilStopped() async { for await state in stateStream() where state == .stopped { return } }

    /// Adds a part; it is kept alive until it is detached.
    package func attach(_ capability: any SessionCapability) throws(DeviceSessionError) {
        try hub.attach(capability, to: self)
    }

    /// Takes a part out and frees its place; harmless for one that is not there.
    package func detach(_ capability: any SessionCapability) { hub.detach(capability, from: self) }

    /// Puts a command in the queue to the link.
    package func send(_ command: LinkCommand) { hub.send(command, for: linkSession) }

    /// A new number for a stream, a photo or a view.
    package func nextRequest() -> LinkRequest { hub.nextIdentifier() }

    /// Called by the hub, in the order of the machine.
    func enter(_ state: DeviceSessionState) {
        record.withLock { $0.state = state }
        states.publish(state)
    }

    func report(_ error: DeviceSessionError) {
        errorStreams.send(error)
        errors.announce(error)
    }

    func explain(_ reason: Refusal) { record.withLock { $0.endReason = reason } }

    func finish() {
        errorStreams.finish()
        states.finish()
        errors.finish()
    }
}
