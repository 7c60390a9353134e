import GlassesAssistant
import Testing

@Suite struct HeardTextTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var heard: Int
        var received: Int
        var isComplete: Bool
        var expected: String
        var testDescription: String { "\(text) \(heard)/\(received)" }
    }

    static let tenWords = "alfa beta gama delt epsi zeta etaa thet iota kapp"

    static let cases = [
        // Nothing heard, nothing kept; all heard, all kept.
        Case(text: tenWords, heard: 0, received: 3000, isComplete: true, expected: ""),
        Case(text: tenWords, heard: 3000, received: 3000, isComplete: true, expected: tenWords),
        // 49 characters × 1,500 / 3,000 = 24: the fifth word ends at the 24th.
        Case(text: tenWords, heard: 1500, received: 3000, isComplete: true, expected: "alfa beta gama delt epsi"),
        // One character less: the fifth word does not end in time.
        Case(text: tenWords, heard: 1468, received: 3000, isComplete: true, expected: "alfa beta gama delt"),
        // The audio is not complete: 49 characters last 2,940 ms at least, so 1,000 ms hold 16 characters.
        Case(text: tenWords, heard: 1000, received: 1000, isComplete: false, expected: "alfa beta gama"),
        // More was received than 60 ms a character.
        Case(text: tenWords, heard: 1500, received: 6000, isComplete: false, expected: "alfa beta"),
        // A word that is not whole is not heard.
        Case(text: "Supercalifragilistic", heard: 900, received: 1000, isComplete: true, expected: ""),
        Case(text: "", heard: 500, received: 1000, isComplete: true, expected: ""),
        // Characters are what a reader counts, not bytes.
        Case(text: "né né né né", heard: 500, received: 1000, isComplete: true, expected: "né né"),
        Case(text: "👩‍🚀👩‍🚀 👩‍🚀👩‍🚀 👩‍🚀👩‍🚀", heard: 700, received: 1000, isComplete: true, expected: "👩‍🚀👩‍🚀 👩‍🚀👩‍🚀"),
    ]

    @Test(arguments: cases) func theTextEndsWithTheLastWholeWordThatWasHeard(row: Case) {
        let words = HeardText.words(
            of: [TranscriptPiece(text: row.text, receivedMilliseconds: 0)], heardMilliseconds: row.heard,
            receivedMilliseconds: row.received, isAudioComplete: row.isComplete, pacing: .continuous)
        #expect(words == row.expected)
    }

    /// Two sentences of 1,000 and 2,000 ms, the second not complete.
    static let sentences = [
        TranscriptPiece(text: "One two. ", receivedMilliseconds: 0),
        TranscriptPiece(text: "aaaa bbbb cccc dddd.", receivedMilliseconds: 1000),
    ]

    @Test(arguments: [
        (0, ""), (500, "One"), (1000, "One two. "), (1500, "One two. aaaa"), (2000, "One two. aaaa bbbb"),
        (3000, "One two. aaaa bbbb cccc dddd."),
    ])
    func insideASentenceTheTextFollowsThatSentencesAudio(heard: Int, expected: String) {
        let words = HeardText.words(
            of: Self.sentences, heardMilliseconds: heard, receivedMilliseconds: 3000, isAudioComplete: true,
            pacing: .sentenceBeforeAudio)
        #expect(words == expected)
    }

    @Test func aSentenceWhoseAudioIsNotCompleteIsTakenToLastSixtyMillisecondsACharacter() {
        let words = HeardText.words(
            of: Self.sentences, heardMilliseconds: 1600, receivedMilliseconds: 1600, isAudioComplete: false,
            pacing: .sentenceBeforeAudio)
        #expect(words == "One two. aaaa bbbb")
    }

    @Test func sentencesWithoutAudioBetweenThemAreOneStretch() {
        let pieces = [
            TranscriptPiece(text: "aaaa ", receivedMilliseconds: 0),
            TranscriptPiece(text: "bbbb", receivedMilliseconds: 0),
        ]
        let words = HeardText.words(
            of: pieces, heardMilliseconds: 500, receivedMilliseconds: 1000, isAudioComplete: true,
            pacing: .sentenceBeforeAudio)
        #expect(words == "aaaa")
    }
}
