import Dispatch
import Foundation
import Testing

/// Acceptance: no hang, no trap, every accepted call ended, terminal states delivered.
@Suite("Random sequences of mock operations and API calls")
struct RandomSequenceTests {
    static let count: UInt64 = 1_000
    private static let lanes: UInt64 = 2

    @Test("In 1,000 sequences every accepted call ends, and terminal states are told", .timeLimit(.minutes(10)))
    func sequences() async throws {
        let start = ContinuousClock.now
        let (figures, open) = try await withThrowingTaskGroup(of: (RandomSequence.Figures, [String]).self) { group in
            for lane in 0..<Self.lanes {
                group.addTask(executorPreference: LaneThread()) { try await Self.run(lane: lane) }
            }
            return try await group.reduce(into: (RandomSequence.Figures(), [String]())) { sum, part in
                sum = (sum.0 + part.0, sum.1 + part.1)
            }
        }
        print(
            "random sequences: \(Self.count) of \(RandomSequence.steps) steps, \(figures.operations) mock operations, "
                + "\(figures.calls) API calls, \(figures.sessions) sessions, \(figures.streams) stream starts, "
                + "\(figures.photos) accepted photos, \(figures.requests) requests, \(figures.frames) frames, "
                + "\(open.count) left open, in \(start.duration(to: .now).components.seconds) s")
        #expect(open.isEmpty, "\(open.prefix(20).joined(separator: "\n"))")
        // That something happened at all.
        #expect(figures.sessions > 1_000 && figures.streams > 500 && figures.photos > 100 && figures.frames > 100)
    }

    private static func run(lane: UInt64) async throws -> (RandomSequence.Figures, [String]) {
        var sum = (RandomSequence.Figures(), [String]())
        for seed in stride(from: lane + 1, through: count, by: Int(lanes)) {
            let result = try await RandomSequence(seed: seed).run()
            sum = (sum.0 + result.figures, sum.1 + result.open)
        }
        return sum
    }
}

/// A thread for each lane: calls of the kit and of the toolkit wait for each other, and Swift's shared pool belongs to the other tests.
private final class LaneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "random-lane", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
