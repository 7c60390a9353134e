import CGlassesPlugin
import GlassesPluginKit
import Glibc

/// The thread of one stream: applies what happened to the machine and starts what it asks for.
///
/// It makes no device call, so nothing that a device does can keep it. While no [audio] thread holds the ring, it answers
/// the host's flushes itself.
final class StreamLoop {
    private let driver: StreamDriver
    private var machine = StreamStateMachine()
    private var leases: [StreamStateMachine.Attempt: StreamLease] = [:]
    private var seen: [StreamStateMachine.Attempt: StreamLease.Step] = [:]
    private var endings: [UInt64: StreamDriver.Ending] = [:]
    private var lastRequest: UInt64 = 0
    private var ring: AudioRing?
    private var isOver = false

    /// How often a running thread is looked at; fast enough for ``StreamDriver/hangLimit``.
    private static let watchInterval: Int64 = 200 * millisecond
    /// How often while a flush waits for its thread.
    private static let flushInterval: Int64 = 10 * millisecond

    init(driver: StreamDriver) { self.driver = driver }

    /// Runs until the stream was shut down.
    func run() {
        while !isOver {
            driver.signal.wait(nanoseconds: nextWait(at: monotonicNow()))
            takeCommands()
            takeReports()
            watch()
            apply(.timePassed)
            answerFlush()
            tellPosition()
            ALSAMessages.drain(driver.reports.log)
        }
    }

    private func nextWait(at now: Int64) -> Int64 {
        var wait = Self.watchInterval
        if driver.flushes.pending() != nil, ring != nil { wait = Self.flushInterval }
        if let deadline = machine.deadline { wait = min(wait, max(0, deadline - now)) }
        // Without a stream only commands and returning threads matter, and both signal.
        return ring == nil && machine.deadline == nil ? 10_000 * millisecond : wait
    }

    private func apply(_ input: StreamStateMachine.Input) { perform(machine.apply(input, at: monotonicNow())) }

    // MARK: What happened

    private func takeCommands() {
        for command in driver.takeCommands() {
            switch command {
            case .start(let ring, let ending):
                let request = keep(ending)
                if self.ring == nil { self.ring = ring }
                apply(.startRequested(request))
            case .stop(let ending): apply(.stopRequested(keep(ending)))
            case .shutdown: apply(.shutdownRequested)
            }
        }
    }

    private func keep(_ ending: @escaping StreamDriver.Ending) -> UInt64 {
        lastRequest += 1
        endings[lastRequest] = ending
        return lastRequest
    }

    private func takeReports() {
        for (attempt, lease) in leases.sorted(by: { $0.key < $1.key }) {
            let (step, failure) = lease.reported
            let before = seen[attempt] ?? .opening
            guard step > before else { continue }
            seen[attempt] = step
            switch step {
            case .opening: break
            case .prepared: apply(.prepared(attempt))
            case .flowing: apply(.flowed(attempt))
            case .over: reportEnd(attempt, failure)
            case .gone:
                if before < .over { reportEnd(attempt, failure) }
                leases[attempt] = nil
                seen[attempt] = nil
                apply(.exited(attempt))
            }
        }
    }

    private func reportEnd(_ attempt: StreamStateMachine.Attempt, _ failure: StreamFailure?) {
        apply(failure.map { .failed(attempt, $0) } ?? .ended(attempt))
    }

    private func watch() {
        guard let attempt = machine.holder, let lease = leases[attempt], lease.isGranted else { return }
        let now = monotonicNow()
        let silence = now - lease.lastReportTime
        if silence >= StreamDriver.hangLimit {
            apply(.hung(attempt))
        } else if let flush = driver.flushes.pending(), silence >= StreamDriver.flushLimit,
            now - flush.time >= StreamDriver.flushLimit
        {
            apply(.flushStuck(attempt))
        }
    }

    // MARK: What to do

