import GlassesAudio
import GlassesDomain

/// One session's stream at the judge of speech: its audio at the judge's rate, and its word in samples of the session.
final class VoiceJudge {
    private let resampler: Resampler
    private let stream: any VoiceActivityStream

    /// Opens the stream with the number `number`; what it tells goes to `post`, on threads of the engine. Without an engine it
    /// judges nothing.
    /// - Throws: ``AudioFormatError`` for an engine whose rate cannot be made.
    init?(
        engine: (any VoiceActivityEngine)?, stream number: Int, post: @escaping @Sendable (PipelineInput) -> Void
    ) throws(AudioFormatError) {
        guard let engine else { return nil }
        let (rate, ownRate) = (Int64(engine.sampleRate), Int64(PipelineLimits.sampleRate))
        resampler = try Resampler(inputRate: PipelineLimits.sampleRate, outputRate: engine.sampleRate)
        stream = engine.start(
            onActivity: { activity in
                let end = activity.firstFrame + Int64(activity.frames)
                let samples = activity.firstFrame * ownRate / rate..<end * ownRate / rate
                post(.voiceJudged(stream: number, samples: samples, probability: activity.probability))
            },
            onFailure: { post(.judgeFailed(stream: number, $0)) })
    }

    deinit { stream.end() }

    func push(_ samples: [Int16]) { stream.push(resampler.process(samples)) }
}
