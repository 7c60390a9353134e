/// The life of one stream: opening, running, losing the device and getting it back, stopping. Pure.
///
/// Each attempt to open the device is a thread of its own with a number. A thread whose device call does not come back is
/// *abandoned*: it never touches the ring again, and only its exit is awaited, to keep count.
struct StreamStateMachine {
    /// Names one attempt to open the device.
    typealias Attempt = Int

    enum Input: Equatable {
        case startRequested(UInt64)
        case stopRequested(UInt64)
        case shutdownRequested
        /// The attempt's device is open and configured; it waits for the ring.
        case prepared(Attempt)
        /// Frames flow.
        case flowed(Attempt)
        /// The attempt could not open its device, or lost it, and has given up the ring.
        case failed(Attempt, StreamFailure)
        /// The attempt gave up the ring because it was asked to end.
        case ended(Attempt)
        /// The attempt's thread closed its device and is gone.
        case exited(Attempt)
        /// The attempt's thread has not reported for ``StreamDriver/hangLimit``.
        case hung(Attempt)
        /// A flush waits for a thread that does not come back from a device call.
        case flushStuck(Attempt)
        case timePassed
    }

    enum Notice: Equatable {
        case lost(StreamFailure)
        case back
    }

    /// What to do, in the order of the fields.
    struct Actions: Equatable {
        /// Take the ring away from this attempt for good.
        var abandon: Attempt?
        /// Ask this attempt to end.
        var end: Attempt?
        /// Hand the ring to this attempt.
        var grant: Attempt?
        /// Start a thread for this attempt.
        var launch: Attempt?
        var notify: Notice?
        var complete: [Completion] = []
        /// The stream is over; nothing follows.
        var finish = false
    }

    struct Completion: Equatable {
        var request: UInt64
        var outcome: Outcome
    }

    enum Outcome: Equatable {
        case done
        case failed(StreamFailure)
        case cancelled
        case wrongState
    }

    private enum State: Equatable {
        case idle
        /// The first attempt; its outcome answers `request`.
        case starting(Attempt, request: UInt64, deadline: Int64)
        case running(Attempt, since: Int64)
        /// No device; the next attempt at `until`. `isTold` once the host knows.
        case waiting(until: Int64, isTold: Bool, cause: StreamFailure)
        case reopening(Attempt, deadline: Int64, isTold: Bool, cause: StreamFailure)
        case stopping(Attempt, requests: [UInt64], deadline: Int64, isLast: Bool)
        case over
    }

    /// Start has to be answered within 2 s.
    static let startLimit: Int64 = 1_800 * millisecond
    /// An attempt to get the device back that takes longer is abandoned.
    static let reopenLimit: Int64 = 1_500 * millisecond
    /// A thread that was asked to end closes its device within this time or is abandoned.
    static let stopLimit: Int64 = 500 * millisecond
    /// Threads that did not come back from a device call. With that many no new attempt is made, so that a sound server
    /// that hangs for a day costs four threads, not thousands; each one's return allows an attempt.
    static let strandedLimit = 4

    private var state = State.idle
    private var lastAttempt = 0
    private var backOff = BackOff()
    /// Threads that were launched and have not exited, the current one included.
    private var alive: Set<Attempt> = []
    /// Those of them whose ring was taken away.
    private var abandoned: Set<Attempt> = []

    /// When `timePassed` is due next; nil when nothing waits for time.
    var deadline: Int64? {
        switch state {
        case .idle, .running, .over: nil
        case .starting(_, _, let deadline), .reopening(_, let deadline, _, _), .stopping(_, _, let deadline, _):
            deadline
        case .waiting(let until, _, _): until
        }
    }

    /// The attempt that may be using the ring; nil while the ring is the driver's.
    var holder: Attempt? {
        switch state {
        case .starting(let attempt, _, _), .running(let attempt, _), .reopening(let attempt, _, _, _),
            .stopping(let attempt, _, _, _):
            attempt
        case .idle, .waiting, .over: nil
        }
    }

