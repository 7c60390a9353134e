import GlassesDomain
import Synchronization

/// A loudspeaker that rests while it has nothing to do: after ten silent seconds outside a conversation it is closed, so that a device at
/// rest costs no wake-ups, and it is opened again by the next sound or by ``keepReady(_:)``.
///
/// To its owner it stays one open loudspeaker with one count of frames. What is written while it opens waits here, half a second at most.
final class RestingSpeaker: SpeakerPort {
    private enum Phase {
        case closed
        /// Being opened; what is written waits.
        case opening
        case open
        /// Closed, or being closed, because there is nothing to do.
        case resting
    }

    private struct Storage {
        var phase = Phase.closed
        var isKeptReady = false
        /// Frames of earlier openings.
        var base: Int64 = 0
        /// Frames taken since ``open(_:)``, those that wait included.
        var written: Int64 = 0
        /// The last position that was told.
        var played: Int64 = 0
        var waiting: [Int16] = []
        var lastUse = MonotonicTime.zero
        /// Positions of an earlier opening mean nothing any more.
        var opening = 0
        var isWatched = false
        var onPosition: (@Sendable (PlaybackPosition) -> Void)?
    }

    /// Silence after which it rests.
    static let patience = Duration.seconds(10)

    private let speaker: any SpeakerPort
    private let clock: ClockPort
    private let lost: @Sendable (AudioError) -> Void
    private let operations = OperationChain()
    private let storage = Mutex(Storage())

    /// `lost` is told when a loudspeaker that rested cannot be opened again; it is closed then.
    init(_ speaker: any SpeakerPort, clock: ClockPort, lost: @escaping @Sendable (AudioError) -> Void) {
        self.speaker = speaker
        self.clock = clock
        self.lost = lost
    }

    var sampleRate: Int { speaker.sampleRate }

    private var waitingLimit: Int { sampleRate / 2 }

    /// Whether a conversation is under way, whose next sound must not wait for a device; returns at once.
    func keepReady(_ isKeptReady: Bool) {
        let watches = storage.withLock { storage in
            storage.isKeptReady = isKeptReady
            if isKeptReady, storage.phase == .resting { wake(&storage) }
            storage.lastUse = clock.now()
            return watch(&storage)
        }
        if watches { beginWatch() }
    }

    func open(
        _ onPosition: @escaping @Sendable (PlaybackPosition) -> Void
    ) async -> ExtentosResult<Void, AudioError> {
        let opening = storage.withLock { storage in
            let isKeptReady = storage.isKeptReady
            let opening = storage.opening + 1
            storage = Storage()
            (storage.isKeptReady, storage.opening) = (isKeptReady, opening)
            (storage.phase, storage.onPosition, storage.lastUse) = (.opening, onPosition, clock.now())
            return opening
        }
        return await operations.run { [self] in await openNow(opening) }
    }

    func write(_ samples: ArraySlice<Int16>) -> Int {
        let (taken, watches) = storage.withLock { storage -> (Int, Bool) in
            storage.lastUse = clock.now()
            let taken: Int
            switch storage.phase {
            case .closed: return (0, false)
            case .open: taken = speaker.write(samples)
            case .opening, .resting:
                if storage.phase == .resting { wake(&storage) }
                taken = min(samples.count, waitingLimit - storage.waiting.count)
                storage.waiting += samples.prefix(taken)
            }
            storage.written += Int64(taken)
            return (taken, watch(&storage))
        }
        if watches { beginWatch() }
        return taken
    }

    var writableFrames: Int {
        storage.withLock { storage in
            switch storage.phase {
            case .closed: 0
            case .open: speaker.writableFrames
            case .opening, .resting: waitingLimit - storage.waiting.count
            }
        }
    }

    var writtenFrames: Int64 { storage.withLock { $0.written } }

    func flush() async -> PlaybackPosition {
        let unheard: PlaybackPosition? = storage.withLock { storage in
            guard storage.phase != .open else { return nil }
            // Nobody will hear what waits.
            storage.base += Int64(storage.waiting.count)
            storage.waiting = []
            return PlaybackPosition(frame: storage.played, time: clock.now(), isAdvancing: false)
        }
        if let unheard { return unheard }
        let position = await speaker.flush()
        return storage.withLock { Self.position(position, after: $0.base) }
    }

    func close() async {
        storage.withLock { storage in
            storage.phase = .closed
            storage.onPosition = nil
            storage.waiting = []
        }
        await operations.run { [self] in await speaker.close() }
    }

    // MARK: - Opening

    private func wake(_ storage: inout Storage) {
        storage.phase = .opening
        storage.opening += 1
        let opening = storage.opening
        operations.add { [self] in
            if case .failure(let error) = await openNow(opening) { lost(error) }
        }
    }

    private func openNow(_ opening: Int) async -> ExtentosResult<Void, AudioError> {
        guard isCurrent(opening) else { return .success(()) }
        let result = await speaker.open { [weak self] position in self?.reported(position, opening) }
        let watches = storage.withLock { storage in
            guard storage.opening == opening, storage.phase == .opening else { return false }
            guard case .success = result else {
                storage.phase = .closed
                return false
            }
            storage.phase = .open
            let taken = speaker.write(storage.waiting[...])
            // A ring that is smaller than what waited has lost the rest.
            storage.base += Int64(storage.waiting.count - taken)
            storage.waiting = []
            return watch(&storage)
        }
        if watches { beginWatch() }
        return result
    }

    private func isCurrent(_ opening: Int) -> Bool {
        storage.withLock { $0.opening == opening && $0.phase == .opening }
    }

    private func reported(_ position: PlaybackPosition, _ opening: Int) {
        let told = storage.withLock { storage -> ((@Sendable (PlaybackPosition) -> Void)?, PlaybackPosition)? in
            guard storage.opening == opening, storage.phase == .open || storage.phase == .opening else { return nil }
            let position = Self.position(position, after: storage.base)
            storage.played = position.frame
            return (storage.onPosition, position)
        }
        if let (onPosition, position) = told { onPosition?(position) }
    }

    private static func position(_ position: PlaybackPosition, after base: Int64) -> PlaybackPosition {
        PlaybackPosition(frame: base + position.frame, time: position.time, isAdvancing: position.isAdvancing)
    }

    // MARK: - Resting

    /// Whether somebody has to look when it can rest, and nobody does.
    private func watch(_ storage: inout Storage) -> Bool {
        guard storage.phase == .open, !storage.isKeptReady, !storage.isWatched else { return false }
        storage.isWatched = true
        return true
    }

    private func beginWatch() {
        let clock = clock
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            while let moment = self?.nextLook() {
                do { try await clock.sleepUntil(moment) } catch { return }
            }
        }
    }

    /// When to look again; nil when it rests now, or has no reason to.
    private func nextLook() -> MonotonicTime? {
        storage.withLock { storage in
            guard storage.phase == .open, !storage.isKeptReady else {
                storage.isWatched = false
                return nil
            }
            let now = clock.now()
            let due = storage.lastUse.advanced(by: Self.patience)
            guard due <= now else { return due }
            // Something long still plays.
            guard storage.played >= storage.written else { return now.advanced(by: Self.patience) }
            storage.isWatched = false
            storage.phase = .resting
            storage.base = storage.written
            operations.add { [self] in await speaker.close() }
            return nil
        }
    }
}
