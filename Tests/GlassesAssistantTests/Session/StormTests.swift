import GlassesAssistant
import GlassesDomain
import SessionStorm
import Testing

/// Whole conversations with everything that can go wrong in them; `session-storm` lives through many more.
@Suite struct StormTests {
    /// So that several tests share the work; each has its own seeds.
    private static let lanes = 20

    @Test(arguments: 0..<lanes) func conversationsWithFaultsKeepEveryPromise(lane: Int) {
        var run = StormRun()
        for seed in 0..<100 { run.add(seed: UInt64(lane * 100 + seed)) }
        for failure in run.failures {
            Issue.record(
                "seed \(failure.seed): \(failure.violation); look at it: session-storm --trace \(failure.seed) --file FILE"
            )
        }
        #expect(run.conversations == 100)
    }

    /// Otherwise the promises above would hold of conversations in which nothing happens.
    @Test func everyKindOfFaultStrikes() {
        var run = StormRun()
        for seed in 0..<600 { run.add(seed: UInt64(seed)) }
        for fault in StormFault.allCases {
            #expect(run.counts.strikes[fault, default: 0] > 5, "\(fault)")
        }
        // Rare in so few conversations are ends and waits that meet in the same moment, in other states than this one.
        let impossible = run.pairs.subtracting(ReachablePairs.all)
        #expect(impossible.isEmpty, "met, and ruled out: \(impossible)")
        let missing = ReachablePairs.all.subtracting(run.pairs)
        #expect(missing.filter { $0.state == .active }.isEmpty, "never met: \(missing)")
        #expect(missing.count < ReachablePairs.all.count / 4, "never met: \(missing)")
    }

    @Test(arguments: StormBug.allCases) func aPlantedBugIsCaughtByItsInvariant(bug: StormBug) {
        #expect(StormRun.seeds(toCatch: bug, limit: 1_000) != nil)
    }

    @Test func aSeedIsAlwaysTheSameConversation() {
        func inputs() -> [SessionInput] {
            let world = StormWorld(seed: 11, isTraced: true)
            world.run()
            return (world.trace ?? []).map(\.input)
        }
        #expect(inputs().count > 50)
        #expect(inputs() == inputs())
    }
}
