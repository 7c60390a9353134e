import GlassesCore

/// The engines that write down a recording.
struct RecordingEngines: Sendable {
    let recogniser: any SpeechToTextEngine
    /// Judges what is speech; nil: the level of the sound does.
    var detector: (any VoiceActivityEngine)?

    /// Loads the engines of these plugins; with nil the best that work.
    static func load(
        _ finder: EngineFinder, recogniser id: String? = nil, voiceActivity: String? = nil
    ) async -> Result<RecordingEngines, Problem> {
        switch await finder.recogniser(id: id) {
        case .failure(let problem): return .failure(problem)
        case .success(let recogniser):
            switch await finder.judge(id: voiceActivity) {
            case .success(let detector):
                return .success(RecordingEngines(recogniser: recogniser, detector: detector))
            case .failure(let problem):
                await recogniser.shutdown()
                return .failure(problem)
            }
        }
    }

    /// Ends them.
    func shutdown() async {
        await recogniser.shutdown()
        await detector?.shutdown()
    }
}
