import GlassesAudio
import GlassesDomain

/// Who judges what is speech: the engine that is installed, and energy while there is none, or it rests after a loss.
extension PipelineMachine {
    /// Opens a stream of the judge, if there is one and turns are detected.
    mutating func startJudging() {
        guard profile.hasJudge, let base = buffer.awaitJudge() else { return }
        judging.stream += 1
        judging.base = base
        actions.work.append(.startJudging(stream: judging.stream))
    }

    /// The detector began anew: what a judge says of the old one counts no more.
    mutating func restartJudging() {
        guard profile.hasJudge else { return }
        actions.work.append(.stopJudging)
        actions.work.append(.cancelTimer(.judgeRest))
        startJudging()
    }

    mutating func voiceJudged(_ stream: Int, _ samples: Range<Int64>, _ probability: Float) {
        guard stream == judging.stream else { return }
        let (base, end) = (judging.base, samples.upperBound)
        // A stream that has judged for as long as it may rest is a good one.
        if Duration.milliseconds(end * 1_000 / Int64(PipelineLimits.sampleRate)) > PipelineLimits.judgeRest {
            judging.losses = 0
        }
        for fact in buffer.judged(samples.lowerBound + base..<end + base, probability: probability) { heard(fact) }
    }

    mutating func judgeFailed(_ stream: Int, _ error: SpeechEngineError) {
        guard stream == judging.stream else { return }
        for fact in buffer.judgeFailed() { heard(fact) }
    }

    /// Energy judges from here on; after a rest the better judge is tried again.
    mutating func judgeLost(_ loss: JudgeLoss) {
        let factor = 1 << min(judging.losses, 4)
        judging.losses += 1
        actions.work.append(.stopJudging)
        let rest = min(PipelineLimits.judgeRest * factor, PipelineLimits.longestJudgeRest)
        actions.work.append(.schedule(.judgeRest, after: rest))
        actions.notices.append(.judgeLost(reason: loss.rawValue, losses: judging.losses))
    }

    /// A judge that took over inside an utterance would not know how it began.
    mutating func judgeRestEnded() {
        guard utterance == nil else {
            actions.work.append(.schedule(.judgeRest, after: PipelineLimits.judgeRest))
            return
        }
        startJudging()
    }
}
