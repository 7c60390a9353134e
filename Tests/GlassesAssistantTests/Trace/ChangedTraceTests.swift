import GlassesAssistant
import SeededRandom
import SessionStorm
import Testing

/// A trace that somebody has changed is refused, or replayed to a difference; it never ends the program.
@Suite struct ChangedTraceTests {
    private static let extremes = [
        "9223372036854775807", "-9223372036854775808", "-1", "0", "18446744073709551615", "1e300", "null", "\"\"",
        "{}", "[]",
    ]

    @Test(arguments: 0..<20) func changedNumbersAreSurvived(lane: UInt64) throws {
        var random = SeededGenerator(seed: lane)
        let world = StormWorld(seed: lane, isTraced: true)
        world.run()
        let file = try world.traceFile(TracePrivacy())
        for _ in 0..<4 {
            var changed = file
            for _ in 0..<Int.random(in: 1...6, using: &random) { Self.change(&changed, &random) }
            try Self.replay(changed)
        }
    }

    private static func replay(_ file: [UInt8]) throws {
        let trace: SessionTrace
        do throws(TraceError) { trace = try SessionTrace(file: file) } catch {
            let lines = file.count { $0 == UInt8(ascii: "\n") }
            #expect((1...lines).contains(error.line))
            return
        }
        var replay = TraceReplay(trace)
        var steps = 0
        while try replay.next() != nil { steps += 1 }
        #expect(steps == trace.steps.count)
    }

    /// Puts something else in the place of a number.
    private static func change(_ file: inout [UInt8], _ random: inout SeededGenerator) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let near = Int.random(in: 0..<file.count, using: &random)
        guard let start = file[near...].firstIndex(where: isDigit) else { return }
        let end = file[start...].firstIndex { !isDigit($0) } ?? file.endIndex
        let other = extremes[Int.random(in: 0..<extremes.count, using: &random)]
        file.replaceSubrange(start..<end, with: Array(other.utf8))
    }
}
