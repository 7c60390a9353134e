import SeededRandom
import GlassesDomain
import Testing

@testable import GlassesNet

struct LoopTimersTests {
    private static func at(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    @Test("Deadlines fire in order, each once, and a replaced or removed one does not")
    func order() {
        var timers = LoopTimers()
        for number in [5, 3, 9, 1, 7] as [UInt64] {
            timers.set(Self.at(Int64(number)), for: ParticipantID(value: number))
        }
        timers.set(Self.at(2), for: ParticipantID(value: 9))
        timers.set(nil, for: ParticipantID(value: 3))
        #expect(timers.next == Self.at(1))
        #expect(timers.popDue(at: Self.at(0)) == nil)
        var fired: [UInt64] = []
        while let id = timers.popDue(at: Self.at(100)) { fired.append(id.value) }
        #expect(fired == [1, 9, 5, 7])
        #expect(timers.next == nil)
    }

    @Test("Whatever is set and popped, what fires is what a sorted list would fire")
    func againstModel() {
        var generator = SeededGenerator(seed: 42)
        var timers = LoopTimers()
        var model: [UInt64: Int64] = [:]
        for now in 0..<2_000 as Range<Int64> {
            let id = UInt64.random(in: 0..<20, using: &generator)
            let time = Bool.random(using: &generator) ? now + Int64.random(in: 0..<50, using: &generator) : nil
            timers.set(time.map(Self.at), for: ParticipantID(value: id))
            model[id] = time
            var fired: Set<UInt64> = []
            while let id = timers.popDue(at: Self.at(now)) { fired.insert(id.value) }
            let due = model.filter { $0.value <= now }
            #expect(fired == Set(due.keys))
            for id in due.keys { model[id] = nil }
        }
    }
}
