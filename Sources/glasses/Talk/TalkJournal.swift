import GlassesCore
import Synchronization

/// Tells every event once, in order: prints it, counts it, and passes it on to who waits for something.
final class TalkJournal: Sendable {
    /// What a follower sees.
    enum Entry: Sendable {
        /// An event.
        case event(TalkEvent)
        /// Some time has passed without one.
        case tick
    }

    private struct Storage {
        var summary = TalkSummary()
        var followers: [AsyncStream<Entry>.Continuation] = []
        var isConcluded = false
    }

    /// How often a follower with limits can look at them.
    private static let tick: Duration = .milliseconds(100)
    /// A follower that is busy misses nothing within a second of the fastest dialogue.
    private static let followerLimit = 256

    private let storage = Mutex(Storage())
    private let stopwatch = Stopwatch()
    private let console: Console
    private let options: TalkOptions

    init(console: Console, options: TalkOptions) {
        self.console = console
        self.options = options
    }

    /// Tells an event; callable on any thread. Nothing is told after the summary.
    func record(_ event: TalkEvent) {
        storage.withLock { storage in
            guard !storage.isConcluded else { return }
            if case .summary = event { storage.isConcluded = true }
            storage.summary.count(event)
            if options.isJSON {
                console.print(event.line(seconds: stopwatch.seconds).text)
            } else if let text = event.transcript(console, isScript: !options.script.isEmpty) {
                console.print(text)
            }
            // A follower leaves by itself: its end may not take this lock, since it holds its task's, and this waits for that.
            storage.followers.removeAll { follower in
                if case .terminated = follower.yield(.event(event)) { true } else { false }
            }
        }
    }

    /// The events from now on; for whoever has limits to look at, with a tick every 100 ms.
    func follow(ticking: Bool = true) -> AsyncStream<Entry> {
        let (stream, continuation) = AsyncStream<Entry>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.followerLimit))
        storage.withLock { $0.followers.append(continuation) }
        guard ticking else { return stream }
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.tick)
                continuation.yield(.tick)
            }
        }
        continuation.onTermination = { _ in clock.cancel() }
        return stream
    }

    /// Tells the summary, the last event.
    func conclude(pendingTimers: [TalkSummary.Timer]) {
        var summary = storage.withLock { $0.summary }
        summary.seconds = stopwatch.seconds
        summary.pendingTimers = pendingTimers
        record(.summary(summary))
    }
}

extension TalkSummary {
    fileprivate mutating func count(_ event: TalkEvent) {
        switch event {
        case .assistant(.userSpoke): turns += 1
        case .assistant(.toolCalled): tools += 1
        case .assistant(.error), .error: errors += 1
        case .plugin(let event): pluginDeaths += event.isDeath ? 1 : 0
        case .ready, .state, .assistant, .speech, .timerRinging, .timerStopped, .summary: break
        }
    }
}
