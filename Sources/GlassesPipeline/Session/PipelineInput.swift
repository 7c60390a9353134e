import GlassesDomain
import GlassesRealtime

/// What a session can learn: past-tense facts, in the order in which they became known.
enum PipelineInput: Equatable, Sendable {
    /// The client is there.
    case opened
    /// The client said something.
    case received(Identified<ClientEvent>)
    /// The client sent something that is no event.
    case undecodable(RealtimeErrorInfo)
    /// The judge of a stream says how likely speech is in some of its samples, counted at 24 kHz from the stream's begin.
    case voiceJudged(stream: Int, samples: Range<Int64>, probability: Float)
    /// The judge of a stream failed.
    case judgeFailed(stream: Int, SpeechEngineError)
    /// The recogniser tells what it understood so far of an utterance that goes on.
    case partiallyRecognized(itemId: String, text: String)
    /// The brain knows whether the words of an utterance that pauses are a whole request.
    case turnWeighed(itemId: String, attempt: Int, isWhole: Bool)
    /// The recogniser understood an utterance; the text is empty when there were no words.
    case recognized(itemId: String, RecognitionResult)
    /// The recogniser failed on an utterance.
    case recognitionFailed(itemId: String, SpeechEngineError)
    /// The brain has the next sentences of an answer that it still makes.
    case brainSpoke(responseId: String, text: String)
    /// The brain answered; after sentences that were told before, with the rest.
    case brainReplied(responseId: String, BrainReply)
    /// The brain failed.
    case brainFailed(responseId: String, BrainError)
    /// The synthesiser made the next audio of a sentence, at 24 kHz.
    case audioSynthesized(SentenceID, [Int16])
    /// The client reads slowly: the synthesis of a sentence is paused, which is no hang.
    case synthesisHeldBack(SentenceID)
    /// A sentence is complete.
    case synthesisFinished(SentenceID)
    /// The synthesiser failed on a sentence.
    case synthesisFailed(SentenceID, SpeechEngineError)
    /// A timer ran out; one that was scheduled anew or cancelled since does not report.
    case timerFired(PipelineTimer)
}

/// One sentence of one response.
struct SentenceID: Hashable, Sendable {
    let responseId: String
    /// Its place among the sentences of the response.
    let index: Int
}

/// The timers of a session.
enum PipelineTimer: Hashable, Sendable {
    /// An utterance waits for its words.
    case recognition(itemId: String)
    /// A response waits for the brain.
    case thinking(responseId: String)
    /// A response waits for the next audio.
    case synthesis(responseId: String)
    /// Nobody has spoken since the last answer was played.
    case idle
    /// Energy has judged long enough after a better judge was lost.
    case judgeRest
}

/// What a session does: the events go out in order, then the work is started in order.
struct PipelineActions: Equatable, Sendable {
    /// Events for the client, with their ids.
    var events: [Identified<ServerEvent>] = []
    /// What the app or operator can be told, in order.
    var notices: [PipelineNotice] = []
    /// Work to start; each outcome comes back as a ``PipelineInput``.
    var work: [Work] = []

    /// One piece of work.
    enum Work: Equatable, Sendable {
        /// Opens a stream of the judge of speech.
        case startJudging(stream: Int)
        /// Gives 24 kHz audio to the judge.
        case judge([Int16])
        case stopJudging
        case startRecognition(itemId: String)
        /// Adds 24 kHz audio to an utterance.
        case pushAudio(itemId: String, [Int16])
        case finishRecognition(itemId: String)
        case cancelRecognition(itemId: String)
        /// Asks the brain, in the session's own conversation or in a fresh one.
        case think(responseId: String, BrainRequest, isOutOfBand: Bool)
        case cancelThinking(responseId: String)
        /// Asks the brain whether an utterance is whole, without any effect on its own memory.
        case weighTurn(itemId: String, attempt: Int, BrainRequest)
        case synthesize(SentenceID, text: String, voice: String?, speed: Double)
        case cancelSynthesis(responseId: String)
        /// Starts a timer, or starts it anew.
        case schedule(PipelineTimer, after: Duration)
        case cancelTimer(PipelineTimer)
    }
}
