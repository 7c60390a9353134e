import Testing

@testable import SpeechNeuralEngines

@Suite struct SpeechCollectorTests {
    /// Adds windows whose samples are all `value`; the parts that were cut.
    private func add(
        _ count: Int, _ value: Float, isSpeech: Bool, to collector: inout SpeechCollector
    ) -> [SpeechCollector] {
        let window = [Float](repeating: value, count: SpeechCollector.windowFrames)
        return (0..<count).compactMap { _ in
            collector.add(window, isSpeech: isSpeech) ? collector.takePart() : nil
        }
    }

    private func windows(_ part: SpeechCollector) -> Int { part.part.count / SpeechCollector.windowFrames }

    @Test func silenceIsNotKept() {
        var collector = SpeechCollector()
        #expect(add(10_000, 0, isSpeech: false, to: &collector).isEmpty)
        #expect(collector.isEmpty)
        #expect(collector.spannedWindows == 0)
    }

    @Test func speechIsKeptWithAMarginBeforeAndAfter() {
        var collector = SpeechCollector()
        #expect(add(100, 0.1, isSpeech: false, to: &collector).isEmpty)
        #expect(add(20, 0.5, isSpeech: true, to: &collector).isEmpty)
        #expect(add(100, 0.2, isSpeech: false, to: &collector).isEmpty)
        #expect(windows(collector) == 10 + 20 + 6)
        #expect(collector.spokenWindows == 20)
        #expect(collector.spannedWindows == 20)
        #expect(collector.part.first == 0.1 && collector.part.last == 0.2)
    }

    @Test func aPauseBeginsAfterThreeWindowsAndEndsWithTheNextWord() {
        var collector = SpeechCollector()
        _ = add(10, 0, isSpeech: false, to: &collector)
        #expect(!collector.isAtPause)
        _ = add(10, 1, isSpeech: true, to: &collector)
        _ = add(2, 0, isSpeech: false, to: &collector)
        #expect(!collector.isAtPause)
        _ = add(1, 0, isSpeech: false, to: &collector)
        #expect(collector.isAtPause)
        _ = add(1, 1, isSpeech: true, to: &collector)
        #expect(!collector.isAtPause)
    }

    @Test func aLongPauseInsideIsShortenedAndAShortOneIsKept() {
        var collector = SpeechCollector()
        _ = add(10, 1, isSpeech: true, to: &collector)
        _ = add(4, 0, isSpeech: false, to: &collector)
        _ = add(10, 1, isSpeech: true, to: &collector)
        #expect(windows(collector) == 24)
        _ = add(1_000, 0, isSpeech: false, to: &collector)
        _ = add(10, 1, isSpeech: true, to: &collector)
        #expect(windows(collector) == 24 + 6 + 10 + 10)
        #expect(collector.spokenWindows == 30)
        #expect(collector.spannedWindows == 50)
    }

    @Test func longSpeechIsCutAtTheNextPause() {
        var collector = SpeechCollector()
        #expect(add(330, 1, isSpeech: true, to: &collector).isEmpty)
        #expect(add(5, 0, isSpeech: false, to: &collector).isEmpty)
        let cut = add(1, 0, isSpeech: false, to: &collector)
        #expect(cut.map(windows) == [336])
        #expect(collector.isEmpty)
        // What follows is a part of its own.
        _ = add(5, 1, isSpeech: true, to: &collector)
        #expect(windows(collector) == 5)
    }

    @Test func speechWithoutAPauseIsCutAtItsQuietestMomentAndLosesNothing() {
        var collector = SpeechCollector()
        #expect(add(460, 1, isSpeech: true, to: &collector).isEmpty)
        #expect(add(1, 0.01, isSpeech: true, to: &collector).isEmpty)
        let cut = add(39, 1, isSpeech: true, to: &collector)
        #expect(cut.map(windows) == [460])
        #expect(windows(collector) == 40)
        #expect(collector.part.first == 0.01)
    }

    @Test func tenMinutesOfSpeechNeverHoldMoreThanOnePart() {
        var collector = SpeechCollector()
        var kept = 0
        var largest = 0
        let window = [Float](repeating: 1, count: SpeechCollector.windowFrames)
        for _ in 0..<18_750 {
            if collector.add(window, isSpeech: true) { kept += windows(collector.takePart()) }
            largest = max(largest, windows(collector))
        }
        #expect(kept + windows(collector) == 18_750)
        #expect(largest <= 500)
    }
}
