import CGlassesPlugin
import CShims
import GlassesDomain
import Synchronization

/// A loudspeaker's ring while it is open: what was written, what was played, and who waits for a cut.
final class OpenSpeaker: Sendable {
    let ring: AudioRingMemory
    private let monitor: CallMonitor
    private let onPosition: @Sendable (PlaybackPosition) -> Void
    private let onWork: @Sendable () -> Void
    private let state: Mutex<State>

    private struct Waiter {
        var flush: UInt64
        var upTo: Int64
        var answer: OnceContinuation<PlaybackPosition>?
    }

    private struct State {
        var written: Int64 = 0
        /// The stream's position of the ring's first frame: 0 until a plugin was started again.
        var base: Int64 = 0
        /// Whether the plugin is gone and will be started again.
        var isPluginGone = false
        var tellsStop = false
        var estimate: PlaybackEstimate
        var last: glasses_playback?
        var answeredFlush: UInt64 = 0
        var waiters: [Waiter] = []
        var lastNews: MonotonicTime
        var isHangReported = false

        /// Whether everything that was written is heard, and nobody waits for a word of the plugin.
        var isIdle: Bool { estimate.lastReport.frame >= written && waiters.isEmpty && !tellsStop }
    }

    /// `onWork` is called when a loudspeaker that was idle has something to tell again.
    init(
        ring: AudioRingMemory, monitor: CallMonitor, onPosition: @escaping @Sendable (PlaybackPosition) -> Void,
        onWork: @escaping @Sendable () -> Void = {}
    ) {
        self.onWork = onWork
        self.ring = ring
        self.monitor = monitor
        self.onPosition = onPosition
        let now = SystemClock.now()
        state = Mutex(State(estimate: PlaybackEstimate(sampleRate: ring.sampleRate, now: now), lastNews: now))
    }

    var writtenFrames: Int64 { state.withLock { $0.written } }

    /// Whether no report of the plugin's matters: nothing is to be heard, and nobody waits.
    var isIdle: Bool { state.withLock { $0.isIdle } }

    func write(_ samples: ArraySlice<Int16>) -> Int {
        let (taken, wasIdle) = state.withLock { state in
            let wasIdle = state.isIdle
            // A loudspeaker that had nothing to play owed no report.
            if state.estimate.lastReport.frame >= state.written { state.lastNews = SystemClock.now() }
            let taken = ring.write(samples)
            state.written += Int64(taken)
            return (taken, wasIdle)
        }
        if wasIdle { onWork() }
        return taken
    }

    /// A flush begins; answers the position of the ring up to which the plugin has to cut, or nil when it was cut here.
    func beginFlush(_ flush: UInt64, _ answer: OnceContinuation<PlaybackPosition>) -> Int64? {
        let now = SystemClock.now()
        let (upTo, cut): (Int64?, PlaybackPosition?) = state.withLock { state in
            guard state.isPluginGone else {
                state.waiters.append(Waiter(flush: flush, upTo: state.written, answer: answer))
                return (state.written - state.base, nil)
            }
            let heard = state.estimate.lastReport
            state.estimate.flushed(upTo: state.written, now: now)
            return (nil, heard)
        }
        if let cut { answer.resume(cut) }
        onWork()
        return upTo
    }

    /// The plugin has died: nothing moves, and who waits for a cut gets the last position that was reported.
    func pluginDied() {
        let now = SystemClock.now()
        let (waiters, heard): ([Waiter], PlaybackPosition) = state.withLock { state in
            defer { state.waiters = [] }
            state.isPluginGone = true
            state.tellsStop = true
            state.estimate.stopped(now: now)
            let heard = state.estimate.lastReport
            if let upTo = state.waiters.map(\.upTo).max() { state.estimate.flushed(upTo: upTo, now: now) }
            return (state.waiters, heard)
        }
        for waiter in waiters {
            waiter.answer?.resume(
                PlaybackPosition(frame: min(heard.frame, waiter.upTo), time: now, isAdvancing: false))
        }
        cshims_eventfd_signal(ring.wakeDescriptor)
        onWork()
    }

    /// A new plugin begins: the ring holds what was not played, as far as it still has it.
    func pluginRestarts() {
        state.withLock { state in
            let start = max(state.estimate.lastReport.frame, state.written - Int64(ring.capacity), state.base)
            let rest = ring.frames(Int(state.written - start), before: state.written - state.base)
            ring.restart(holding: rest)
            state.base = start
            state.last = nil
            state.lastNews = SystemClock.now()
            state.isHangReported = false
            state.isPluginGone = false
        }
    }

