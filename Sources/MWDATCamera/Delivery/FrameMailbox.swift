import Dispatch
import MWDATCore
import Synchronization

/// One listener of pictures, with a queue and a thread's turn of its own: one that is slow holds up nobody else.
final class FrameMailbox: Sendable {
    private struct State {
        var frames: FrameQueue<VideoFrame>
        var isHeld = false
    }

    private let queue = DispatchQueue(label: "org.extentos.mwdat.frames")
    private let listeners: ListenerStore<VideoFrame>
    private let state: Mutex<State>

    init(isCoded: Bool, rule: TokenRule) {
        listeners = ListenerStore("Stream.videoFramePublisher", on: queue, rule: rule)
        state = Mutex(State(frames: FrameQueue(isCoded: isCoded)))
    }

    /// Adds the listener; called once.
    func listen(_ listener: @escaping @Sendable (VideoFrame) -> Void) -> any AnyListenerToken {
        listeners.listen(listener)
    }

    /// Whether the listener's token is still held.
    var isWanted: Bool { listeners.hasListeners }

    func offer(_ frame: VideoFrame) -> FrameQueue<VideoFrame>.Outcome {
        let outcome = state.withLock { $0.frames.append(frame, isKeyFrame: frame.sampleBuffer.isKeyFrame) }
        queue.async { self.tellNext() }
        return outcome
    }

    /// Keeps pictures back until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        state.withLock { $0.isHeld = false }
        queue.async { self.tellAll() }
    }

    /// Forgets the pictures that have not been taken.
    func clear() { state.withLock { $0.frames.removeAll() } }

    /// Lives until its queue is done with it: with it objects of the app may go, whose ends must not run under a lock.
    func retire() { queue.async { withExtendedLifetime(self) {} } }

    private func tellAll() { while tellNext() {} }

    @discardableResult
    private func tellNext() -> Bool {
        guard let frame = state.withLock({ $0.isHeld ? nil : $0.frames.popFirst() }) else { return false }
        listeners.tell(frame)
        return true
    }
}
