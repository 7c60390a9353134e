import MWDATCore
import SeededRandom
import Testing

@Suite struct MessageQueueTests {
    @Test(arguments: 0..<4)
    func elementsComeInTheirOrderHoweverTheyAreAddedAndTaken(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = MessageQueue<Int>()
        var (added, taken) = (0, 0)
        for _ in 0..<2_000 {
            if Bool.random(using: &random) {
                queue.append(added)
                added += 1
            } else {
                let first = queue.popFirst()
                #expect(first == (taken < added ? taken : nil))
                if first != nil { taken += 1 }
            }
            #expect(queue.isEmpty == (taken == added))
        }
    }

    @Test func thousandsOfSmallMessagesAreTakenInNoTimeToSpeakOf() {
        var queue = MessageQueue<LinkMessage>()
        for _ in 0..<200_000 { queue.append(.control(.ping)) }
        let start = ContinuousClock.now
        while queue.popFirst() != nil {}
        // In quadratic time it would take minutes.
        #expect(ContinuousClock.now - start < .seconds(10))
    }
}
