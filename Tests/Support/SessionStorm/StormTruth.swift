import GlassesAssistant
import GlassesDomain

/// What really happened to one answer, as far as its events reached the session.
struct StormAnswerTruth: Sendable {
    let id: String
    let isOutOfBand: Bool
    let connection: ConnectionID
    var segment: SegmentID?
    /// Words as they arrived, each with the audio that had arrived before them.
    var pieces: [TranscriptPiece] = []
    var whole: String?
    /// Audio that the session took.
    var milliseconds = 0
    var isAudioComplete = false
    var isDone = false
    var wasLost = false
    /// Whether it was cut, and everything that arrives later counts for nothing.
    var isCut = false
    /// The audio was complete when it was cut or lost.
    var text: String { whole ?? pieces.map(\.text).joined() }
}

/// What really happened, kept apart from what the session believes.
struct StormTruth: Sendable {
    var answers: [String: StormAnswerTruth] = [:]
    /// Words that were told as the user's, by text, and how often.
    var told: [String: Int] = [:]
    /// What the user said or typed that the history must hold.
    var owed: Set<String> = []
    /// Tool calls: how often each body ran, and how it ended in time.
    var runs: [String: Int] = [:]
    var results: [String: String] = [:]
    var announced: Set<String> = []

    /// Notes a server event that the session took or dropped; `isTaken` says whether it plays its audio.
    mutating func note(_ fact: ServerFact, on connection: ConnectionID, isTaken: Bool) {
        switch fact {
        case .answerCreated(let id, _, let isOutOfBand):
            guard answers[id] == nil else { return }
            answers[id] = StormAnswerTruth(id: id, isOutOfBand: isOutOfBand, connection: connection)
        case .answerAudioReceived(let segment, let frames):
            change(segment.responseID) {
                $0.segment = segment
                if isTaken { $0.milliseconds += frames / 24 }
            }
        case .answerAudioDone(let segment): change(segment.responseID) { $0.isAudioComplete = true }
        case .answerTranscriptReceived(let segment, let text):
            change(segment.responseID) {
                $0.pieces.append(TranscriptPiece(text: text, receivedMilliseconds: $0.milliseconds))
            }
        case .answerTranscriptDone(let segment, let text): change(segment.responseID) { $0.whole = text }
        case .answerDone(let id, _):
            change(id) {
                $0.isDone = true
                $0.isAudioComplete = true
            }
        default: break
        }
    }

    private mutating func change(_ id: String, _ body: (inout StormAnswerTruth) -> Void) {
        guard var answer = answers[id], !answer.isCut, !answer.wasLost else { return }
        body(&answer)
        answers[id] = answer
    }

    /// Everything that is not heard to its end counts for nothing from now on.
    mutating func cut(_ ear: StormEar) {
        for (id, answer) in answers where !answer.isCut && !isOver(answer, ear) { answers[id]?.isCut = true }
    }

    /// What a lost connection was sending counts for nothing from now on; what has arrived plays on.
    mutating func lose(_ connection: ConnectionID) {
        for (id, answer) in answers where answer.connection == connection && !answer.isDone && !answer.isCut {
            answers[id]?.wasLost = true
        }
    }

    /// The session gave up waiting for the rest of an answer.
    mutating func giveUp(_ id: String) { change(id) { $0.wasLost = true } }

    /// Whether an answer was heard to its end.
    func isOver(_ answer: StormAnswerTruth, _ ear: StormEar) -> Bool {
        guard answer.isDone || answer.wasLost else { return false }
        guard let segment = answer.segment else { return true }
        return ear.heard[segment, default: 0] >= answer.milliseconds
    }

    /// The words of an answer that the history must hold; empty for none.
    func expectedWords(of answer: StormAnswerTruth, _ ear: StormEar, pacing: TranscriptPacing) -> String {
        guard let segment = answer.segment, answer.milliseconds > 0 else { return "" }
        let heard = min(ear.heard[segment, default: 0], answer.milliseconds)
        // Without its end, an answer counts as cut even if all that came of it was heard.
        if answer.isAudioComplete, heard >= answer.milliseconds { return answer.text + (answer.wasLost ? " …" : "") }
        let words =
            switch pacing {
            case .continuous:
                Self.words(
                    of: answer.pieces.map(\.text).joined(), heard: heard, length: answer.milliseconds,
                    isComplete: answer.isAudioComplete)
            case .sentenceBeforeAudio: Self.sentences(of: answer, heard: heard)
            }
        let trimmed = words.split(separator: " ").joined(separator: " ")
        return trimmed.isEmpty ? "" : trimmed + " …"
    }

    /// The rule of the ear, written once more: as many characters as the heard part is of the length, down to the last whole word.
    static func words(of text: String, heard: Int, length: Int, isComplete: Bool) -> String {
        let count = text.count
        let whole = isComplete ? length : max(length, 60 * count)
        guard count > 0, whole > 0 else { return "" }
        let budget = count * min(heard, whole) / whole
        var words: [Substring] = []
        var position = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard position + word.count <= budget else { break }
            words.append(word)
            position += word.count + 1
        }
        return words.joined(separator: " ")
    }

    private static func sentences(of answer: StormAnswerTruth, heard: Int) -> String {
        var words: [String] = []
        for (index, piece) in answer.pieces.enumerated() {
            let start = piece.receivedMilliseconds
            guard heard > start else { break }
            let end = index + 1 < answer.pieces.count ? answer.pieces[index + 1].receivedMilliseconds : nil
            if let end, heard >= end {
                words.append(piece.text)
                continue
            }
            words.append(
                Self.words(
                    of: piece.text, heard: heard - start, length: (end ?? answer.milliseconds) - start,
                    isComplete: end != nil || answer.isAudioComplete))
            break
        }
        return words.joined()
    }
}
