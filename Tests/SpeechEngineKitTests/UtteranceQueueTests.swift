import GlassesPluginKit
import SpeechEngineKit
import Testing

@Suite struct UtteranceQueueTests {
    @Test func eightUtterancesAreOpenAtMostAndOneThatEndsMakesRoom() throws {
        let lab = UtteranceLab()
        for id: UInt64 in 1...8 { try lab.begin(id) }
        #expect(throws: PluginFailure.self) { try lab.begin(9) }
        lab.queue.remove(3)?.fail(.cancelled)
        try lab.begin(9)
        #expect(throws: PluginFailure.self) { try lab.begin(9) }
        #expect(lab.close())
    }

    @Test func aMinuteWaitsAtMostAndARefusalTakesNothing() throws {
        let lab = UtteranceLab()
        for id: UInt64 in [1, 2] { try lab.begin(id) }
        let half = [Int16](repeating: 0, count: UtteranceQueue.waitingFramesLimit / 2)
        try lab.push(half, to: 1)
        try lab.push(half, to: 2)
        #expect(throws: PluginFailure.self) { try lab.push([0], to: 1) }
        // What is worked off, and what is dropped, makes room.
        guard case .slice(let slice, _) = lab.queue.next() else {
            Issue.record("No slice.")
            return
        }
        try lab.push(slice, to: 2)
        #expect(throws: PluginFailure.self) { try lab.push([0], to: 2) }
        lab.queue.remove(2)?.fail(.cancelled)
        try lab.push(half, to: 1)
        #expect(lab.close())
    }

    @Test func soundIsHandedOutInSlicesAndThenTheEnd() throws {
        let lab = UtteranceLab()
        try lab.begin(1)
        try lab.push([Int16](repeating: 7, count: UtteranceQueue.sliceFrames + 5), to: 1)
        try lab.queue.finish(1)
        var counts: [Int] = []
        while case .slice(let slice, _) = lab.queue.next() { counts.append(slice.count) }
        #expect(counts == [UtteranceQueue.sliceFrames, 5])
        #expect(throws: PluginFailure.self) { try lab.push([0], to: 1) }
        #expect(throws: PluginFailure.self) { try lab.queue.finish(2) }
        #expect(lab.close())
    }

    @Test func aClosedQueueTakesNothingAndAnswersWhatWasOpen() throws {
        let lab = UtteranceLab()
        try lab.begin(1)
        #expect(lab.close())
        #expect(lab.told.all.count == 1)
        #expect(throws: PluginFailure.self) { try lab.begin(2) }
        var isClosed = false
        if case .closed = lab.queue.next() { isClosed = true }
        #expect(isClosed)
    }
}
