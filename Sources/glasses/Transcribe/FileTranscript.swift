import GlassesAudio
import GlassesCore

/// What one recording says.
struct FileTranscript: Sendable, Hashable {
    let file: String
    /// The id of the engine that recognised it.
    let engine: String
    /// The id of the engine that told where speech is; nil for energy.
    let detector: String?
    var utterances: [RecordingRecognition.Utterance] = []
    /// nil while it is not known how it ends.
    var extent: RecordingRecognition.Extent?

    init(file: String, engine: String, detector: String? = nil) {
        self.file = file
        self.engine = engine
        self.detector = detector
    }

    /// An empty transcript of what `engines` write down.
    init(file: String, _ engines: RecordingEngines) {
        self.init(file: file, engine: engines.recogniser.id, detector: engines.detector?.id)
    }

    /// The file's name as it may stand on a terminal.
    var name: String { file.printable }

    /// The words of all utterances.
    var text: String { utterances.map(\.text).filter { !$0.isEmpty }.joined(separator: " ") }

    /// The mean of the utterances' confidences by their lengths; nil without any.
    var confidence: Double? {
        let weights = utterances.map { Double($0.endMs - $0.startMs) }
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return nil }
        return zip(utterances, weights).reduce(0) { $0 + $1.0.confidence * $1.1 } / sum
    }

    /// Whether audio that the file announces is missing.
    var isTruncated: Bool { if case .truncated = extent?.ending { true } else { false } }

    /// What a person has to know beside the words.
    var note: String? {
        if isTruncated { return "\(name) ends early; what was there is recognised" }
        return extent != nil && text.isEmpty ? "no speech was found in \(name)" : nil
    }

    /// The transcript as one JSON object, with what went wrong.
    func json(_ problem: Problem?) -> JSONValue {
        var fields: [String: JSONValue] = [
            "file": .string(file), "engine": .string(engine),
            "voiceActivity": .string(detector ?? SpeechChoice.energy), "text": .string(text),
            "confidence": confidence.map(JSONValue.double) ?? .null, "utterances": .array(utterances.map(\.json)),
        ]
        if let extent { fields["seconds"] = .double((extent.seconds * 1_000).rounded() / 1_000) }
        if isTruncated { fields["truncated"] = true }
        if let problem { fields["error"] = ["code": .string(problem.code), "message": .string(problem.sentence)] }
        return .object(fields)
    }
}

extension RecordingRecognition.Utterance {
    fileprivate var json: JSONValue {
        [
            "text": .string(text), "confidence": .double(confidence), "startMs": .int(startMs), "endMs": .int(endMs),
        ]
    }
}
