import GlassesAssistant
import GlassesDomain
import SessionStorm
import Testing

/// A conversation with everything that can go wrong is lived through again from its trace, step for step.
@Suite struct StormReplayTests {
    private static let lanes = 10

    private static func world(_ seed: UInt64, bug: StormBug? = nil) -> StormWorld {
        let world = StormWorld(seed: seed, bug: bug, isTraced: true)
        world.run()
        return world
    }

    private static func trace(of world: StormWorld, keepsText: Bool) throws -> SessionTrace {
        var privacy = TracePrivacy()
        privacy.keepsText = keepsText
        return try SessionTrace(file: world.traceFile(privacy))
    }

    @Test(arguments: 0..<lanes) func aTraceReplaysToTheSameActionsWithItsTextsAndWithout(lane: Int) {
        for seed in 0..<5 {
            let seed = UInt64(lane * 5 + seed)
            #expect(StormWorld.replayProblem(seed: seed) == nil, "seed \(seed)")
        }
    }

    /// What is written again from a replay is the same file: the mask of a mask is itself.
    @Test func aReplayedTraceIsWrittenAsItWas() throws {
        let world = Self.world(3)
        let file = try world.traceFile(TracePrivacy())
        #expect(try TraceReplay.rewritten(SessionTrace(file: file)) == String(decoding: file, as: UTF8.self))
    }

    /// A machine that decides otherwise than it did is what a trace is for.
    @Test(arguments: StormBug.allCases.filter { $0 != .endlessHistory }) func aChangedMachineIsFoundOut(bug: StormBug)
        throws
    {
        let found = try (0..<40).contains { seed in
            let trace = try Self.trace(of: Self.world(UInt64(seed), bug: bug), keepsText: false)
            return try TraceReplay.firstDifference(in: trace) != nil
        }
        #expect(found)
    }
}
