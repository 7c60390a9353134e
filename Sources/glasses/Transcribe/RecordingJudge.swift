import GlassesAudio
import GlassesCore

/// Has an engine judge what in a recording is speech, piece by piece and as fast as it can.
final class RecordingJudge {
    /// What was judged, in samples of the recording at its recogniser's rate.
    struct Judgement: Sendable, Hashable {
        let samples: Range<Int64>
        /// 0 to 1.
        let probability: Float
    }

    /// Audio that is judged at once, in milliseconds: a quarter of what an engine holds.
    static let pieceMs = 500
    /// What an engine may hold back because it makes no whole window of its own yet, in milliseconds.
    private static let unfinishedMs: Int64 = 64
    /// How long an engine may take for a piece: a thousand times what Silero takes on a small board.
    static let patience: Duration = .seconds(5)

    private let rate: Int64
    private let engineRate: Int64
    private let patience: Duration
    private let resampler: Resampler
    private let stream: any VoiceActivityStream
    private let answers: AsyncStream<Result<VoiceActivity, SpeechEngineError>>
    private let continuation: AsyncStream<Result<VoiceActivity, SpeechEngineError>>.Continuation
    private var pushed: Int64 = 0
    private var judged: Int64 = 0

    /// A stream of `engine` for audio of `sampleRate` frames per second.
    init(
        _ engine: any VoiceActivityEngine, sampleRate: Int, patience: Duration = RecordingJudge.patience
    ) throws(AudioFormatError) {
        rate = Int64(sampleRate)
        engineRate = Int64(engine.sampleRate)
        self.patience = patience
        resampler = try Resampler(inputRate: sampleRate, outputRate: engine.sampleRate)
        // Bounded by what a stream may be given: one piece is judged before the next one is pushed.
        let (answers, continuation) = AsyncStream.makeStream(of: Result<VoiceActivity, SpeechEngineError>.self)
        (self.answers, self.continuation) = (answers, continuation)
        stream = engine.start(
            onActivity: { continuation.yield(.success($0)) }, onFailure: { continuation.yield(.failure($0)) })
    }

    deinit {
        stream.end()
        continuation.finish()
    }

    /// What the engine says of the next samples, at most ``pieceMs`` of them, in order; what it holds back comes with the next ones.
    func judge(_ samples: [Int16]) async throws(SpeechEngineError) -> [Judgement] {
        let converted = resampler.process(samples)
        pushed += Int64(converted.count)
        stream.push(converted)
        let due = pushed - Self.unfinishedMs * engineRate / 1_000
        guard judged < due else { return [] }
        let watchdog = Task { [continuation, patience] in
            do { try await Task.sleep(for: patience) } catch { return }  // Called off: the engine was in time.
            continuation.yield(.failure(.lateJudge))
        }
        defer { watchdog.cancel() }
        var judgements: [Judgement] = []
        for await answer in answers {
            let activity = try answer.get()
            judged = activity.firstFrame + Int64(activity.frames)
            judgements.append(
                Judgement(
                    samples: activity.firstFrame * rate / engineRate..<judged * rate / engineRate,
                    probability: activity.probability))
            if judged >= due { break }
        }
        return judgements
    }
}

extension SpeechEngineError {
    /// What a person is told when a detector fails in mid-recording.
    var judgeLossNote: String { "the level of the sound tells speech from here on: \(message)" }

    fileprivate static let lateJudge = SpeechEngineError(
        code: "timeout", message: "The voice activity detector does not answer. Try again, or choose another one.")
}
