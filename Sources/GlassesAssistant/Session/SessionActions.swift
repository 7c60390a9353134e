import GlassesDomain

/// What the driver has to start after an input, in this order.
///
/// One ordered list rather than a slot per port, because the order between ports is part of the meaning: playback is cut
/// before a cancel is sent, and the microphone is closed before the state tells of sleep. The driver starts every action
/// without waiting; outcomes come back as inputs. Longest is a replay: one command per history entry.
public struct SessionActions: Sendable, Hashable, RandomAccessCollection {
    /// The actions, first to start first.
    public private(set) var ordered: [SessionAction] = []

    /// No action.
    public init() {}

    /// The given actions.
    public init(_ ordered: [SessionAction]) { self.ordered = ordered }

    /// Always 0.
    public var startIndex: Int { ordered.startIndex }
    /// The number of actions.
    public var endIndex: Int { ordered.endIndex }
    /// The action at a position.
    public subscript(position: Int) -> SessionAction { ordered[position] }

    mutating func append(_ action: SessionAction) { ordered.append(action) }
}

/// One thing for the driver to start.
public enum SessionAction: Sendable, Hashable, Encodable {
    /// Send a command on a connection's control lane, in order. A refused send is that connection's end and needs no report of its own.
    case send(SessionCommand, on: ConnectionID)
    /// Work of the playout queue.
    case playback(PlaybackAction)
    /// Work of the tool executor.
    case tool(ToolAction)
    /// Work on connections.
    case connection(ConnectionAction)
    /// Work on timers.
    case timer(TimerAction)
    /// Work on the microphone.
    case microphone(MicrophoneAction)
    /// Work on app hooks.
    case hook(HookAction)
    /// Work on pictures.
    case picture(PictureAction)
    /// Work on what is remembered.
    case memory(MemoryAction)
    /// Publish a state; comes only when it changed.
    case enter(AssistantState)
    /// Publish an event.
    case notify(AssistantEvent)
    /// Publish the turns that `conversationHistory` returns; comes only when they changed.
    case publishHistory([Turn])
    /// End a waiting call; exactly once per operation.
    case finish(OperationID, OperationOutcome)
    /// Give the client's one slot back.
    case releaseSlot
    /// Log, and count.
    case diagnose(SessionDiagnostic)
}

/// How a call of the app ended.
public enum OperationOutcome: Sendable, Hashable, Encodable {
    case succeeded
    case failed(SessionFailure)
}

/// Why a call of the app failed; the comparable form of `AssistantError`.
public enum SessionFailure: Error, Sendable, Hashable, Encodable {
    case noApiKey
    case sessionEnded
    case notReady
    case networkError(ConnectionClosure)
    case providerError(code: String, message: String)

    /// The error that the app sees.
    public var assistantError: AssistantError {
        switch self {
        case .noApiKey: .noApiKey
        case .sessionEnded: .sessionEnded
        case .notReady: .notReady
        case .networkError(let closure): .networkError(cause: closure)
        case .providerError(let code, let message): .providerError(code: code, message: message)
        }
    }
}

/// A command for the provider, free of the wire's form. `eventID` goes out as `event_id`, so that an error can name it.
public enum SessionCommand: Sendable, Hashable, Encodable {
    /// `session.update` with instructions, tools, voice, formats and turn detection of the app's configuration.
    case updateSession(eventID: String)
    /// `conversation.item.create` at the end of the conversation.
    case createItem(eventID: String, ConversationItem)
    /// `conversation.item.create` right behind an item that the provider has.
    case insertItem(eventID: String, ConversationItem, after: String)
    /// `response.create`.
    case requestAnswer(eventID: String, AnswerRequest)
    /// `response.cancel` with its response id.
    case cancelAnswer(eventID: String, responseID: String)
    /// `conversation.item.truncate`; `milliseconds` is above 0 and not above what was received.
    case truncateItem(eventID: String, itemID: String, contentIndex: Int, milliseconds: Int)
    /// `conversation.item.delete`.
    case deleteItem(eventID: String, itemID: String)
    /// `input_audio_buffer.clear`.
    case clearInput(eventID: String)
    /// `input_audio_buffer.commit`.
    case commitInput(eventID: String)
}