    /// Answers everyone who waits for `flush` or an earlier one with the extrapolated position.
    func giveUpWaiting(_ flush: UInt64) {
        let now = SystemClock.now()
        let (waiters, position): ([Waiter], PlaybackPosition) = state.withLock { state in
            let given = state.waiters.filter { $0.flush <= flush }
            for index in state.waiters.indices where state.waiters[index].flush <= flush {
                state.waiters[index].answer = nil
            }
            return (given, state.estimate.position(at: now, written: state.written))
        }
        for waiter in waiters {
            waiter.answer?.resume(
                PlaybackPosition(frame: min(position.frame, waiter.upTo), time: position.time, isAdvancing: false))
        }
    }

    /// Whether the plugin has still not carried out `flush`; asked once, when its limit is over.
    func isUnanswered(_ flush: UInt64) -> Bool {
        state.withLock { state in
            let isOpen = state.waiters.contains { $0.flush == flush }
            state.waiters.removeAll { $0.flush == flush }
            if isOpen { state.isHangReported = true }
            return isOpen
        }
    }

    /// Takes the plugin's news; true when it owes some for longer than `hangLimit` for the first time.
    func readReports(hangLimit: Duration) -> Bool {
        let now = SystemClock.now()
        let (news, answered, isHung): (PlaybackPosition?, Answered, Bool) = state.withLock { state in
            if state.isPluginGone {
                defer { state.tellsStop = false }
                return (state.tellsStop ? state.estimate.lastReport : nil, [], false)
            }
            // Inside the lock, so that no report of a dead plugin is taken for one of its successor.
            guard let playback = ring.playback() else { return (nil, [], false) }
            return take(playback, now, hangLimit, &state)
        }
        for (answer, position) in answered { answer.resume(position) }
        if let news { onPosition(news) }
        return isHung
    }

    private typealias Answered = [(OnceContinuation<PlaybackPosition>, PlaybackPosition)]

    private func take(
        _ playback: glasses_playback, _ now: MonotonicTime, _ hangLimit: Duration, _ state: inout State
    ) -> (PlaybackPosition?, Answered, Bool) {
        guard state.last.map({ !playback.equals($0) }) ?? (playback.played_t_ns != 0) else {
            let owes = state.estimate.lastReport.frame < state.written
            guard owes, state.lastNews.duration(to: now) > hangLimit, !state.isHangReported else {
                return (nil, [], false)
            }
            state.isHangReported = true
            return (nil, [], true)
        }
        state.last = playback
        state.lastNews = now
        state.isHangReported = false
        let answered = answers(playback, now, &state)
        let position = PlaybackPosition(
            frame: Self.inStream(playback.played_position, state),
            time: MonotonicTime(nanoseconds: playback.played_t_ns),
            isAdvancing: playback.is_advancing != 0)
        if state.estimate.report(position, written: state.written, now: now) == .implausible {
            monitor.report(.wrongPosition, in: "glasses_ring.played_position", from: .maximal)
        }
        return (state.estimate.lastReport, answered, false)
    }

    /// A ring's position in the stream; a plugin may write any number there.
    private static func inStream(_ position: Int64, _ state: State) -> Int64 {
        let (sum, overflow) = position.addingReportingOverflow(state.base)
        return overflow ? .max : sum
    }

    private func answers(_ playback: glasses_playback, _ now: MonotonicTime, _ state: inout State) -> Answered {
        guard playback.flush_id > state.answeredFlush else { return [] }
        state.answeredFlush = playback.flush_id
        let done = state.waiters.filter { $0.flush <= playback.flush_id }
        state.waiters.removeAll { $0.flush <= playback.flush_id }
        guard let upTo = done.map(\.upTo).max() else { return [] }
        let heard = min(max(Self.inStream(playback.flushed_position, state), state.estimate.lastReport.frame), upTo)
        state.estimate.flushed(upTo: upTo, now: now)
        return done.compactMap { waiter in
            waiter.answer.map { answer in
                let position = PlaybackPosition(
                    frame: min(heard, waiter.upTo), time: MonotonicTime(nanoseconds: playback.flushed_t_ns),
                    isAdvancing: false)
                return (answer, position)
            }
        }
    }
}

extension glasses_playback {
    /// Whether nothing was published since `other`.
    fileprivate func equals(_ other: glasses_playback) -> Bool {
        played_position == other.played_position && played_t_ns == other.played_t_ns && flush_id == other.flush_id
            && is_advancing == other.is_advancing
    }
}
