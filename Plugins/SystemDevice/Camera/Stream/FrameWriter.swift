import CGlassesPlugin
import GlassesPluginKit
import Synchronization
import SystemDeviceStreams

/// The way of pictures into the host's ring: in the order of time, until it is closed.
///
/// The ring is taken away in ``close()``, so that a thread that a driver holds for minutes writes nothing when it comes back.
package final class FrameWriter: Sendable {
    /// What became of the pictures of one stream.
    package struct Counts: Sendable, Hashable {
        /// Pictures that the host got, or could have taken.
        package var written = 0
        /// Pictures that the camera counted and did not deliver.
        package var lost: UInt64 = 0
        /// Pictures that came in pieces, marked as wrong, or too large.
        package var broken = 0
    }

    private struct State {
        var ring: VideoRing?
        var counts = Counts()
        var lastTime: Int64 = 0
        var nextNumber: UInt64?
    }

    private let state: Mutex<State>
    private let onFirst: @Sendable () -> Void

    /// Writes into `ring`; `onFirst` is called once, by the thread that wrote the first picture.
    package init(_ ring: VideoRing, onFirst: @escaping @Sendable () -> Void) {
        state = Mutex(State(ring: ring))
        self.onFirst = onFirst
    }

    /// Writes one picture. `fill` copies it into the slot and says what it is; nil for one that turned out to be broken.
    ///
    /// `number` is the camera's count; what it skips is counted as lost. A `time` that is not between the last picture and now is
    /// not believed: then the picture counts as taken now. False when the writer was closed.
    package func write(
        number: UInt64, time: Int64, _ fill: (UnsafeMutableRawBufferPointer) -> glasses_frame?
    ) -> Bool {
        let outcome = state.withLock { state -> (isOpen: Bool, isFirst: Bool) in
            guard let ring = state.ring else { return (false, false) }
            if let expected = state.nextNumber, number > expected { state.counts.lost += number - expected }
            state.nextNumber = number + 1
            let now = monotonicNow()
            let believed = time > state.lastTime && time <= now ? time : max(now, state.lastTime + 1)
            var isBroken = false
            ring.write { slot in
                guard var frame = fill(slot) else {
                    isBroken = true
                    return nil
                }
                frame.t_ns = believed
                frame.number = number
                return frame
            }
            guard !isBroken else {
                state.counts.broken += 1
                return (true, false)
            }
            state.lastTime = believed
            state.counts.written += 1
            return (true, state.counts.written == 1)
        }
        if outcome.isFirst { onFirst() }
        return outcome.isOpen
    }

    /// Counts a picture that was broken before it could be copied.
    package func countBroken() { state.withLock { $0.counts.broken += 1 } }

    /// Takes the ring away; a picture that is being written is finished first.
    package func close() { state.withLock { $0.ring = nil } }

    /// What became of the pictures so far. [any]
    package var counts: Counts { state.withLock { $0.counts } }
}