    /// Whether no stream is started: the ring is the host's again.
    var isIdle: Bool { state == .idle || state == .over }

    /// Threads that were abandoned and have not come back.
    var strandedCount: Int { alive.count - (holder.map { alive.contains($0) ? 1 : 0 } ?? 0) }

    mutating func apply(_ input: Input, at now: Int64) -> Actions {
        let actions = react(to: input, now)
        if let attempt = actions.abandon { abandoned.insert(attempt) }
        return actions
    }

    private mutating func react(to input: Input, _ now: Int64) -> Actions {
        switch input {
        case .startRequested(let request): return start(request, now)
        case .stopRequested(let request): return stop([request], isLast: false, now)
        case .shutdownRequested: return stop([], isLast: true, now)
        case .prepared(let attempt): return attempt == holder ? Actions(grant: attempt) : Actions()
        case .flowed(let attempt): return flowed(attempt, now)
        case .failed(let attempt, let failure): return failed(attempt, failure, now)
        case .ended: return Actions()  // its exit decides: the device has to be closed first
        case .exited(let attempt): return exited(attempt, now)
        case .hung(let attempt): return hung(attempt, now)
        case .flushStuck(let attempt): return flushStuck(attempt, now)
        case .timePassed: return timePassed(now)
        }
    }

    private mutating func start(_ request: UInt64, _ now: Int64) -> Actions {
        guard case .idle = state else {
            return Actions(complete: [Completion(request: request, outcome: .wrongState)])
        }
        guard alive.count < Self.strandedLimit else {
            return Actions(complete: [Completion(request: request, outcome: .failed(StreamFailure(.hung)))])
        }
        backOff = BackOff()
        let attempt = nextAttempt()
        state = .starting(attempt, request: request, deadline: now + Self.startLimit)
        return Actions(launch: attempt)
    }

    private mutating func stop(_ requests: [UInt64], isLast: Bool, _ now: Int64) -> Actions {
        switch state {
        case .idle, .waiting, .over:
            return finishStop(requests, isLast: isLast, Actions())
        case .starting(let attempt, let request, _):
            var actions = beginStop(attempt, requests, isLast, now)
            actions.complete = [Completion(request: request, outcome: .cancelled)]
            return actions
        case .running(let attempt, _), .reopening(let attempt, _, _, _):
            return beginStop(attempt, requests, isLast, now)
        case .stopping(let attempt, let earlier, let deadline, let wasLast):
            state = .stopping(attempt, requests: earlier + requests, deadline: deadline, isLast: wasLast || isLast)
            return Actions()
        }
    }

    private mutating func beginStop(_ attempt: Attempt, _ requests: [UInt64], _ isLast: Bool, _ now: Int64) -> Actions {
        state = .stopping(attempt, requests: requests, deadline: now + Self.stopLimit, isLast: isLast)
        return Actions(end: attempt)
    }

    private mutating func finishStop(_ requests: [UInt64], isLast: Bool, _ actions: Actions) -> Actions {
        var actions = actions
        if state != .over { state = isLast ? .over : .idle }
        actions.complete += requests.map { Completion(request: $0, outcome: .done) }
        actions.finish = isLast
        return actions
    }

    private mutating func flowed(_ attempt: Attempt, _ now: Int64) -> Actions {
        switch state {
        case .starting(attempt, let request, _):
            state = .running(attempt, since: now)
            return Actions(complete: [Completion(request: request, outcome: .done)])
        case .reopening(attempt, _, let isTold, _):
            state = .running(attempt, since: now)
            return Actions(notify: isTold ? .back : nil)
        case .idle, .starting, .running, .waiting, .reopening, .stopping, .over:
            return Actions()
        }
    }

