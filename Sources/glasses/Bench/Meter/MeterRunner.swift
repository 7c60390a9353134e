import GlassesCore

/// Plays and records rounds on a device.
struct MeterRunner: Sendable {
    /// How often what was heard is looked at: a question or an interruption begins at most this late.
    private static let tick: Duration = .milliseconds(20)
    /// From the hand-over to the sound: the buffers of a slow device.
    private static let playbackDelay = 200

    /// How often a round begins again before a gap is held against it.
    private static let beginnings = 4

    let device: MeterDevice
    let question: MeterSpeech
    let interruption: MeterSpeech?
    /// How long an answer may take to begin, in milliseconds.
    let answerLimit: Int

    /// Plays one round; `interruptAfter` is the time in milliseconds from the answer's beginning to the interruption. Throws when its
    /// task is cancelled.
    func round(interruptAfter: Int? = nil) async throws -> MeterRound {
        // A gap before the question changes nothing: the times of a stream jump in its first second.
        for _ in 0..<Self.beginnings {
            if let round = try await attempt(interruptAfter, forgivesGap: true) { return round }
        }
        return try await attempt(interruptAfter, forgivesGap: false) ?? finish(nil, nil, 0, .recordingGap)
    }

    /// A round; nil when it has to begin again, because audio is missing before the question.
    private func attempt(_ interruptAfter: Int?, forgivesGap: Bool) async throws -> MeterRound? {
        device.beginRound()
        var watch = RoundWatch(answerLimit: answerLimit, interruptAfter: interruptAfter)
        var peaks = SoundPeaks(sampleRate: device.microphoneRate)
        var heard = 0
        var (asked, interrupted): (MeterRound.Played?, MeterRound.Played?)
        var silence = Silence()
        while true {
            try await Task.sleep(for: Self.tick)
            device.pump()
            let samples = device.heard(from: heard)
            heard += samples.count
            if silence.hasLasted(heard: !samples.isEmpty) {
                return finish(asked, interrupted, watch.noise, .recordingGap)
            }
            for action in watch.apply(.heard(peaks.add(samples))) {
                switch action {
                case .playQuestion:
                    if forgivesGap, device.hasGap { return nil }
                    asked = play(question, &watch)
                case .playInterruption: interrupted = interruption.map { play($0, &watch) }
                case .end(let refusal): return finish(asked, interrupted, watch.noise, refusal)
                }
            }
        }
    }

    private func play(_ speech: MeterSpeech, _ watch: inout RoundWatch) -> MeterRound.Played {
        let start = device.play(speech.forSpeaker)
        _ = watch.apply(.playing(until: watch.now + speech.milliseconds + Self.playbackDelay))
        return MeterRound.Played(speech: speech, start: start)
    }

    private func finish(
        _ asked: MeterRound.Played?, _ interrupted: MeterRound.Played?, _ noise: Float, _ refusal: MeterRefusal?
    ) -> MeterRound {
        let (capture, positions) = device.round
        return MeterRound(
            capture: capture, positions: positions, speakerRate: device.speakerRate, question: asked,
            interruption: interrupted, noise: noise, refusal: refusal)
    }

    /// Notices that the microphone delivers nothing any more, for which the audio's own clock is blind.
    private struct Silence {
        private static let limit: Duration = .seconds(5)
        private var last = Stopwatch.now

        mutating func hasLasted(heard: Bool) -> Bool {
            if heard { last = Stopwatch.now }
            return last.duration(to: Stopwatch.now) > Self.limit
        }
    }
}
