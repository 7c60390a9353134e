import GlassesDomain
import GlassesRealtime

/// A realtime session from the server's side: what to answer to a client and what to ask of the engines.
///
/// The life of a spoken turn: audio is cut into an utterance and recognised while it is spoken; at its end it becomes an
/// item; when its words are known a response is created, the brain is asked, and its text is sent sentence by sentence,
/// each transcript before its audio. An utterance without words is no turn: its item is deleted and nothing is answered.
/// A new utterance cuts the response in progress, if the session says so; inputs that such a response had not dealt with
/// are answered with the new one.
///
/// It reads no clock: `now` is an argument, timers are data, ids come from `makeId`.
struct PipelineMachine: Sendable {
    let profile: PipelineProfile
    let rules: ItemRules
    /// Makes a new id with the given prefix, unique in the process.
    let makeId: @Sendable (_ prefix: String) -> String
    let conversationId: String

    var session: RealtimeSession
    var conversation = Conversation()
    var buffer: InputAudioBuffer
    /// Who judges what is speech.
    var judging = Judging()
    /// What is being said now, under turn detection.
    var utterance: Utterance?
    /// Utterances that were committed and have no words yet.
    var recognitions: [String: Recognition] = [:]
    /// What was told of the words of utterances that are being recognised.
    var transcripts: [String: StableTranscript] = [:]
    var responses: [String: ActiveResponse] = [:]
    /// The response of the conversation; the others are out of band.
    var inBandId: String?
    /// Whether a turn waits for its answer.
    var isAnswerOwed = false
    /// Whether audio was produced, which fixes the voice.
    var hasProducedAudio = false
    /// Whether the client knows that answers come as text for want of a synthesiser.
    var hasReportedMissingVoice = false
    /// How long the parts of the turn under way took.
    var turnClock: TurnClock?
    /// Until when the client plays what was sent, if it plays at once.
    var playsUntil = MonotonicTime.zero
    /// When the input being applied came.
    var now = MonotonicTime.zero
    /// What the input being applied has led to so far.
    var actions = PipelineActions()

    /// Speech in progress.
    struct Utterance: Equatable, Sendable {
        let itemId: String
        var samples: [Int16]
        /// Whether a recogniser listens along.
        let isRecognized: Bool
        var decoding = Decoding.listening
        /// How often it was recognised at a pause.
        var speculations = 0

        /// What the recogniser does with it.
        enum Decoding: Equatable, Sendable {
            /// It gets the audio as it comes.
            case listening
            /// It works out what was said up to a pause.
            case finishing
            /// What was said up to a pause.
            case done(RecognitionResult)
        }
    }

    /// An utterance whose words are awaited.
    struct Recognition: Equatable, Sendable {
        let seconds: Double
        /// Whether the words make a turn that is answered by itself.
        let wantsAnswer: Bool
    }

    /// Who judges what is speech.
    struct Judging: Equatable, Sendable {
        /// The number of the last stream.
        var stream = 0
        /// The sample of the detector at which it began.
        var base: Int64 = 0
        /// Streams that were lost in a row.
        var losses = 0
    }

    /// A machine whose session begins as `configured`, or with the defaults of the protocol and of the profile.
    init(
        profile: PipelineProfile, configured: RealtimeSession? = nil, makeId: @escaping @Sendable (String) -> String
    ) {
        self.profile = profile
        self.makeId = makeId
        rules = ItemRules(acceptsImages: profile.acceptsImages)
        conversationId = makeId("conv_")
        session = configured ?? profile.session
        session.id = makeId("sess_")
        buffer = InputAudioBuffer(InputAudioBuffer.Settings(session.input.turnDetection))
    }

    /// Takes a fact and answers what to do.
    mutating func apply(_ input: PipelineInput, at now: MonotonicTime) -> PipelineActions {
        actions = PipelineActions()
        self.now = now
        switch input {
        case .opened:
            send(.sessionCreated(session))
            startJudging()
        case .received(let event): received(event)
        case .undecodable(let error): send(.error(error))
        case .voiceJudged(let stream, let samples, let probability): voiceJudged(stream, samples, probability)
        case .judgeFailed(let stream, let error): judgeFailed(stream, error)
        case .partiallyRecognized(let itemId, let text): partiallyRecognized(itemId, text)
        case .turnWeighed(let itemId, let attempt, let isWhole): turnWeighed(itemId, attempt: attempt, isWhole)
        case .recognized(let itemId, let result): recognized(itemId, result)
        case .recognitionFailed(let itemId, let error): recognitionFailed(itemId, error)
        case .brainSpoke(let responseId, let text): brainSpoke(responseId, text)
        case .brainReplied(let responseId, let reply): brainReplied(responseId, reply)
        case .brainFailed(let responseId, let error): brainFailed(responseId, error)
        case .audioSynthesized(let sentence, let samples): audioSynthesized(sentence, samples)
        case .synthesisHeldBack(let sentence): synthesisHeldBack(sentence)
        case .synthesisFinished(let sentence): synthesisFinished(sentence)
        case .synthesisFailed(let sentence, let error): synthesisFailed(sentence, error)
        case .timerFired(let timer): timerFired(timer)
        }
        for itemId in conversation.evict() { send(.conversationItemDeleted(itemId: itemId)) }
        answerIfOwed()
        defer { actions = PipelineActions() }
        return actions
    }

    private mutating func received(_ identified: Identified<ClientEvent>) {
        let eventId = identified.eventId
        switch identified.event {
        case .sessionUpdate(let update): updateSession(update, eventId: eventId)
        case .inputAudioBufferAppend(let audio): appendAudio(audio, eventId: eventId)
        case .inputAudioBufferCommit: commitAudio(eventId: eventId)
        case .inputAudioBufferClear: clearAudio()
        case .outputAudioBufferClear:
            refuse(.refusal("type", "output_audio_buffer.clear exists on WebRTC and SIP only."), eventId: eventId)
        case .conversationItemCreate(let creation): createItem(creation, eventId: eventId)
        case .conversationItemRetrieve(let itemId): retrieveItem(itemId, eventId: eventId)
        case .conversationItemTruncate(let truncation): truncateItem(truncation, eventId: eventId)
        case .conversationItemDelete(let itemId): deleteItem(itemId, eventId: eventId)
        case .responseCreate(let parameters): createResponse(parameters ?? ResponseParameters(), eventId: eventId)
        case .responseCancel(let responseId): cancelResponse(responseId, eventId: eventId)
        case .unknown:
            refuse(
                .refusal("type", "This server does not know that event. Send one of the client events."),
                eventId: eventId)
        }
    }

    private mutating func timerFired(_ timer: PipelineTimer) {
        let late = "The engine did not answer in \(PipelineLimits.engineTimeout.seconds) s. Try again."
        switch timer {
        case .recognition(let itemId):
            actions.work.append(.cancelRecognition(itemId: itemId))
            recognitionFailed(itemId, SpeechEngineError(code: "timeout", message: late))
        case .thinking(let responseId):
            actions.work.append(.cancelThinking(responseId: responseId))
            brainFailed(responseId, BrainError(code: "timeout", message: late))
        case .synthesis(let responseId):
            fail(responseId, .server(code: "timeout", message: late))
        case .idle: idleTimeRanOut()
        case .judgeRest: judgeRestEnded()
        }
    }

    mutating func send(_ event: ServerEvent) {
        actions.events.append(Identified(event, eventId: makeId("event_")))
    }

    /// Answers a client event that cannot be done.
    mutating func refuse(_ error: RealtimeErrorInfo, eventId: String?) {
        var named = error
        named.eventId = eventId
        send(.error(named))
    }
}
