import GlassesRealtime

/// A response between `response.created` and `response.done`.
struct ActiveResponse: Equatable, Sendable {
    /// What the response waits for.
    enum Phase: Equatable, Sendable {
        /// Utterances that were spoken before it have no words yet.
        case awaitingTranscripts(TranscriptWait)
        /// The brain has not answered. `pendingIds` are the items that its answer deals with.
        case thinking(pendingIds: [String])
        /// Its message is on its way; the calls follow.
        case speaking(OutputMessage, calls: [BrainFunctionCall])
        /// Nothing is under way: it was just created, or everything is said.
        case quiet
    }

    /// What became of the utterances that a response waits for.
    struct TranscriptWait: Equatable, Sendable {
        var failure: RealtimeErrorInfo?
        var hasHeardNothing = false
    }

    let id: String
    /// Nil when the response is out of band.
    let conversationId: String?
    /// The context in the place of the conversation; nil for the conversation.
    let input: Conversation?
    let instructions: String
    let tools: [FunctionTool]
    let toolChoice: GlassesRealtime.ToolChoice
    /// `.audio` or `.text`, after taking into account that there may be no synthesiser.
    let modality: Modality
    let voice: Voice?
    let speed: Double
    let maxOutputTokens: TokenLimit
    let metadata: [String: String]?
    var phase: Phase
    /// The items that are done.
    var output: [ConversationItem] = []
    /// Sentences spoken so far.
    var sentenceCount = 0
    /// Audio sent so far.
    var samples = 0
    /// Characters of speech that the brain gave so far.
    var characters = 0
    /// What the brain counted.
    var usage: BrainUsage?

    var isOutOfBand: Bool { conversationId == nil }

    /// The response as events carry it.
    func wire(status: ResponseStatus, details: ResponseStatusDetails? = nil) -> RealtimeResponse {
        var response = RealtimeResponse(
            id: id, status: status, statusDetails: details, output: output, conversationId: conversationId,
            metadata: metadata)
        response.outputModalities = [modality]
        if modality == .audio {
            response.audioFormat = .standard
            response.voice = voice
        }
        response.maxOutputTokens = maxOutputTokens
        // Rules count no tokens; clients that add usage up expect numbers.
        if status != .inProgress {
            response.usage = Usage(inputTokens: usage?.inputTokens ?? 0, outputTokens: usage?.outputTokens ?? 0)
        }
        return response
    }
}

/// A message of a response while it is being sent.
struct OutputMessage: Equatable, Sendable {
    let place: PartReference
    /// The sentences that were not begun.
    var remaining: ArraySlice<String>
    /// What comes after them.
    var outcome = Outcome.pending
    /// Whether a sentence is being synthesised.
    var isSpeaking = false
    /// The text sent so far, with its audio.
    var spoken = SpokenTranscript()

    /// What became of the brain's answer.
    enum Outcome: Equatable, Sendable {
        /// It is still being made.
        case pending
        /// It is here, or its end is known to be missing.
        case ended(BrainEnding)
        /// It broke off.
        case failed(RealtimeErrorInfo)
    }
}
