import Testing

/// The corpora, and the shares below which the brain is not good enough.
@Suite struct CommandCorpusTests {
    @Test(
        "spoken commands are understood and near misses left alone",
        arguments: [
            "commands-dev", "commands-dev-2", "commands-dev-3", "commands-dev-4", "commands-dev-5", "commands-dev-6",
            "commands-dev-7",
        ])
    func development(name: String) throws {
        let score = CorpusScore(try CommandCorpus(named: name))
        print(score.table(name))
        for failure in score.failures { print("  \(failure)") }
        check(score)
    }

    /// Written by somebody else and frozen: only its aggregates are printed, so that nobody tunes on it.
    @Test("commands by another hand, for other tools, are understood as well")
    func frozen() throws {
        let score = CorpusScore(try CommandCorpus(named: "commands-test"))
        print(score.table("commands-test"))
        #expect(score.commands >= 150)
        #expect(score.silent >= 100)
        check(score)
    }

    private func check(_ score: CorpusScore) {
        #expect(score.argumentsShare >= 0.85)
        #expect(score.falseCallShare <= 0.02)
        #expect(score.askedBackShare >= 0.9)
    }

    @Test("the first development corpus is as large as it must be")
    func size() throws {
        let corpus = try CommandCorpus(named: "commands-dev")
        let score = CorpusScore(corpus)
        #expect(corpus.tools.count >= 20)
        #expect(score.commands >= 150)
        #expect(score.silent >= 100)
        #expect(score.totalByKind["nearMiss", default: 0] * 2 >= score.silent)
    }
}