/// An item that the client puts into a conversation.
public enum ConversationItem: Sendable, Hashable, Encodable {
    /// A user message with one `input_text` part.
    case userText(id: String, text: String)
    /// A user message with one `input_audio` part: the audio that ``MicrophoneAction/commitUtterance(itemID:endMs:)`` kept under
    /// this id.
    case userAudio(id: String)
    /// A user message with an `input_text` part for the prompt, if there is one, and an `input_image` part.
    case userPicture(id: String, SessionPicture, prompt: String?, detail: PictureDetail)
    /// A system message with one `input_text` part.
    case systemText(id: String, text: String)
    /// An assistant message with one `output_text` part.
    case assistantText(id: String, text: String)
    /// A function call; `arguments` is JSON text.
    case functionCall(id: String, callID: String, name: String, arguments: String)
    /// A function call's output.
    case functionCallOutput(id: String, callID: String, output: String)

    /// The client's item id.
    public var id: String {
        switch self {
        case .userText(let id, _), .userAudio(let id), .userPicture(let id, _, _, _), .systemText(let id, _),
            .assistantText(let id, _), .functionCall(let id, _, _, _), .functionCallOutput(let id, _, _):
            id
        }
    }
}

/// How closely a model should look at a picture.
public enum PictureDetail: String, Sendable, Hashable, CaseIterable, Encodable {
    /// As it finds right.
    case auto
    /// At a glance: what a frame of video is worth.
    case low
}

/// What a `response.create` asks for; nil members are left out of the event.
public struct AnswerRequest: Sendable, Hashable, Encodable {
    /// Whether the answer stays out of the conversation (`conversation: "none"`).
    public var isOutOfBand: Bool
    /// The whole context of the answer instead of the conversation (`input`).
    public var input: [ConversationItem]?
    /// Instructions for this answer only.
    public var instructions: String?
    /// Comes back in the answer's `response.created`; holds at least ``requestKey``.
    public var metadata: [String: String]

    /// The metadata key under which each request carries its event id.
    public static let requestKey = "extentos_request"
    /// The metadata key that marks a text to be spoken word for word; its value is `1`.
    public static let sayKey = "extentos_say"

    /// A request.
    public init(
        isOutOfBand: Bool = false, input: [ConversationItem]? = nil, instructions: String? = nil,
        metadata: [String: String] = [:]
    ) {
        self.isOutOfBand = isOutOfBand
        self.input = input
        self.instructions = instructions
        self.metadata = metadata
    }
}

/// Work of the playout queue.
public enum PlaybackAction: Sendable, Hashable, Encodable {
    /// Append the samples of the audio fact just applied to this segment. Audio without this action is dropped by the driver.
    case playReceivedAudio(SegmentID)
    /// Cut everything queued so far; answered by ``SessionInput/flushCompleted(_:heard:)``. Audio that comes later is kept.
    case flush(FlushID)
    /// The voice stands still where it is; audio that comes meanwhile waits. A flush ends that too.
    case pause
    /// The voice goes on where it was heard last.
    case resume
}

/// Work of the tool executor.
public enum ToolAction: Sendable, Hashable, Encodable {
    /// Run the body of a registered tool in a task of its own; the arguments fit its schema.
    case run(callID: String, name: String, arguments: JSONValue)
    /// Cancel the task of a call. Its body still reports its end whenever that comes.
    case cancel(callID: String)
}

/// Work on connections.
public enum ConnectionAction: Sendable, Hashable, Encodable {
    /// Open a connection; answered by exactly one of `connectionOpened` and `connectionFailed` within 10 s.
    case open(ConnectionID)
    /// Close it with 1000, or abandon the attempt. Of an open one `connectionClosed` follows; of an abandoned attempt
    /// whatever comes is fine: if it opens all the same, the machine closes it again.
    case close(ConnectionID)
    /// Let go of it: it was closed and did not end in time. Nothing more is taken from it.
    case abandon(ConnectionID)
}

/// Work on timers.
public enum TimerAction: Sendable, Hashable, Encodable {
    /// Report `timerFired` at the given moment or right after; replaces a timer with the same name.
    case schedule(SessionTimer, at: MonotonicTime)
    /// Forget the timer.
    case cancel(SessionTimer)
}

