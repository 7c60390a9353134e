import GlassesDomain
import Synchronization

/// One use of the camera as its user holds it: the frames that it gets, and why they ended.
final class CameraLease: Sendable {
    private struct State {
        var error: CaptureError?
        var hasEnded = false
        var isTaking: Bool
        var dropped: Int64 = 0
    }

    let id: CameraStateMachine.LeaseID
    /// The frames since the lease was granted; one reader. Ends with the lease, or with the reader's task.
    let frames: AsyncStream<CameraFrame>
    private let framesIn: AsyncStream<CameraFrame>.Continuation
    private let grants: AsyncStream<Void>
    private let grantsIn: AsyncStream<Void>.Continuation
    private let accepts: @Sendable (CameraFrame) -> Bool
    private let onRelease: @Sendable (CameraStateMachine.LeaseID) -> Void
    private let state: Mutex<State>

    /// `buffering` says what happens to frames that nobody has read yet, `accepts` which frames are wanted at all; it is called on the
    /// reader thread. A lease that holds back keeps no frame before ``takeFrames()``.
    init(
        id: CameraStateMachine.LeaseID, buffering: AsyncStream<CameraFrame>.Continuation.BufferingPolicy,
        holdsBack: Bool,
        accepts: @escaping @Sendable (CameraFrame) -> Bool,
        onRelease: @escaping @Sendable (CameraStateMachine.LeaseID) -> Void
    ) {
        self.id = id
        self.accepts = accepts
        self.onRelease = onRelease
        state = Mutex(State(isTaking: !holdsBack))
        (frames, framesIn) = AsyncStream.makeStream(bufferingPolicy: buffering)
        (grants, grantsIn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Why it ended; nil while it lasts, and after its user has released it.
    var error: CaptureError? { state.withLock { $0.error } }

    /// Frames that its user was too slow for.
    var dropped: Int64 { state.withLock { $0.dropped } }

    /// Waits until it is granted; false when it ended before. One caller.
    func isGranted() async -> Bool {
        for await _ in grants { return true }
        return false
    }

    /// Its user needs it no more; further calls do nothing.
    func release() {
        if finish(nil) { onRelease(id) }
    }

    /// Its user is ready for frames.
    func takeFrames() { state.withLock { $0.isTaking = true } }

    // MARK: For the driver

    func grant() { grantsIn.yield() }

    /// A frame for its user, on the reader thread.
    func take(_ frame: CameraFrame) {
        guard state.withLock({ $0.isTaking }), accepts(frame) else { return }
        if case .dropped = framesIn.yield(frame) { state.withLock { $0.dropped += 1 } }
    }

    /// The camera cannot be used any more.
    func end(_ error: CaptureError) { _ = finish(error) }

    /// False when it had ended already.
    private func finish(_ error: CaptureError?) -> Bool {
        let isFirst = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.hasEnded = true
            state.error = error
            return true
        }
        guard isFirst else { return false }
        framesIn.finish()
        grantsIn.finish()
        return true
    }
}
