import CGlassesPlugin
import GlassesPluginKit
import SpeechEngineKit
import Testing

@Suite struct UtteranceWorkerTests {
    @Test func utterancesEndInTheOrderOfTheirBeginningWhateverCameFirst() async throws {
        let lab = UtteranceLab()
        for id: UInt64 in [1, 2] { try lab.begin(id) }
        try lab.push([2], to: 2)
        try lab.queue.finish(2)
        lab.work(with: NumberRecognizer(), interval: .seconds(3_600))
        try lab.push([1, 1], to: 1)
        try lab.queue.finish(1)
        #expect(await eventually { lab.told.contains("2 done 2") })
        #expect(lab.told.all.filter { $0.contains("done") } == ["1 done 1 1", "2 done 2"])
        #expect(lab.close())
    }

    @Test func aFailureEndsItsUtteranceOnceAndNotTheNext() async throws {
        let lab = UtteranceLab()
        let recognizer = NumberRecognizer()
        lab.work(with: recognizer, interval: .seconds(3_600))
        try lab.begin(1)
        try lab.push([5, 5], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 5 5") })
        try lab.push([13], to: 1)
        #expect(await eventually { lab.told.contains("1 error \(GLASSES_ERROR_FAILED)") })
        try lab.begin(2)
        try lab.push([2], to: 2)
        try lab.queue.finish(2)
        #expect(await eventually { lab.told.contains("2 done 2") })
        #expect(lab.told.all.filter { $0.hasPrefix("1 error") || $0.hasPrefix("1 done") }.count == 1)
        #expect(recognizer.abandoned == 1)
        #expect(lab.close())
    }

    @Test func aCancelledUtteranceIsAbandonedAndHasNoOtherEnd() async throws {
        let lab = UtteranceLab()
        lab.work(with: NumberRecognizer(), interval: .seconds(3_600))
        try lab.begin(1)
        try lab.push([1], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 1") })
        lab.queue.remove(1)?.fail(.cancelled)
        #expect(lab.queue.remove(1) == nil)
        try lab.begin(2)
        try lab.push([2], to: 2)
        try lab.queue.finish(2)
        #expect(await eventually { lab.told.contains("2 done 2") })
        #expect(lab.told.all.filter { $0.hasPrefix("1") } == ["1 partial 1", "1 error \(GLASSES_ERROR_CANCELLED)"])
        #expect(lab.close())
    }

    @Test func aTextThatCameTooSoonIsToldLaterEvenIfNothingFollows() async throws {
        let lab = UtteranceLab()
        lab.work(with: NumberRecognizer(), interval: .milliseconds(200))
        try lab.begin(1)
        try lab.push([1], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 1") })
        try lab.push([2], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 1 2") })
        #expect(lab.close())
    }

    @Test func atAPauseATextIsToldAtOnce() async throws {
        let lab = UtteranceLab()
        lab.work(with: NumberRecognizer(), interval: .seconds(3_600))
        try lab.begin(1)
        try lab.push([1], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 1") })
        try lab.push([2, 0], to: 1)
        #expect(await eventually { lab.told.contains("1 partial 1 2") })
        #expect(lab.close())
        #expect(lab.told.all.last == "1 error \(GLASSES_ERROR_CANCELLED)")
    }
}
