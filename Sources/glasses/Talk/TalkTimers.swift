import Dispatch
import GlassesAudio
import GlassesCore
import Synchronization

/// The timers of a conversation and their ring.
final class TalkTimers: Sendable {
    /// What the timers do to the outside.
    struct Ports: Sendable {
        /// Plays the ring once; calls back with whether it was heard to its end.
        var ring: @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
        /// Cuts the ring.
        var cut: @Sendable () async -> Void
        /// Tells an event.
        var tell: @Sendable (TalkEvent) -> Void
    }

    private struct Timer {
        let seconds: Int
        let end: MonotonicTime
    }

    private struct Storage {
        var pending: [Int: Timer] = [:]
        var nextID = 0
        var rings = 0
        var isRinging = false
    }

    /// Nobody keeps more in mind.
    static let pendingLimit = 20
    /// The longest timer: a day.
    static let longestSeconds = 86_400
    /// A ring lasts a second; a minute of them is heard or nobody is there.
    private static let ringLimit = 60

    private let storage = Mutex(Storage())
    // A queue and not a task's sleep, whose timers fire on threads that a tool body may block.
    private let queue = DispatchQueue(label: "org.extentos.talk.timers", qos: .userInitiated)
    private let ports: Ports

    init(ports: Ports) { self.ports = ports }

    /// Sets a timer; false when there are too many.
    func set(seconds: Int) -> Bool {
        let id: Int? = storage.withLock { storage in
            guard storage.pending.count < Self.pendingLimit else { return nil }
            storage.nextID += 1
            storage.pending[storage.nextID] = Timer(
                seconds: seconds, end: Stopwatch.now.advanced(by: .seconds(seconds)))
            return storage.nextID
        }
        guard let id else { return false }
        queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in self?.expire(id) }
        return true
    }

    /// Ends the ring; false when nothing rings.
    func stopRinging() async -> Bool {
        let wasRinging = storage.withLock { storage in
            defer { storage.isRinging = false }
            return storage.isRinging
        }
        guard wasRinging else { return false }
        await ports.cut()
        ports.tell(.timerStopped)
        return true
    }

    /// Drops all timers and the ring, and answers those that had not rung, the next one first.
    func dropAll() async -> [TalkSummary.Timer] {
        let dropped = storage.withLock { storage in
            defer { storage.pending = [:] }
            return storage.pending.values.sorted { $0.end < $1.end }
        }
        _ = await stopRinging()
        let now = Stopwatch.now
        return dropped.map { timer in
            let remaining = Int(max(0, now.duration(to: timer.end).seconds).rounded(.up))
            return TalkSummary.Timer(seconds: timer.seconds, remainingSeconds: remaining)
        }
    }

    private func expire(_ id: Int) {
        let (timer, begins) = storage.withLock { storage -> (Timer?, Bool) in
            guard let timer = storage.pending.removeValue(forKey: id) else { return (nil, false) }
            defer {
                storage.isRinging = true
                storage.rings = 0
            }
            return (timer, !storage.isRinging)
        }
        guard let timer else { return }
        ports.tell(.timerRinging(seconds: timer.seconds))
        if begins { ring() }
    }

    private func ring() {
        ports.ring { [weak self] wasHeard in
            guard let self else { return }
            queue.async { self.ended(wasHeard) }
        }
    }

    private func ended(_ wasHeard: Bool) {
        let (goesOn, isOver) = storage.withLock { storage in
            guard storage.isRinging else { return (false, false) }
            storage.rings += 1
            storage.isRinging = wasHeard && storage.rings < Self.ringLimit
            return (storage.isRinging, !storage.isRinging)
        }
        if goesOn { ring() }
        if isOver { ports.tell(.timerStopped) }
    }
}
