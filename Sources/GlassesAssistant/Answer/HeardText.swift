/// A piece of an answer's transcript and how much audio of its part had come before it.
public struct TranscriptPiece: Sendable, Hashable {
    /// The words as they arrived.
    public var text: String
    /// The part's received audio in milliseconds at that moment.
    public var receivedMilliseconds: Int

    /// A piece at a position of the audio.
    public init(text: String, receivedMilliseconds: Int) {
        self.text = text
        self.receivedMilliseconds = receivedMilliseconds
    }
}

/// Which words of a transcript were heard when only a part of its audio was.
public enum HeardText {
    /// Slow, clear speech: a transcript that runs ahead of its audio is taken to last at least this long a character.
    public static let millisecondsPerCharacter = 60
    /// What follows the words of a turn that was cut.
    public static let cutSuffix = " …"

    /// The transcript up to the last whole word that ends within `characters × heard / length`.
    ///
    /// The length is the received time once the audio is complete, else the larger of that and 60 ms a character. With
    /// sentences that come before their audio, the rule holds inside the sentence being heard.
    public static func words(
        of pieces: [TranscriptPiece], heardMilliseconds heard: Int, receivedMilliseconds received: Int,
        isAudioComplete: Bool, pacing: TranscriptPacing
    ) -> String {
        if isAudioComplete, heard >= received { return pieces.map(\.text).joined() }
        switch pacing {
        case .continuous:
            return words(
                of: pieces.map(\.text).joined(), heard: heard, received: received, isAudioComplete: isAudioComplete)
        case .sentenceBeforeAudio:
            return wordsBySentence(
                of: pieces, heard: heard, received: received, isAudioComplete: isAudioComplete)
        }
    }

    private static func wordsBySentence(
        of pieces: [TranscriptPiece], heard: Int, received: Int, isAudioComplete: Bool
    ) -> String {
        var text = ""
        for sentence in sentences(of: pieces) {
            let start = sentence.start
            guard heard > start else { break }
            if let end = sentence.end, heard >= end {
                text += sentence.text
                continue
            }
            let isComplete = sentence.end != nil || isAudioComplete
            let length = (sentence.end ?? received) - start
            text += words(of: sentence.text, heard: heard - start, received: length, isAudioComplete: isComplete)
            break
        }
        return text
    }

    private struct Sentence {
        var text: String
        var start: Int
        var end: Int?
    }

    /// Pieces that arrived at the same position of the audio belong to one stretch of it.
    private static func sentences(of pieces: [TranscriptPiece]) -> [Sentence] {
        var sentences: [Sentence] = []
        for piece in pieces {
            if let last = sentences.indices.last {
                if sentences[last].start == piece.receivedMilliseconds {
                    sentences[last].text += piece.text
                    continue
                }
                sentences[last].end = piece.receivedMilliseconds
            }
            sentences.append(Sentence(text: piece.text, start: piece.receivedMilliseconds, end: nil))
        }
        return sentences
    }

    private static func words(of text: String, heard: Int, received: Int, isAudioComplete: Bool) -> String {
        let count = text.count
        let length = isAudioComplete ? received : max(received, millisecondsPerCharacter * count)
        guard heard > 0, length > 0, count > 0 else { return "" }
        let budget = count * min(heard, length) / length
        var end = text.startIndex
        var position = 0
        var index = text.startIndex
        while index < text.endIndex, position < budget {
            let next = text.index(after: index)
            position += 1
            let endsWord = next == text.endIndex || text[next].isWhitespace
            if endsWord, !text[index].isWhitespace { end = next }
            index = next
        }
        return String(text[..<end])
    }
}
