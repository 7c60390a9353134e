import SeededRandom
import Foundation
import GlassesAssistant
import GlassesDomain
import Testing

@testable import GlassesRuntime

/// The connection is lost at any moment of a conversation, inside utterances, answers and tool runs too: afterwards the history is the
/// one that the conversation would have had anyway, and no tool ran twice.
@Suite struct LostConnectionSurvivalTests {
    /// The whole conversation, and the parts of two turns that it has: with a part, a loss takes half the time to prove.
    private static let whole = ConversationScript.errands
    private static let parts = whole.turns.indices.dropLast().map {
        ConversationScript(turns: Array(whole.turns[$0...$0 + 1]))
    }
    /// How long they take when nothing is lost.
    private static let wholeLength = length(of: whole)
    private static let partLengths = parts.map(length(of:))

    private static func length(of script: ConversationScript) -> Int {
        let world = SurvivalWorld(script: script, seed: 0, losses: [])
        _ = world.run()
        return world.now
    }

    /// The session is awake by then; an attempt that fails before is the wake's failure.
    private static let awakeAt = 1_300

    /// Runs conversations on a thread of their own, as they would keep the threads of other tests for minutes; what went wrong in them.
    private func problems(
        in seeds: Range<Int>, losses: Int,
        script: @escaping @Sendable (Int) -> (script: ConversationScript, length: Int)
    ) async -> [String] {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: seeds.flatMap { seed in
                        let (script, length) = script(seed)
                        return Self.problems(seed: seed, losses: losses, script: script, length: length)
                    })
            }
            thread.stackSize = 1 << 21
            thread.start()
        }
    }

    private static func problems(
        seed: Int, losses count: Int, script: ConversationScript, length: Int
    ) -> [String] {
        var generator = SeededGenerator(seed: UInt64(seed) &* 0x2545_F491 &+ UInt64(count))
        let losses = (0..<count).map { _ in
            Loss(
                at: Int.random(in: awakeAt...length, using: &generator),
                downtime: Int.random(in: 0...(2_000 / max(1, count)), using: &generator),
                noticedAfter: Int.random(in: 0...200, using: &generator))
        }
        let world = SurvivalWorld(script: script, seed: UInt64(seed), losses: losses.sorted { $0.at < $1.at })
        var problems: [String] = []
        if !world.run() { problems.append("it does not end") }
        let history = ConversationScript.lines(of: world.machine.turns)
        if history != script.history { problems.append("its history is \(history)") }
        let calls = script.turns.map(\.calls.count).reduce(0, +)
        if world.runs.count != calls || world.runs.values.contains(where: { $0 != 1 }) {
            problems.append("its tools ran \(world.runs)")
        }
        return (problems + world.record.violations).map { "seed \(seed), \(losses): \($0)" }
    }

    private func report(_ problems: [String]) {
        for problem in problems { Issue.record(Comment(rawValue: problem)) }
    }

    @Test func withoutALossTheConversationIsTheOneInTheScript() async {
        report(await problems(in: 0..<1, losses: 0) { _ in (Self.whole, Self.wholeLength) })
        #expect((8_000...60_000).contains(Self.wholeLength))
    }

    @Test func aLossAtEachOf200MomentsChangesNoHistoryAndRunsNoToolTwice() async {
        report(
            await problems(in: 0..<200, losses: 1) { seed in
                (Self.parts[seed % Self.parts.count], Self.partLengths[seed % Self.parts.count])
            })
    }

    @Test func severalLossesInOneConversationChangeNothingEither() async {
        report(await problems(in: 0..<20, losses: 4) { _ in (Self.whole, Self.wholeLength) })
    }
}