/// Work on the microphone. Nothing leaves the process except between `startUplink` and `stopUplink`.
///
/// As long as the microphone is open the driver remembers the last seconds that it captured, so that the utterance under way can
/// be kept: ``keepUtterance(startMs:)``.
public enum MicrophoneAction: Sendable, Hashable, Encodable {
    /// Begin capture.
    case open
    /// End capture, release the device and forget all audio that was kept.
    case close
    /// Send captured audio on this connection from now on; `resending` sends the utterance that is kept before it, without a gap
    /// in between.
    case startUplink(ConnectionID, resending: Bool = false)
    /// Send captured audio on this connection instead of the one before it, from the next frame on. A sound that is under way goes
    /// there from its beginning: the provider that is left may not have told of it yet.
    case moveUplink(ConnectionID)
    /// Send no further sample, not one, from this moment on.
    case stopUplink
    /// Keep what is captured from the beginning of an utterance on, at most 30 s of it. `startMs` is where the provider places the
    /// beginning in all audio of the connection; nil: where ``SessionInput/speechNoticed`` places it.
    case keepUtterance(startMs: Int?)
    /// The kept utterance ended, at `endMs` in all audio of the connection or now: keep its audio under the item that it became.
    case commitUtterance(itemID: String, endMs: Int?)
    /// Forget the audio of an item; nil: the utterance that is no item yet.
    case forgetUtterance(itemID: String?)
    /// Forget what was captured before this moment, but for utterances that are items.
    case forgetRecent
    /// Tell how long the user's speech is that has just begun, and each later stretch of it: ``SessionInput/speechMeasured(milliseconds:isOver:)``.
    case measureSpeech
    /// Measure no more.
    case stopMeasuring
}

/// Work on app hooks.
public enum HookAction: Sendable, Hashable, Encodable {
    /// Run the hook in a task of its own; answered by ``SessionInput/hookEnded(_:errorMessage:)``.
    case run(SessionHook)
    /// Cancel whatever hooks are running.
    case cancelAll
}

/// Work on pictures.
public enum PictureAction: Sendable, Hashable, Encodable {
    /// Read and scale the picture that came with this call; answered by ``SessionInput/pictureReady(_:_:)`` or
    /// ``SessionInput/pictureFailed(_:_:)``.
    case prepare(OperationID, PicturePurpose)
    /// The call has ended: nobody waits for its picture any more.
    case abandon(OperationID)
}

/// Work on what is remembered, in this conversation and beyond it.
public enum MemoryAction: Sendable, Hashable, Encodable {
    /// Make these turns shorter; answered by ``SessionInput/historySummarised(_:_:)``, ``SessionInput/historyCompacted(_:_:)`` or
    /// ``SessionInput/compactionFailed(_:)``.
    case compact(CompactionID, [Turn])
    /// Nobody waits for that any more.
    case abandon(CompactionID)
    /// Load what is known of the user; answered by ``SessionInput/memoryLoaded(_:)``.
    case load
    /// Keep what these turns tell of the user; nobody waits for it.
    case remember([Turn])
}

/// What a picture is for, which decides how big it is sent.
public enum PicturePurpose: Sendable, Hashable, Encodable {
    /// Something to ask about.
    case still
    /// A frame of live video.
    case frame

    /// How much of it is sent.
    public var budget: PictureBudget {
        switch self {
        case .still: .still
        case .frame: .frame
        }
    }
}

/// Something for the log: never fatal, never holds what was said.
public enum SessionDiagnostic: Sendable, Hashable, Encodable {
    /// A tool answered after its call had ended; the result was dropped.
    case lateToolResult(callID: String, name: String)
    /// A cancelled tool body still runs and keeps its thread.
    case toolStillRuns(callID: String, name: String)
    /// The same call came again and was not run again.
    case repeatedCall(callID: String)
    /// An event of a dead answer was dropped.
    case lateAnswerEvent(responseID: String)
    /// The provider refused a command that the session can do without.
    case commandRefused(code: String?)
    /// The provider did not acknowledge the replayed history in time.
    case replayUnacknowledged(items: Int)
    /// A provider that owed an answer said nothing for so long that the connection was left.
    case silentConnectionLeft
    /// An answer sent nothing for too long and was given up.
    case answerStalled(responseID: String)
    /// What the provider found too big was left out of the conversation.
    case oversizedItemLeftOut(bytes: Int)
    /// Frames of video were left out because they came too fast; told each time that the number has doubled.
    case framesDropped(total: Int)
    /// An answer that the connection took again and again is not asked for any more.
    case lostAnswerGivenUp
    /// A connection that was to replace the open one before its end was not made.
    case secondConnectionFailed(code: String)
}
