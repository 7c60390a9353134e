import Dispatch
import MWDATCore
import Synchronization

/// One listener of pictures, with a queue and a thread's turn of its own: one that is slow holds up nobody else.
final class FrameMailbox: Sendable {
    private struct State {
        var frames: FrameQueue<VideoFrame>
        var isHeld = false
        /// Whether the queue is about to tell pictures, or does.
        var isScheduled = false

        /// Whether the queue has to be asked for a turn.
        mutating func schedules() -> Bool {
            guard !isHeld, !isScheduled, !frames.isEmpty else { return false }
            isScheduled = true
            return true
        }

        mutating func take() -> VideoFrame? {
            let frame = isHeld ? nil : frames.popFirst()
            isScheduled = frame != nil
            return frame
        }
    }

    private let queue = DispatchQueue(label: "org.extentos.mwdat.frames", qos: .userInitiated)
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
        let (outcome, schedules) = state.withLock { state in
            let outcome = state.frames.append(frame, isKeyFrame: frame.sampleBuffer.isKeyFrame)
            return (outcome, state.schedules())
        }
        if schedules { queue.async { self.tellAll() } }
        return outcome
    }

    /// Keeps pictures back until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let schedules = state.withLock { state in
            state.isHeld = false
            return state.schedules()
        }
        if schedules { queue.async { self.tellAll() } }
    }

    /// Forgets the pictures that have not been taken.
    func clear() { state.withLock { $0.frames.removeAll() } }

    /// Lives until its queue is done with it: with it objects of the app may go, whose ends must not run under a lock.
    func retire() { queue.async { withExtendedLifetime(self) {} } }

    private func tellAll() { while let frame = state.withLock({ $0.take() }) { listeners.tell(frame) } }
}
