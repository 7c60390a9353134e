import Dispatch
import MWDATCore
import Synchronization

/// Drives a camera's machine, and is where the camera's stream gets its session from.
///
/// The stream calls it under its own lock, so it never calls the stream under its own.
final class CameraDriver: CameraSource {
    let stream: StreamDriver
    let states: StatePublisher<CameraState>
    private let session: DeviceSession
    private let record = Mutex((machine: CameraStateMachine(), attachment: StreamAttachment?.none))

    /// Attaches a camera to a started session.
    init(_ configuration: StreamConfiguration, in session: DeviceSession) throws(DeviceSessionError) {
        self.session = session
        let hub = session.hub
        stream = StreamDriver(configuration, StreamEnvironment(hub))
        states = StatePublisher("Camera.statePublisher", .started, on: hub.announcements, rule: hub.tokenRule)
        // The place in the session keeps this object, and with it the camera, until it is given up.
        let attachment = StreamAttachment(of: stream, in: session) { self.apply(.sessionEnded($0)) }
        record.withLock { $0.attachment = attachment }
        stream.use(self)
        do throws(DeviceSessionError) {
            try attachment.attach()
        } catch {
            record.withLock { $0.attachment = nil }
            stream.retire()
            throw error
        }
    }

    var machine: CameraStateMachine { record.withLock { $0.machine } }

    func apply(_ input: CameraStateMachine.Input) {
        let actions = record.withLock { record in
            let actions = record.machine.apply(input)
            for action in actions { perform(action, &record.attachment) }
            return actions
        }
        for action in actions { endStream(action) }
    }

    /// The part that only enqueues, so that it is done in order.
    private func perform(_ action: CameraStateMachine.Action, _ attachment: inout StreamAttachment?) {
        switch action {
        case .publishState(let state):
            states.publish(state)
            if state == .stopped { states.finish() }
        case .detach:
            attachment?.detach()
            attachment = nil
            // Not from here, where the stream may be calling.
            session.hub.work.async { [stream] in stream.retire() }
        case .stopStream, .endStream: return
        }
    }

    private func endStream(_ action: CameraStateMachine.Action) {
        switch action {
        case .stopStream: stream.apply(.stopRequested)
        case .endStream(let reason): stream.apply(.sessionEnded(reason))
        case .publishState, .detach: return
        }
        // One that was not running has nothing to give back.
        leaveIfStopped()
    }

    private func leaveIfStopped() {
        if stream.machine.state == .stopped { apply(.streamReleased) }
    }

    // MARK: Where the stream gets its session from

    func nextIdentifier() -> UInt64 { session.nextRequest() }

    func acquire(for stream: StreamDriver) -> StreamStateMachine.Input {
        let machine = machine
        guard machine.state == .started else {
            return .cameraRefused(machine.endReason ?? StreamBounds.cameraGone)
        }
        return StreamAttachment.ready(in: session)
    }

    /// The stream is about to tell that it has stopped; the camera does so after it.
    func release() { session.hub.work.async { self.leaveIfStopped() } }

    func send(_ command: (LinkSession) -> LinkCommand) { session.send(command(session.linkSession)) }
}
