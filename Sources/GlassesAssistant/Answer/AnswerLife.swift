/// Why an answer was cut.
public enum CutReason: Sendable, Hashable {
    /// The user began to speak.
    case userSpoke
    /// The app called `cancelSpeak()`.
    case cancelled
    /// The device was lost.
    case deviceLost
    /// The session sleeps or ends.
    case teardown
}

/// A part of an answer that is heard: its audio and its words.
public struct AnswerPart: Sendable, Hashable {
    /// Which part.
    public let segment: SegmentID
    /// Audio received so far, in frames.
    public internal(set) var receivedFrames = 0
    /// Audio heard so far, in milliseconds.
    public internal(set) var heardMilliseconds = 0
    /// Whether all of the audio was received.
    public internal(set) var isAudioComplete = false
    /// The words so far.
    public internal(set) var pieces: [TranscriptPiece] = []
    /// Whether its words are shown and not spoken.
    public internal(set) var isText = false
    /// The whole words, once they are complete.
    public internal(set) var transcript: String?

    /// The words received so far.
    public var text: String { transcript ?? pieces.map(\.text).joined() }

    /// A year of audio: no sum of what a peer claims can overflow.
    private static let frameLimit = 1 << 40

    mutating func add(_ frames: Int) {
        receivedFrames = min(receivedFrames + min(frames, Self.frameLimit), Self.frameLimit)
    }

    /// Received audio in whole milliseconds.
    public func receivedMilliseconds(rate: Int) -> Int { rate > 0 ? receivedFrames * 1000 / rate : 0 }
}

/// What happened to one answer.
public enum AnswerInput: Sendable, Hashable {
    case created(responseID: String)
    case itemAdded(itemID: String, kind: ServerItemKind)
    /// A call of a tool is complete; the ledger has it from now on.
    case callCompleted(itemID: String)
    case audioReceived(SegmentID, frames: Int)
    case audioDone(SegmentID)
    case transcriptReceived(SegmentID, text: String)
    case transcriptDone(SegmentID, text: String)
    /// Words that are shown, not spoken.
    case textReceived(SegmentID, text: String)
    case textDone(SegmentID, text: String)
    case playbackStarted(SegmentID)
    case heard(HeardPosition)
    /// Everything received has been heard.
    case drained
    /// The provider said that the answer is complete.
    case generationEnded
    /// The answer's connection is gone before it was complete.
    case generationLost
    case cut(CutReason)
}

extension AnswerInput {
    /// Whether it brings a part of the answer.
    fileprivate var addsToAnswer: Bool {
        switch self {
        case .itemAdded, .callCompleted, .audioReceived, .audioDone, .transcriptReceived, .transcriptDone,
            .textReceived, .textDone:
            true
        case .created, .playbackStarted, .heard, .drained, .generationEnded, .generationLost, .cut: false
        }
    }
}

/// What follows for the answer's parent.
public enum AnswerEffect: Sendable, Hashable {
    case none
    /// Play the audio just received.
    case play(SegmentID)
    /// The fact came for an answer that is over; drop what it brought.
    case drop
    /// The answer was heard to its end.
    case finish
}

/// The life of one answer: `requested → generating → playing → finished | cut`. It needs no clock.
public struct AnswerLife: Sendable, Hashable {
    /// Whether the provider may still send something.
    public enum Generation: Sendable, Hashable {
        case running
        case ended
        /// Its connection is gone; what was received plays on.
        case lost
    }

    /// Where the answer stands.
    public enum Phase: Sendable, Hashable {
        /// Asked for; the provider has not begun it.
        case requested
        /// Begun, nothing audible yet.
        case generating(String, Generation)
        /// Audible at least once.
        case playing(String, Generation)
        /// Heard to the end of what was received.
        case finished(String, Generation)
        /// Cut; the id is nil when it had not begun.
        case cut(String?, CutReason)
    }

    /// The most parts and messages of one answer; a provider makes one or two.
    static let partLimit = 64
    /// The most pieces of one transcript: an hour of speech in deltas of a word.
    static let pieceLimit = 16_384

