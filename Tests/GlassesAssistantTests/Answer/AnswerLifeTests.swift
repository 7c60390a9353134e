import GlassesAssistant
import Testing

@Suite struct AnswerLifeTests {
    private let part = SegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)

    private func begun() -> AnswerLife {
        var life = AnswerLife(isOutOfBand: false, connection: ConnectionID(1), rate: 24_000)
        _ = life.apply(.created(responseID: "r1"))
        return life
    }

    @Test func anAnswerGoesFromRequestedToFinishedWhenItsAudioWasHeard() {
        var life = AnswerLife(isOutOfBand: false, connection: ConnectionID(1), rate: 24_000)
        #expect(life.phase == .requested)
        _ = life.apply(.created(responseID: "r1"))
        #expect(life.phase == .generating("r1", .running))
        #expect(life.apply(.audioReceived(part, frames: 24_000)) == .play(part))
        _ = life.apply(.playbackStarted(part))
        #expect(life.phase == .playing("r1", .running))
        #expect(life.apply(.generationEnded) == .none)
        #expect(life.phase == .playing("r1", .ended))
        #expect(life.apply(.drained) == .finish)
        #expect(life.phase == .finished("r1", .ended))
    }

    @Test func anAnswerWithoutAudioFinishesWithItsGeneration() {
        var life = begun()
        #expect(life.apply(.generationEnded) == .finish)
    }

    @Test func drainedPlaybackDoesNotFinishAnAnswerThatIsStillBeingMade() {
        var life = begun()
        _ = life.apply(.audioReceived(part, frames: 2400))
        #expect(life.apply(.drained) == .none)
        _ = life.apply(.audioReceived(part, frames: 2400))
        #expect(life.apply(.generationEnded) == .none)
        #expect(life.apply(.drained) == .finish)
    }

    @Test func aCutAnswerDropsEverythingButItsHeardPositions() {
        var life = begun()
        _ = life.apply(.audioReceived(part, frames: 24_000))
        _ = life.apply(.cut(.userSpoke))
        #expect(life.phase == .cut("r1", .userSpoke))
        #expect(life.apply(.audioReceived(part, frames: 24_000)) == .drop)
        #expect(life.apply(.transcriptReceived(part, text: "late")) == .drop)
        #expect(life.apply(.generationEnded) == .drop)
        #expect(life.apply(.heard(HeardPosition(segment: part, milliseconds: 400))) == .none)
        #expect(life.parts.map(\.heardMilliseconds) == [400])
    }

    @Test func heardNeverPassesReceivedAndNeverGoesBack() {
        var life = begun()
        _ = life.apply(.audioReceived(part, frames: 2400))
        for (reported, expected) in [(-5, 0), (60, 60), (40, 60), (500, 100)] {
            _ = life.apply(.heard(HeardPosition(segment: part, milliseconds: reported)))
            #expect(life.parts.map(\.heardMilliseconds) == [expected])
        }
    }

    @Test func whateverAPeerClaimsToHaveSentNothingOverflows() {
        var life = begun()
        for frames in [Int.max, Int.max, .min, -1, 0] { _ = life.apply(.audioReceived(part, frames: frames)) }
        _ = life.apply(.heard(HeardPosition(segment: part, milliseconds: .max)))
        #expect(life.parts.map(\.heardMilliseconds) == [(1 << 40) / 24])
    }

    @Test func aLostAnswerPlaysOnAndIsLostToItsEnd() {
        var life = begun()
        _ = life.apply(.audioReceived(part, frames: 2400))
        #expect(life.apply(.generationLost) == .none)
        #expect(life.isLost)
        #expect(life.apply(.drained) == .finish)
        #expect(life.isLost)
    }

    @Test func aPeerCannotMakeAnAnswerHoldMoreThanItsLimits() {
        var life = begun()
        for index in 0..<1000 {
            let other = SegmentID(responseID: "r1", itemID: "i\(index)", contentIndex: 0)
            _ = life.apply(.audioReceived(other, frames: 10))
        }
        for _ in 0..<20_000 { _ = life.apply(.transcriptReceived(part, text: "x")) }
        #expect(life.parts.count == 64)
        #expect(life.messageIDs.count == 64)
        var words = begun()
        for _ in 0..<20_000 { _ = words.apply(.transcriptReceived(part, text: "x")) }
        #expect(words.parts.first?.pieces.count == 16_384)
    }
}