    private mutating func failed(_ attempt: Attempt, _ failure: StreamFailure, _ now: Int64) -> Actions {
        switch state {
        case .starting(attempt, let request, _):
            state = .idle
            return Actions(complete: [Completion(request: request, outcome: .failed(failure))])
        case .running(attempt, let since):
            return lost(failure, since: since, now)
        case .reopening(attempt, _, let isTold, _):
            return wait(isTold: isTold, cause: failure, now)
        case .stopping, .idle, .starting, .running, .waiting, .reopening, .over:
            return Actions()  // a stale attempt, or one whose exit is awaited anyway
        }
    }

    /// The device of a running stream is gone. A device that only runs dry too often is opened anew without a word.
    private mutating func lost(_ failure: StreamFailure, since: Int64, _ now: Int64) -> Actions {
        backOff.ran(for: now - since)
        return wait(isTold: false, cause: failure, now)
    }

    private mutating func wait(isTold: Bool, cause: StreamFailure, _ now: Int64) -> Actions {
        let isQuiet = cause.kind == .xrunStorm && !isTold
        state = .waiting(until: now + backOff.next(), isTold: !isQuiet, cause: cause)
        return Actions(notify: isTold || isQuiet ? nil : .lost(cause))
    }

    private mutating func exited(_ attempt: Attempt, _ now: Int64) -> Actions {
        alive.remove(attempt)
        let wasStranded = abandoned.remove(attempt) != nil
        switch state {
        case .stopping(attempt, let requests, _, let isLast):
            return finishStop(requests, isLast: isLast, Actions())
        case .waiting(_, let isTold, let cause) where wasStranded:
            // Whatever it hung in works again.
            return launch(isTold: isTold, cause: cause, now)
        case .idle, .starting, .running, .waiting, .reopening, .stopping, .over:
            return Actions()
        }
    }

    private mutating func hung(_ attempt: Attempt, _ now: Int64) -> Actions {
        guard case .running(attempt, let since) = state else { return Actions() }
        var actions = lost(StreamFailure(.hung), since: since, now)
        actions.abandon = attempt
        return actions
    }

    /// The ring is taken back so that the flush can be answered, and the device is opened anew at once; the host hears of
    /// a loss only if that fails.
    private mutating func flushStuck(_ attempt: Attempt, _ now: Int64) -> Actions {
        guard case .running(attempt, let since) = state else { return Actions() }
        backOff.ran(for: now - since)
        var actions = launch(isTold: false, cause: StreamFailure(.hung), now)
        actions.abandon = attempt
        return actions
    }

    private mutating func timePassed(_ now: Int64) -> Actions {
        guard let deadline, deadline <= now else { return Actions() }
        switch state {
        case .starting(let attempt, let request, _):
            state = .idle
            let outcome = Outcome.failed(StreamFailure(.timedOut))
            return Actions(abandon: attempt, complete: [Completion(request: request, outcome: outcome)])
        case .waiting(_, let isTold, let cause):
            return launch(isTold: isTold, cause: cause, now)
        case .reopening(let attempt, _, let isTold, let cause):
            var actions = wait(isTold: isTold, cause: isTold ? cause : StreamFailure(.hung), now)
            actions.abandon = attempt
            return actions
        case .stopping(let attempt, let requests, _, let isLast):
            return finishStop(requests, isLast: isLast, Actions(abandon: attempt))
        case .idle, .running, .over:
            return Actions()  // these have no deadline
        }
    }

    /// Tries again, unless too many threads are stranded.
    private mutating func launch(isTold: Bool, cause: StreamFailure, _ now: Int64) -> Actions {
        guard alive.count < Self.strandedLimit else { return wait(isTold: isTold, cause: cause, now) }
        let attempt = nextAttempt()
        state = .reopening(attempt, deadline: now + Self.reopenLimit, isTold: isTold, cause: cause)
        return Actions(launch: attempt)
    }

    private mutating func nextAttempt() -> Attempt {
        lastAttempt += 1
        alive.insert(lastAttempt)
        return lastAttempt
    }
}