    /// Where the answer stands.
    public private(set) var phase: Phase
    /// Whether its connection was lost before it was complete.
    public private(set) var isLost = false

    /// Whether the answer stays out of the conversation.
    public let isOutOfBand: Bool
    /// Whether the user's voice does not cut it.
    public let isProtected: Bool
    /// The connection it comes over.
    public let connection: ConnectionID
    /// Its parts with words or audio, in the order of arrival.
    public private(set) var parts: [AnswerPart] = []
    /// Its messages in the order of arrival.
    public private(set) var messageIDs: [String] = []
    /// The items of calls that are not complete, in the order of arrival.
    public private(set) var openCalls: [String] = []
    private let rate: Int

    /// An answer that was asked for; `rate` is the frames per second of its audio.
    public init(isOutOfBand: Bool, isProtected: Bool = false, connection: ConnectionID, rate: Int) {
        self.isProtected = isProtected
        phase = .requested
        self.isOutOfBand = isOutOfBand
        self.connection = connection
        self.rate = rate
    }

    /// The response id, once the provider has begun the answer.
    public var responseID: String? {
        switch phase {
        case .requested: nil
        case .generating(let id, _), .playing(let id, _), .finished(let id, _): id
        case .cut(let id, _): id
        }
    }

    /// Whether the provider has begun and not ended it.
    public var isGenerating: Bool {
        switch phase {
        case .generating(_, .running), .playing(_, .running): true
        case .requested, .generating, .playing, .finished, .cut: false
        }
    }

    /// Whether the answer is over for us.
    public var isOver: Bool {
        switch phase {
        case .finished, .cut: true
        case .requested, .generating, .playing: false
        }
    }

    /// Whether nothing more of it is to be heard. It is over only when everything that plays has been heard.
    public var isHeardOut: Bool {
        switch phase {
        case .generating(_, .ended), .generating(_, .lost), .playing(_, .ended), .playing(_, .lost): !hasUnheardAudio
        case .finished, .cut: true
        case .requested, .generating, .playing: false
        }
    }

    /// Whether audio of it was received that has not been heard.
    public var hasUnheardAudio: Bool { parts.contains { $0.heardMilliseconds < $0.receivedMilliseconds(rate: rate) } }

    /// Applies a fact.
    public mutating func apply(_ input: AnswerInput) -> AnswerEffect {
        guard !isOver else { return applyToDead(input) }
        // What was received of a lost answer plays on; nothing is added to it.
        if isLost, input.addsToAnswer { return .drop }
        switch input {
        case .created(let id): if case .requested = phase { phase = .generating(id, .running) }
        case .itemAdded(let itemID, let kind):
            switch kind {
            case .assistantMessage: addMessage(itemID)
            case .functionCall: if openCalls.count < Self.partLimit { openCalls.append(itemID) }
            case .userMessage, .functionCallOutput, .other: break
            }
        case .callCompleted(let itemID): openCalls.removeAll { $0 == itemID }
        case .audioReceived(let segment, let frames): return receive(segment, frames: frames)
        case .audioDone(let segment): change(segment) { $0.isAudioComplete = true }
        case .transcriptReceived(let segment, let text): addWords(text, to: segment, isText: false)
        case .transcriptDone(let segment, let text): finishWords(text, of: segment, isText: false)
        case .textReceived(let segment, let text): addWords(text, to: segment, isText: true)
        case .textDone(let segment, let text): finishWords(text, of: segment, isText: true)
        case .playbackStarted:
            if case .generating(let id, let generation) = phase { phase = .playing(id, generation) }
        case .heard(let position): hear(position)
        case .drained: return drain()
        case .generationEnded:
            for index in parts.indices { parts[index].isAudioComplete = true }
            return endGeneration(.ended)
        case .generationLost: return endGeneration(.lost)
        case .cut(let reason): phase = .cut(responseID, reason)
        }
        return .none
    }

    /// Whether a part was heard, or shown, to its end.
    public func isHeardInFull(_ part: AnswerPart) -> Bool {
        if part.isText { return part.transcript != nil }
        return part.isAudioComplete && part.receivedFrames > 0
            && part.heardMilliseconds >= part.receivedMilliseconds(rate: rate)
    }

