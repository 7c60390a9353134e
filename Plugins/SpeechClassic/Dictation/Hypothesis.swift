/// What a decoder made of an utterance, or of a part of it.
struct Hypothesis: Sendable, Hashable {
    /// One word, or something else that the decoder aligned with the sound.
    struct Segment: Sendable, Hashable {
        /// The dictionary's spelling; `<sil>`, `<s>` and `</s>` are silence, `[SPEECH]` and the like are noises.
        var word: String
        /// How many 10 ms frames it lasts.
        var frames: Int
        /// The posterior probability, 0 to 1.
        var posterior: Double

        var isSilence: Bool { word.hasPrefix("<") }
        var isNoise: Bool { word.hasPrefix("[") || word.hasPrefix("+") }
        var isWord: Bool { !isSilence && !isNoise }
        /// The spelling without the number of a second pronunciation, `for(2)`.
        var spelling: Substring { word.prefix { $0 != "(" } }

        /// Whether nobody says the word this slowly. Measured: speech takes at most 16 frames a letter in words of two or
        /// three letters and 20 in all; steady noise gives a single word of 100 to 300 frames.
        var isDrawnOut: Bool { frames > 40 + 9 * spelling.count }
    }

    var segments: [Segment]

    /// The words in order.
    var words: [String] { segments.filter(\.isWord).map { String($0.spelling) } }

    /// The words' posterior probabilities averaged over time: 0 to 1.
    var confidence: Double {
        let words = segments.filter(\.isWord)
        let frames = words.reduce(0) { $0 + $1.frames }
        guard frames > 0 else { return 0 }
        let weighted = words.reduce(0) { $0 + $1.posterior * Double($1.frames) }
        return min(max(weighted / Double(frames), 0), 1)
    }

    /// Whether this is a dictionary forced onto noise rather than speech.
    ///
    /// A dictation decoder has to explain every sound by words. Its scores do not tell noise from speech (a steady hiss
    /// scores better than a sentence), but the durations do: words that are drawn out, or much time in noise segments. Very
    /// short noises are left, whose words are as good as any others.
    var isNoise: Bool {
        confidence < Self.leastConfidence || isStretched
    }

    /// Measured: people who were understood 0.14 and more, short hisses 0.01 to 0.05.
    private static let leastConfidence = 0.06

    /// Judged by durations alone, which exist before the end of an utterance too.
    var isStretched: Bool {
        let words = segments.filter(\.isWord)
        let wordFrames = words.reduce(0) { $0 + $1.frames }
        let drawnOut = words.filter(\.isDrawnOut).reduce(0) { $0 + $1.frames }
        let noiseFrames = segments.filter(\.isNoise).reduce(0) { $0 + $1.frames }
        return drawnOut * 2 >= wordFrames || noiseFrames * 4 > wordFrames + noiseFrames
    }
}
