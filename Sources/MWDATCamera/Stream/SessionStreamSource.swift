import MWDATCore
import Synchronization

/// The session of a stream that is a part of it without a camera object, as in versions 0.6 to 0.8: the stream leaves it when it has
/// stopped, and comes back when it is started again.
final class SessionStreamSource: CameraSource {
    private let session: DeviceSession
    private let attachment = Mutex<StreamAttachment?>(nil)

    init(_ session: DeviceSession) { self.session = session }

    func nextIdentifier() -> UInt64 { session.nextRequest() }

    /// Takes the session's place for a camera, unless it is taken already by this stream.
    func attach(_ stream: StreamDriver) throws(DeviceSessionError) {
        let error: DeviceSessionError? = attachment.withLock { attachment in
            guard attachment == nil else { return nil }
            let new = StreamAttachment(of: stream, in: session) { [weak self, weak stream] reason in
                guard let stream else { return }
                stream.apply(.sessionEnded(reason))
                // A stream that is stopped has nothing to end, and only its place to give up.
                if stream.machine.state == .stopped { self?.release() }
            }
            do throws(DeviceSessionError) {
                try new.attach()
                attachment = new
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    func acquire(for stream: StreamDriver) -> StreamStateMachine.Input {
        do throws(DeviceSessionError) {
            try attach(stream)
            return StreamAttachment.ready(in: session)
        } catch {
            return .cameraRefused(Refusal(error, of: session))
        }
    }

    func release() {
        let old = attachment.withLock { attachment in
            defer { attachment = nil }
            return attachment
        }
        old?.detach()
    }

    func send(_ command: (LinkSession) -> LinkCommand) { session.send(command(session.linkSession)) }
}