    private func perform(_ actions: StreamStateMachine.Actions) {
        if let attempt = actions.abandon { abandon(attempt) }
        if let attempt = actions.end { leases[attempt]?.end() }
        if let attempt = actions.grant { leases[attempt]?.grant(at: monotonicNow()) }
        if let attempt = actions.launch { launch(attempt) }
        if let notice = actions.notify { report(notice) }
        if machine.holder == nil || actions.abandon != nil { tellPosition() }
        for completion in actions.complete { complete(completion) }
        if actions.finish { isOver = true }
    }

    private func abandon(_ attempt: StreamStateMachine.Attempt) {
        guard let lease = leases[attempt] else { return }
        lease.end()
        // A thread inside ring code is about to leave it: this waits for the scheduler, never for a device.
        while !lease.revoke() { usleep(100) }
        let stranded = machine.strandedCount
        driver.reports.log("\(driver.port.noun): attempt \(attempt) does not answer; \(stranded) such threads")
    }

    private func launch(_ attempt: StreamStateMachine.Attempt) {
        guard let ring else { return }
        let lease = StreamLease(attempt: attempt, wake: EventSignal(), driverSignal: driver.signal, now: monotonicNow())
        leases[attempt] = lease
        seen[attempt] = .opening
        if !StreamThread.launch(driver.job, lease, ring) {
            lease.giveBack(StreamFailure(.failed, code: -EAGAIN))
            lease.report(.gone)
        }
    }

    private func report(_ notice: StreamStateMachine.Notice) {
        switch notice {
        case .lost(let failure): driver.reports.lost(driver.port.failure(failure))
        case .back: driver.reports.back()
        }
    }

    private func complete(_ completion: StreamStateMachine.Completion) {
        guard let ending = endings.removeValue(forKey: completion.request) else { return }
        if machine.isIdle { ring = nil }
        switch completion.outcome {
        case .done: ending(nil)
        case .failed(let failure): ending(driver.port.failure(failure))
        case .cancelled: ending(.cancelled)
        case .wrongState: ending(.startedAlready(driver.port.noun))
        }
    }

    // MARK: The ring, while it is ours

    /// Whether no [audio] thread may touch the ring now.
    private var isRingOurs: Bool {
        guard let attempt = machine.holder, let lease = leases[attempt] else { return true }
        return !lease.isGranted
    }

    /// Ends the extrapolation of a position that no device advances any more, and goes on telling it, so that the host
    /// can tell a missing device from a stuck plugin.
    private func tellPosition() {
        guard driver.port.direction == .playback, let ring, isRingOurs, var playback = playback(of: ring) else {
            return
        }
        extrapolate(&playback, ring)
        playback.is_advancing = 0
        ring.publish(playback)
        ring.signal()
    }

    private func answerFlush() {
        guard driver.port.direction == .playback, let ring, let flush = driver.flushes.pending(), isRingOurs,
            var playback = playback(of: ring)
        else { return }
        extrapolate(&playback, ring)
        playback.flush_id = flush.id
        playback.flushed_position = playback.played_position
        playback.flushed_t_ns = playback.played_t_ns
        ring.skip(to: flush.upTo)
        playback.played_position = max(playback.played_position, ring.readPosition)
        playback.is_advancing = 0
        driver.flushes.answer(flush)
        ring.publish(playback)
        ring.signal()
    }

    private func playback(of ring: AudioRing) -> glasses_playback? {
        var playback = glasses_playback()
        return glasses_ring_playback(ring.pointer, &playback) == 1 ? playback : nil
    }

    /// The position now, if it went on at the nominal rate; never past what the device was given.
    private func extrapolate(_ playback: inout glasses_playback, _ ring: AudioRing) {
        let now = monotonicNow()
        if playback.is_advancing != 0, now > playback.played_t_ns {
            let frames = (now - playback.played_t_ns) / millisecond * Int64(StreamFormat.rate) / 1_000
            playback.played_position = max(
                playback.played_position, min(playback.played_position + frames, ring.readPosition))
        }
        playback.played_t_ns = now
    }
}
