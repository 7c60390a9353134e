internal import GlassesPluginKit
import SpeechEngineKit

/// Recognises one utterance after the other: what the detector takes for speech goes to the model, part by part.
///
/// Partial texts come from decoding the open part anew, at a pause at once: the final text takes over the last partial one when
/// nothing was spoken since, which is the rule, because a pause ends an utterance.
final class MoonshineRecognizer: UtteranceRecognizer {
    private let model: MoonshineModel
    private let detector: SpeechDetector
    private var isOpen = false
    private var collector = SpeechCollector()
    private var transcript = Transcript()
    /// Sound that does not fill a window yet.
    private var rest: [Float] = []
    /// The model's text of the open part, while nothing has been spoken since.
    private var currentText: String?

    /// Windows of speech, the hang-over's three among them, that the shortest words have: "uh" has ten, "up" thirteen. What is
    /// shorter is a sound that resembles a voice, and the model would write "Oh".
    private static let shortestWord = 8

    init(model: MoonshineModel, detector: SpeechDetector) {
        self.model = model
        self.detector = detector
    }

    func add(_ slice: [Int16]) throws(PluginFailure) {
        isOpen = true
        rest += slice.map { Float($0) / 32_768 }
        while rest.count >= SpeechDetector.windowFrames {
            let window = Array(rest.prefix(SpeechDetector.windowFrames))
            rest.removeFirst(window.count)
            try add(window: window)
        }
    }

    func partialText() throws(PluginFailure) -> String {
        var transcript = transcript
        transcript.add(try openText(), of: collector)
        return transcript.text
    }

    var isAtPause: Bool { currentText == nil && collector.isAtPause }

    func finish(isWanted: () -> Bool) throws(PluginFailure) -> (text: String, confidence: Double)? {
        defer { reset() }
        if !rest.isEmpty {
            // A word that ends with the sound may need the last samples.
            let silence = [Float](repeating: 0, count: SpeechDetector.windowFrames - rest.count)
            try add(window: rest + silence)
        }
        guard isWanted() else { return nil }
        transcript.add(try openText(), of: collector)
        return (transcript.text, transcript.confidence)
    }

    func abandon() { if isOpen { reset() } }

    private func add(window: [Float]) throws(PluginFailure) {
        let isSpeech = detector.isSpeech(window)
        if isSpeech { currentText = nil }
        guard collector.add(window, isSpeech: isSpeech) else { return }
        let part = collector.takePart()
        // Of a part that was cut in the middle of speech something stays open, and its text is of all.
        let known = collector.isEmpty ? currentText : nil
        currentText = nil
        let text = if let known { known } else { try model.text(of: part.part) }
        transcript.add(text, of: part)
    }

    /// The model's text of the open part.
    private func openText() throws(PluginFailure) -> String {
        if let currentText { return currentText }
        let isTooShort = transcript.text.isEmpty && collector.spokenWindows < Self.shortestWord
        let text = isTooShort ? "" : try model.text(of: collector.part)
        currentText = text
        return text
    }

    private func reset() {
        isOpen = false
        collector = SpeechCollector()
        transcript = Transcript()
        rest = []
        currentText = nil
        detector.reset()
    }
}
