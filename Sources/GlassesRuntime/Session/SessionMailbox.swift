import GlassesAssistant
import Synchronization

/// The facts that wait for a session's driver, in the order in which they came.
///
/// Only what others can send at any rate is limited. The ends of what the driver itself has started are always taken: one that was
/// lost would leave the session waiting for it, and there are never more of them than the machine has ordered.
final class SessionMailbox: Sendable {
    /// One fact, and how the driver takes it.
    enum Letter: Sendable {
        case input(SessionInput)
        /// An edit that the app sees already; see ``PublishedHistory``.
        case edit(SessionInput)
        /// The device is another one than the model knows; what it is then is read when the letter is opened.
        case deviceChanged
        /// The end of a task that the driver holds.
        case ended(RunningTasks.Ticket, SessionInput)
    }

    /// Reports and edits that wait; hundreds of times what a lively second brings. More mean that the machine hangs.
    static let capacity = 8192
    /// Changes of the device and the gate find place after that: they are rare, and the session must not miss one.
    static let capacityForChanges = 2 * capacity

    /// The letters; one consumer, which calls ``taken()`` for each.
    let letters: AsyncStream<Letter>
    private let continuation: AsyncStream<Letter>.Continuation
    private let waiting = Mutex(0)

    init() { (letters, continuation) = AsyncStream.makeStream() }

    /// Adds a letter; false when it was dropped. Callable on any thread, returns at once.
    func add(_ letter: Letter) -> Bool {
        waiting.withLock { waiting in
            if let limit = Self.limit(for: letter), waiting >= limit { return false }
            waiting += 1
            continuation.yield(letter)
            return true
        }
    }

    /// The consumer has taken a letter.
    func taken() { waiting.withLock { $0 -= 1 } }

    /// Ends ``letters``.
    func finish() { continuation.finish() }

    /// How many letters may wait before this one; nil for one that is always taken.
    private static func limit(for letter: Letter) -> Int? {
        switch letter {
        case .edit: capacity
        case .deviceChanged: capacityForChanges
        case .ended: nil
        case .input(let input):
            switch input {
            case .playbackProgressed, .toolProgressed, .speechMeasured, .historyCleared, .turnAppended,
                .historyReplaced:
                capacity
            case .machineResumed, .wallClockMoved, .deviceDescribed, .deviceLost, .deviceReturned,
                .microphoneGateClosed, .microphoneGateOpened:
                capacityForChanges
            case .operationRequested, .connectionOpened, .connectionFailed, .connectionClosed, .server,
                .commandUnsendable, .speechNoticed,
                .playbackStarted, .playbackDrained, .flushCompleted, .toolReturned, .toolThrew, .pictureReady,
                .pictureFailed, .hookEnded, .timerFired, .memoryLoaded, .historySummarised, .historyCompacted,
                .compactionFailed,
                .microphoneFailed:
                nil
            }
        }
    }
}
