import Testing

@testable import GlassesPipeline

@Suite("What was heard of an answer")
struct SpokenTranscriptTests {
    /// "one two three four." for 1,900 ms and " five six." for 1,000 ms.
    private static var spoken: SpokenTranscript {
        var spoken = SpokenTranscript()
        spoken.begin("one two three four.")
        spoken.add(samples: 1_900 * 24)
        spoken.completeSentence()
        spoken.begin(" five six.")
        spoken.add(samples: 1_000 * 24)
        spoken.completeSentence()
        return spoken
    }

    @Test(
        "is every whole word that ended before the cut",
        arguments: [
            (0, ""), (299, ""), (300, "one"), (700, "one two"), (1_299, "one two"), (1_300, "one two three"),
            (1_900, "one two three four."), (2_300, "one two three four."), (2_400, "one two three four. five"),
            (2_900, "one two three four. five six."), (9_999, "one two three four. five six."), (-5, ""),
        ])
    func heard(milliseconds: Int, text: String) {
        #expect(Self.spoken.heard(upTo: milliseconds * 24) == text)
    }

    @Test("the first audio of a sentence does not stand for all of its words")
    func unfinishedSentence() {
        var spoken = SpokenTranscript()
        spoken.begin("one two three four.")
        spoken.add(samples: 300 * 24)
        #expect(spoken.heard(upTo: 300 * 24) == "one")
    }
}