    /// Received audio of a part in whole milliseconds.
    public func receivedMilliseconds(of part: AnswerPart) -> Int { part.receivedMilliseconds(rate: rate) }

    /// The words of a part that were heard.
    public func heardWords(of part: AnswerPart, pacing: TranscriptPacing) -> String {
        if part.isText { return part.text }
        guard part.receivedFrames > 0 else { return "" }
        let received = part.receivedMilliseconds(rate: rate)
        if isHeardInFull(part) { return part.text }
        return HeardText.words(
            of: part.pieces, heardMilliseconds: part.heardMilliseconds, receivedMilliseconds: received,
            isAudioComplete: part.isAudioComplete, pacing: pacing)
    }

    /// Late positions of a cut answer still count: they are the flush's answer. Everything else of a dead answer is dropped.
    private mutating func applyToDead(_ input: AnswerInput) -> AnswerEffect {
        if case .heard(let position) = input {
            hear(position)
            return .none
        }
        return .drop
    }

    private mutating func receive(_ segment: SegmentID, frames: Int) -> AnswerEffect {
        guard frames > 0, change(segment, { $0.add(frames) }) else { return .none }
        return .play(segment)
    }

    private mutating func hear(_ position: HeardPosition) {
        guard let index = parts.firstIndex(where: { $0.segment == position.segment }) else { return }
        let received = parts[index].receivedMilliseconds(rate: rate)
        parts[index].heardMilliseconds = min(max(position.milliseconds, parts[index].heardMilliseconds), received)
    }

    private mutating func drain() -> AnswerEffect {
        for index in parts.indices { parts[index].heardMilliseconds = parts[index].receivedMilliseconds(rate: rate) }
        return finishIfHeard()
    }

    private mutating func endGeneration(_ generation: Generation) -> AnswerEffect {
        if generation == .lost { isLost = true }
        switch phase {
        case .generating(let id, _): phase = .generating(id, generation)
        case .playing(let id, _): phase = .playing(id, generation)
        case .requested, .finished, .cut: return .none
        }
        return finishIfHeard()
    }

    private mutating func finishIfHeard() -> AnswerEffect {
        switch phase {
        case .generating(let id, .ended), .generating(let id, .lost), .playing(let id, .ended), .playing(let id, .lost):
            guard !hasUnheardAudio else { return .none }
            phase = .finished(id, isLost ? .lost : .ended)
            return .finish
        case .requested, .generating, .playing, .finished, .cut: return .none
        }
    }

    private mutating func addWords(_ text: String, to segment: SegmentID, isText: Bool) {
        let rate = rate
        change(segment) {
            $0.isText = isText
            guard $0.pieces.count < Self.pieceLimit else { return }
            let received = $0.receivedMilliseconds(rate: rate)
            $0.pieces.append(TranscriptPiece(text: text, receivedMilliseconds: received))
        }
    }

    /// Whole words without deltas are one piece before their audio; otherwise the deltas keep their positions.
    private mutating func finishWords(_ text: String, of segment: SegmentID, isText: Bool) {
        change(segment) {
            $0.isText = isText
            $0.transcript = text
            if $0.pieces.isEmpty { $0.pieces = [TranscriptPiece(text: text, receivedMilliseconds: 0)] }
        }
    }

    private mutating func addMessage(_ itemID: String) {
        guard messageIDs.count < Self.partLimit, !messageIDs.contains(itemID) else { return }
        messageIDs.append(itemID)
    }

    /// Changes a part; false when the answer has too many.
    @discardableResult
    private mutating func change(_ segment: SegmentID, _ body: (inout AnswerPart) -> Void) -> Bool {
        addMessage(segment.itemID)
        if let index = parts.firstIndex(where: { $0.segment == segment }) {
            body(&parts[index])
        } else {
            guard parts.count < Self.partLimit else { return false }
            var part = AnswerPart(segment: segment)
            body(&part)
            parts.append(part)
        }
        return true
    }
}
