import Dispatch
import Foundation
import GlassesDomain
import MWDATCore
import Synchronization

/// The simulated world's surroundings: its clock, its threads and those who use it. Starts what the world orders, and knows nothing
/// that the world knows.
final class MockStage: Sendable {
    /// Notes that are kept for those who script the world.
    static let noteLimit = 100

    private struct State {
        var world = MockWorld()
        var mailboxes: [MockClient: LinkMailbox] = [:]
        var feeds: [MockStreamKey: FeedRunner] = [:]
        var lastClient: MockClient = 0
        /// When the clock will speak next.
        var alarm: MonotonicTime?
        var notes: [String] = []

        func runner(of session: MockSessionKey) -> FeedRunner? { feeds.first { $0.key.session == session }?.value }
    }

    private let state = Mutex(State())
    private let clock = DispatchQueue(label: "org.extentos.mock-clock", qos: .userInitiated)
    private let opener: MockFeedOpener

    init(opener: MockFeedOpener) { self.opener = opener }

    // MARK: Users

    /// Adds a user; events begin at once.
    func join(_ deliver: @escaping @Sendable (LinkEvent) -> Void) -> MockClient {
        let mailbox = LinkMailbox(deliver)
        return state.withLock { state in
            state.lastClient += 1
            state.mailboxes[state.lastClient] = mailbox
            apply(.opened(state.lastClient), &state)
            return state.lastClient
        }
    }

    /// Returns when a user has got what has happened so far. Not to be called from within its `deliver`.
    func flush(_ client: MockClient) { state.withLock { $0.mailboxes[client] }?.flush() }

    /// Removes a user; no event reaches it after this returned.
    func leave(_ client: MockClient) {
        let mailbox = state.withLock { state in
            apply(.closed(client), &state)
            return state.mailboxes.removeValue(forKey: client)
        }
        mailbox?.close()
    }

    // MARK: The world

    /// Tells the world what happened; its orders are started when this returns.
    func process(_ input: MockInput) {
        state.withLock { apply(input, &$0) }
    }

    /// Operates the world and answers what it had to say to that.
    @discardableResult
    func operate(_ operation: MockOperation) -> [String] {
        state.withLock { state in
            let before = state.notes.count
            apply(.operated(operation), &state)
            let notes = Array(state.notes.dropFirst(before))
            state.notes.removeFirst(max(0, state.notes.count - Self.noteLimit))
            return notes
        }
    }

    /// Looks at the world.
    func look<Result: Sendable>(_ body: (MockWorld) -> Result) -> Result { state.withLock { body($0.world) } }

    /// Pictures that users of now were too slow for.
    var droppedFrames: Int { state.withLock { $0.mailboxes.values.reduce(0) { $0 + $1.droppedFrames } } }

    /// The last things that operations had no effect on, oldest first.
    var notes: [String] { state.withLock { $0.notes } }

    private func apply(_ input: MockInput, _ state: inout State) {
        for action in state.world.apply(input, at: .now) { start(action, &state) }
        setAlarm(&state)
    }

    private func start(_ action: MockAction, _ state: inout State) {
        switch action {
        case .deliver(let client, let event): state.mailboxes[client]?.post(event)
        case .startFeed(let key, let plan):
            let runner = FeedRunner(plan: plan, opener: opener) { [weak self] report in self?.take(report, key) }
            state.feeds[key] = runner
            runner.start()
        case .changeFeed(let key, let plan): state.feeds[key]?.change(to: plan)
        case .stopFeed(let key): state.feeds.removeValue(forKey: key)?.stop()
        case .takePhoto(let key, let plan): takePhoto(key, plan, runner: state.runner(of: key.session))
        case .note(let text): state.notes.append(text)
        }
    }

    private func take(_ report: FeedRunner.Report, _ key: MockStreamKey) {
        switch report {
        case .pictured(let frame): process(.pictured(key, frame))
        case .failed(let refusal): process(.feedFailed(key, refusal))
        }
    }

    /// What a photo of these glasses is now, without taking one; waits for a picture, so not for threads that may not.
    func photo(of identifier: DeviceIdentifier) -> MockPhotoResult {
        let (plan, runner) = state.withLock { state -> (MockPhotoPlan?, FeedRunner?) in
            guard let glasses = state.world.find(identifier) else { return (nil, nil) }
            let plan = MockPhotoPlan(image: glasses.capturedImage, source: glasses.feed, format: .jpeg)
            return (plan, glasses.session.flatMap { state.runner(of: $0) })
        }
        guard let plan else { return .failure(.unknownDevice) }
        return PhotoMaker(opener: opener).make(plan, latest: runner?.latest)
    }

    /// Returns when every event so far has been delivered.
    func settle() async {
        for mailbox in state.withLock({ Array($0.mailboxes.values) }) { await mailbox.settle() }
    }

    private func takePhoto(_ key: MockPhotoKey, _ plan: MockPhotoPlan, runner: FeedRunner?) {
        let maker = PhotoMaker(opener: opener)
        let thread = Thread { [weak self] in
            let result = maker.make(plan, latest: runner?.latest)
            self?.process(.photoEnded(key, result))
        }
        thread.name = "mock-photo"
        thread.start()
    }

    // MARK: The clock

    private func setAlarm(_ state: inout State) {
        guard let due = state.world.nextDue else { return }
        if let alarm = state.alarm, alarm <= due { return }
        state.alarm = due
        let delay = max(.zero, MonotonicTime.now.duration(to: due))
        clock.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { [weak self] in
            self?.ring(due)
        }
    }

    private func ring(_ due: MonotonicTime) {
        state.withLock { state in
            if state.alarm == due { state.alarm = nil }
            apply(.timePassed, &state)
        }
    }
}
