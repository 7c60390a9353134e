import GlassesPluginKit
import SpeechEngineKit

/// Recognises one utterance after the other on one decoder: pads it, cuts long ones, and mends the first.
///
/// The decoder normalises sound by a running mean that starts at a guess and that noise spoils. While no utterance has
/// vouched for the mean, an utterance is therefore decoded twice, since the first pass moves the mean, and the more
/// confident result counts. Measured on ten speakers, each utterance on a fresh decoder: 37 words wrong in the first
/// pass, 23 in the second, 22 by confidence.
final class DictationRecognizer: UtteranceRecognizer {
    private let decoder: PocketSphinxDecoder
    private var isMeanKnown = false
    private var isOpen = false
    private var partFrames = 0
    private var earlier = Hypothesis(segments: [])
    private var recording: [Int16] = []
    private var isRecorded = true
    /// Digital silence that nothing has followed yet.
    private var heldSilence: [Int16] = []

    /// Samples up to here are no sound of a microphone but a muted or virtual one's silence. It moves the running mean far from
    /// any voice: half a second before and after each of five commands made 9 words of 57 wrong that are right without it.
    private static let silenceLimit = 2
    /// How much of a silence inside an utterance is kept, 300 ms.
    private static let keptSilence = UtteranceQueue.sampleRate * 3 / 10
    /// Silence before and after an utterance, 200 ms, so that its first and last sounds have a neighbour.
    private static let padding = [Int16](repeating: 0, count: UtteranceQueue.sampleRate / 5)
    /// From here on an utterance is cut at the next pause: what the decoder keeps, and its last search, grow with it.
    private static let pauseCutFrames = 10 * UtteranceQueue.sampleRate
    /// Here it is cut in any case.
    private static let cutFrames = 20 * UtteranceQueue.sampleRate
    /// About ten minutes of speech; keeps the text below the ABI's 64 KiB with the dictionary's longest words.
    private static let wordLimit = 1_800

    init(decoder: PocketSphinxDecoder) { self.decoder = decoder }

    /// Takes the next 100 ms. Digital silence at the beginning and at the end is left out.
    func add(_ slice: [Int16]) throws(PluginFailure) {
        if slice.allSatisfy({ abs(Int($0)) <= Self.silenceLimit }) {
            heldSilence = Array((heldSilence + slice).suffix(Self.keptSilence))
            return
        }
        if isOpen, !heldSilence.isEmpty { try feed(heldSilence) }
        heldSilence = []
        try feed(slice)
    }

    private func feed(_ slice: [Int16]) throws(PluginFailure) {
        if !isOpen {
            try openPart()
            earlier = Hypothesis(segments: [])
            recording = []
            isRecorded = !isMeanKnown
        }
        if isRecorded { recording += slice }
        try decoder.process(slice)
        partFrames += slice.count
        let isLong = partFrames >= Self.pauseCutFrames && !decoder.isInSpeech
        if isLong || partFrames >= Self.cutFrames { try cut() }
    }

    /// The words so far; empty while there are none, or only noise.
    func partialText() -> String {
        guard isOpen else { return "" }
        let current = decoder.segments()
        return Self.text(earlier.segments + (current.isStretched ? [] : current.segments))
    }

    /// The decoder works as the sound comes; nothing is gained by a text at a pause.
    var isAtPause: Bool { false }

    /// Ends the utterance; nil when it stopped being wanted meanwhile.
    func finish(isWanted: () -> Bool) throws(PluginFailure) -> (text: String, confidence: Double)? {
        heldSilence = []
        guard isOpen else { return ("", 0) }
        try decoder.process(Self.padding)
        var last = try closePart()
        if isRecorded, !last.segments.isEmpty {
            guard let second = try decodeAgain(isWanted) else { return nil }
            if second.confidence >= last.confidence { last = second }
        }
        judge(last)
        let whole = Hypothesis(segments: earlier.segments + (last.isNoise ? [] : last.segments))
        return (Self.text(whole.segments), whole.confidence)
    }

    /// Forgets the utterance.
    func abandon() throws(PluginFailure) {
        heldSilence = []
        if isOpen { _ = try closePart() }
    }

    private func openPart() throws(PluginFailure) {
        try decoder.start()
        isOpen = true
        partFrames = 0
        try decoder.process(Self.padding)
    }

    private func closePart() throws(PluginFailure) -> Hypothesis {
        isOpen = false
        return try decoder.end()
    }

    /// Keeps the words so far and goes on with an empty decoder.
    private func cut() throws(PluginFailure) {
        let part = try closePart()
        judge(part)
        if !part.isNoise, earlier.words.count + part.words.count <= Self.wordLimit { earlier.segments += part.segments }
        // A long utterance has moved the mean far enough; a second pass would take as long as a short answer.
        isRecorded = false
        recording = []
        try openPart()
    }

    private func decodeAgain(_ isWanted: () -> Bool) throws(PluginFailure) -> Hypothesis? {
        try openPart()
        for start in stride(from: 0, to: recording.count, by: UtteranceQueue.sliceFrames) {
            guard isWanted() else {
                try abandon()
                return nil
            }
            try decoder.process(Array(recording[start..<min(start + UtteranceQueue.sliceFrames, recording.count)]))
        }
        recording = []
        try decoder.process(Self.padding)
        return try closePart()
    }

    /// Words vouch for the running mean, noise spoils it, silence leaves it alone.
    private func judge(_ part: Hypothesis) {
        guard !part.segments.isEmpty else { return }
        isMeanKnown = !part.isNoise
    }

    private static func text(_ segments: [Hypothesis.Segment]) -> String {
        Hypothesis(segments: segments).words.prefix(wordLimit).joined(separator: " ")
    }
}
