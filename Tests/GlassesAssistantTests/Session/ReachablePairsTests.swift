import SessionStorm
import Testing

/// Which pairs of a state and an input the storm has to meet.
@Suite struct ReachablePairsTests {
    /// A search over the machine that knows no reasons, against the list that a hand wrote with a reason for each pair that is missing.
    /// `session-storm --reach 12000` has the time to find them all.
    @Test func theListOfReachablePairsRulesNothingOutThatASearchFinds() {
        var search = ReachSearch()
        search.run(worlds: 60)
        let wrong = search.pairs.subtracting(ReachablePairs.all)
        #expect(wrong.isEmpty, "found, and ruled out by hand: \(wrong)")
        #expect(search.pairs.count > ReachablePairs.all.count * 2 / 3)
    }

    @Test func everyReasonRulesOutSomething() {
        for rule in ReachablePairs.impossible {
            #expect(!rule.inputs.isEmpty && !rule.states.isEmpty && rule.reason.hasSuffix("."))
        }
        #expect(Set(ReachablePairs.inputs).count == ReachablePairs.inputs.count)
    }
}
