import Dispatch
import Foundation
import GlassesDomain
import MWDATCore
import Synchronization

/// Runs one stream's feed on a thread of its own, paced in real time.
final class FeedRunner: Sendable {
    /// What a feed tells of itself.
    enum Report: Sendable {
        case pictured(LinkFrame)
        case failed(Refusal)
    }

    /// The last picture, of which a photo can be made.
    struct Latest: Sendable {
        var number: UInt64
        var picture: MockPicture?
    }

    private struct State {
        var plan: MockFeedPlan
        var isStopped = false
        var latest = Latest(number: 0)
    }

    private let state: Mutex<State>
    private let opener: MockFeedOpener
    private let report: @Sendable (Report) -> Void
    /// Wakes the thread between two pictures.
    private let change = DispatchSemaphore(value: 0)

    /// A runner that has not started; `report` is called on its thread.
    init(plan: MockFeedPlan, opener: MockFeedOpener, report: @escaping @Sendable (Report) -> Void) {
        state = Mutex(State(plan: plan))
        self.opener = opener
        self.report = report
    }

    /// Begins; returns at once.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "mock-feed"
        thread.start()
    }

    /// Ends at the next picture; returns at once. A report may still be on its way.
    func stop() {
        state.withLock { $0.isStopped = true }
        change.signal()
    }

    /// Goes on with another plan.
    func change(to plan: MockFeedPlan) {
        state.withLock { $0.plan = plan }
        change.signal()
    }

    /// The last picture.
    var latest: Latest { state.withLock { $0.latest } }

    // MARK: The thread

    private var plan: MockFeedPlan? { state.withLock { $0.isStopped ? nil : $0.plan } }

    private func run() {
        guard var plan else { return }
        let start = MonotonicTime.now
        do throws(Refusal) {
            var feed = try opener.open(plan)
            defer { feed.close() }
            var pacer = FeedPacer(rate: plan.framesPerSecond, from: .now)
            while let wanted = self.plan {
                if wanted != plan {
                    if wanted.source != plan.source {
                        feed.close()
                        feed = try opener.open(wanted)
                    }
                    if wanted.framesPerSecond != plan.framesPerSecond {
                        pacer = FeedPacer(rate: wanted.framesPerSecond, from: pacer.due, number: pacer.number)
                    }
                    plan = wanted
                }
                guard isTimePassed(until: pacer.due) else { continue }
                try show(pacer, feed, plan, since: start)
                pacer.advance(at: .now)
            }
        } catch {
            if self.plan != nil { report(.failed(error)) }
        }
    }

    /// Makes a picture and reports it; its time is that at which it was due.
    private func show(
        _ pacer: FeedPacer, _ feed: any MockFeed, _ plan: MockFeedPlan, since start: MonotonicTime
    ) throws(Refusal) {
        guard let picture = try feed.picture(pacer.number, plan) else { return }
        state.withLock {
            $0.latest = Latest(number: pacer.number, picture: picture.coding == .i420 ? picture : nil)
        }
        let time = max(0, start.duration(to: pacer.due).wholeNanoseconds)
        report(.pictured(picture.frame(time: UInt64(time))))
    }

    /// Waits for a picture's time; false when something changed before.
    private func isTimePassed(until due: MonotonicTime) -> Bool {
        let left = MonotonicTime.now.duration(to: due)
        guard left > .zero else { return true }
        return change.wait(timeout: .now() + .nanoseconds(Int(left.wholeNanoseconds))) == .timedOut
    }
}
