import Testing

/// The two corpora, and the shares below which the brain is not good enough.
@Suite struct CommandCorpusTests {
    /// `commands-test` was written by somebody else and is frozen: only its aggregates are printed, so that nobody tunes on it.
    @Test(arguments: [("commands-dev", true), ("commands-dev-2", true), ("commands-dev-3", true)])
    func spokenCommandsAreUnderstoodAndNearMissesLeftAlone(name: String, printsFailures: Bool) throws {
        let score = CorpusScore(try CommandCorpus(named: name))
        print(score.table(name))
        if printsFailures { for failure in score.failures { print("  \(failure)") } }
        #expect(score.commands >= 110)
        #expect(score.silent >= 79)
        #expect(score.argumentsShare >= 0.85)
        #expect(score.falseCallShare <= 0.02)
        #expect(score.askedBackShare >= 0.9)
    }
}
