/// What an answer says, sentence by sentence, beside the audio that was sent for it.
struct SpokenTranscript: Equatable, Sendable {
    private struct Sentence: Equatable, Sendable {
        let text: String
        var samples = 0
        var isComplete = false
    }

    private var sentences: [Sentence] = []

    /// The transcript so far, also of the sentence whose audio is still being made.
    var text: String { sentences.map(\.text).joined() }

    /// The samples sent so far.
    var samples: Int { sentences.reduce(0) { $0 + $1.samples } }

    mutating func begin(_ sentence: String) { sentences.append(Sentence(text: sentence)) }

    mutating func add(samples: Int) {
        guard !sentences.isEmpty else { return }
        sentences[sentences.count - 1].samples += samples
    }

    mutating func completeSentence() {
        guard !sentences.isEmpty else { return }
        sentences[sentences.count - 1].isComplete = true
    }

    /// The words whose sound ended within the first `limit` samples.
    ///
    /// Sentences heard in full count whole; inside the one that was cut, characters are spread evenly over the audio and
    /// the last whole word that ends before the cut is kept. A sentence whose audio was still being made is taken to
    /// last at least 60 ms a character, so that its first piece of audio does not stand for all of its words.
    func heard(upTo limit: Int) -> String {
        var text = ""
        var rest = max(limit, 0)
        for sentence in sentences {
            let length =
                sentence.isComplete ? sentence.samples : max(sentence.samples, Self.expectedSamples(sentence.text))
            if rest >= length {
                text += sentence.text
                rest -= length
            } else {
                return text + Self.wholeWords(of: sentence.text, share: rest, of: length)
            }
        }
        return text
    }

    private static func expectedSamples(_ text: String) -> Int { text.count * 60 * PipelineLimits.sampleRate / 1_000 }

    private static func wholeWords(of text: String, share: Int, of length: Int) -> String {
        guard length > 0 else { return "" }
        let limit = text.count * share / length
        var kept = text.startIndex
        var index = text.startIndex
        for _ in 0..<limit {
            index = text.index(after: index)
            let endsWord = index == text.endIndex || text[index].isWhitespace
            if endsWord, !text[text.index(before: index)].isWhitespace { kept = index }
        }
        return String(text[..<kept])
    }
}
