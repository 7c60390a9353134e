import Testing

@testable import SystemDeviceStreams

@Suite struct QueueAlignmentTests {
    /// Deviations in milliseconds, one after another, and the moves in milliseconds that they cause.
    struct Course: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let deviations: [Int]
        let moves: [Int]

        init(_ description: String, _ deviations: [Int], _ moves: [Int]) {
            testDescription = description
            self.deviations = deviations
            self.moves = moves
        }
    }

    @Test(
        "A queue is moved when, and only when, its timestamps insist",
        arguments: [
            Course(
                "jitter of 20 ms moves nothing", [0, 20, -20, 20, 20, 20, 20, 20, 20], [0, 0, 0, 0, 0, 0, 0, 0, 0]),
            Course("the first measurement counts by itself", [34, 0], [30, 0]),
            Course("the first one may be early, too", [-36, 0], [-40, 0]),
            Course("five in a row move it", [0, 26, 26, 26, 26, 26, 0], [0, 0, 0, 0, 0, 30, 0]),
            Course("by no more than the smallest of them", [0, 60, 24, 60, 60, 60], [0, 0, 0, 0, 0, 20]),
            Course("four do not", [0, 26, 26, 26, 26, 0, 26, 26, 26, 26], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            Course("those to both sides do not", [0, 26, -26, 26, -26, 26, -26], [0, 0, 0, 0, 0, 0, 0]),
            Course("what no jitter explains moves it at once", [0, 250, 0, -131], [0, 250, 0, -130]),
        ])
    func moves(course: Course) {
        var alignment = QueueAlignment()
        #expect(course.deviations.map { alignment.note($0 * 48) / 48 } == course.moves)
    }

    @Test func aQueueThatIsPlacedAnewTrustsItsFirstMeasurementAgain() {
        var alignment = QueueAlignment()
        #expect(alignment.note(0) == 0)
        #expect(alignment.note(30 * 48) == 0)
        alignment.restart()
        #expect(alignment.note(30 * 48) == 30 * 48)
    }

    @Test(arguments: [Int.max, Int.min + 1])
    func aTimestampFromAnotherWorldDoesNotTrap(deviation: Int) {
        var alignment = QueueAlignment()
        #expect(alignment.note(deviation).signum() == deviation.signum())
    }
}
