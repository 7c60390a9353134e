import GlassesDomain
import Synchronization

/// One open stream of a camera: its ring, its reader thread, and what the app wants to hear.
final class OpenCamera: Sendable {
    private let mode: CameraMode
    private let ring: VideoRingMemory
    private let reader: RingReader
    private let monitor: CallMonitor
    private let onFrame: @Sendable (CameraFrame) -> Void
    private let onChange: @Sendable (CameraStreamChange) -> Void
    private let state = Mutex(State())

    private struct State {
        var last: MonotonicTime?
        var hasEnded = false
        /// Frames that a dead plugin's ring had lost, and those that were refused.
        var dropped: Int64 = 0
    }

    /// Nil when memory or descriptors are used up.
    init?(
        mode: CameraMode, monitor: CallMonitor, onFrame: @escaping @Sendable (CameraFrame) -> Void,
        onChange: @escaping @Sendable (CameraStreamChange) -> Void
    ) {
        guard let ring = VideoRingMemory(slotBytes: mode.slotBytes), let reader = RingReader() else { return nil }
        self.mode = mode
        self.ring = ring
        self.reader = reader
        self.monitor = monitor
        self.onFrame = onFrame
        self.onChange = onChange
    }

    /// What the plugin is asked for.
    var call: VideoStream {
        VideoStream(ring: ring, configuration: mode.configuration) { [weak self] in self?.pluginRestarts() }
    }

    /// Whether the plugin ended the stream by itself.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Frames that got lost so far.
    var dropped: Int64 { state.withLock { $0.dropped } + ring.dropped }

    func start() { reader.start("plugin cam", wakeDescriptor: ring.wakeDescriptor) { [self] in deliver() } }

    func stop(limit: Duration) async { await reader.stop(limit: limit) }

    func abandon() { ring.abandon() }

    func changed(_ change: CameraStreamChange) {
        if case .ended = change { state.withLock { $0.hasEnded = true } }
        onChange(change)
    }

    /// Hands on every frame that is there.
    private func deliver() -> Bool {
        while !reader.isStopping {
            switch next() {
            // The thread of a stream that the plugin has ended leaves by itself: the next open does not wait for it.
            case .none: return !hasEnded
            case .refused: continue
            case .frame(let frame): onFrame(frame)
            }
        }
        return false
    }

    private enum Next {
        case none
        case frame(CameraFrame)
        /// One that the ABI does not allow; the next one may be better.
        case refused
    }

    private func next() -> Next {
        state.withLock { state in
            switch ring.next() {
            case .none: return .none
            case .frame(let claims, let bytes):
                // A frame from before the last one would make a player jump back.
                if let frame = CameraFrame(c: claims, bytes: bytes), state.last.map({ $0 < frame.time }) ?? true {
                    state.last = frame.time
                    return .frame(frame)
                }
            case .broken: break
            }
            state.dropped += 1
            monitor.report(.wrongFrame, in: "glasses_video_ring", from: .minimal)
            return .refused
        }
    }

    /// A new plugin begins to write.
    private func pluginRestarts() {
        state.withLock { state in
            state.dropped += ring.dropped
            ring.restart()
        }
    }
}

/// The ring of a camera's stream, and what its owner does when the plugin behind it dies and is started again.
struct VideoStream: Sendable {
    var ring: VideoRingMemory
    /// The ABI's text.
    var configuration: String
    /// Called before another plugin gets the ring.
    var pluginRestarts: @Sendable () -> Void
}
