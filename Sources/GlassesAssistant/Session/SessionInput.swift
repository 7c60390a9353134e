import GlassesDomain

/// One call of the app that waits for its ending; the driver numbers them, no number is used twice in a session.
public struct OperationID: Sendable, Hashable, Codable {
    /// The driver's number.
    public let number: Int
    /// The operation with this number.
    public init(_ number: Int) { self.number = number }
}

/// One attempt at a connection and the connection that may come of it; the machine numbers them.
public struct ConnectionID: Sendable, Hashable, Codable {
    /// The machine's number.
    public let number: Int
    /// The connection with this number.
    public init(_ number: Int) { self.number = number }
}

/// One order to cut playback; the machine numbers them.
public struct FlushID: Sendable, Hashable, Codable {
    /// The machine's number.
    public let number: Int
    /// The flush with this number.
    public init(_ number: Int) { self.number = number }
}

/// The audio of one content part of one answer's item: what the playout queue keeps apart.
public struct SegmentID: Sendable, Hashable, Codable {
    /// The answer.
    public var responseID: String
    /// The item of the conversation.
    public var itemID: String
    /// The content part's index in the item.
    public var contentIndex: Int

    /// The part `contentIndex` of an item of an answer.
    public init(responseID: String, itemID: String, contentIndex: Int) {
        self.responseID = responseID
        self.itemID = itemID
        self.contentIndex = contentIndex
    }
}

/// How much of a segment has left the loudspeaker, by the playout clock.
public struct HeardPosition: Sendable, Hashable, Codable {
    /// The segment.
    public var segment: SegmentID
    /// Whole milliseconds heard, rounded down; the machine limits them to what was received.
    public var milliseconds: Int

    /// A position in a segment.
    public init(segment: SegmentID, milliseconds: Int) {
        self.segment = segment
        self.milliseconds = milliseconds
    }
}

/// What the app asked the session to do.
public enum SessionOperation: Sendable, Hashable, Codable {
    /// Start. The driver has claimed the client's one slot for this session before (or fails the call with `alreadyActive`).
    case start
    /// Wake up. As for ``start``, the driver claims the slot first; it is this session's unless a failed start gave it back.
    case wake
    /// Go to sleep.
    case sleep
    /// End; overtakes everything else.
    case stop
    /// Speak a text word for word, outside the conversation. Ends when the provider has begun it. One that is protected is not cut
    /// by the user's voice.
    case say(text: String, isProtected: Bool = false)
    /// Greet anew, outside the conversation; nil uses the plan of the configuration.
    case greet(directive: String?)
    /// Add a typed turn of the user and ask for its answer. Ends when the provider has taken the turn.
    case sendText(text: String)
    /// Show the model the picture that came with the call, with words of the app's. Ends when the provider has taken it.
    case includePicture(prompt: String?)
    /// Show the model the frame of live video that came with the call. Ends when it was sent, or dropped because frames come too fast.
    case sendFrame
    /// Cut the running answer and everything queued to be spoken. Ends at once, never fails.
    case cancelSpeak
    /// Use what was chosen anew from now on: the driver has it already. Most of it ends when the provider has taken it; what only a new
    /// connection takes ends at once, and the connection is changed at the next quiet moment.
    case applyChoices(needsConnection: Bool)
    /// The user's turn begins; for sessions whose turns the app tells.
    case beginTurn
    /// The user's turn ends. Ends when the provider has taken it.
    case endTurn
    /// The user's turn is taken back.
    case cancelTurn
}

/// Why the device went away.
public enum DeviceLossReason: Sendable, Hashable, Codable {
    /// The link dropped; it may come back within ``SessionConfiguration/deviceReturnLimit``.
    case dropped
    /// The user folded the glasses: the session sleeps at once.
    case hingesClosed
    /// The app disconnected the device: the session sleeps at once.
    case userRequested
}

/// Which app hook is meant.
public enum SessionHook: Sendable, Hashable, Codable {
    case onWake
    case onSleep
}

/// What happened to a session: the only way in which its machine learns anything.
public enum SessionInput: Sendable, Hashable, Codable {
    /// The app called. Answered by exactly one ``SessionAction/finish(_:_:)`` with the same id, now or later.
    case operationRequested(OperationID, SessionOperation)
    /// The app edited the local history; the provider's conversation follows at the next replay.
    case historyCleared
    case turnAppended(Turn)
    case historyReplaced([Turn])

    /// The connection asked for by ``ConnectionAction/open(_:)`` is open; no event was read from it yet.
    case connectionOpened(ConnectionID)
    /// The connection asked for could not be opened. Nothing more comes from it.
    case connectionFailed(ConnectionID, ConnectionClosure)
    /// An open connection ended: by itself or after ``ConnectionAction/close(_:)``. Comes once; nothing more comes from it.
    case connectionClosed(ConnectionID, ConnectionClosure)
    /// A server event, in the order of the connection. Facts of any but the current connection are dropped.
    case server(ConnectionID, ServerFact)
    /// A command with this event id was not sent, because it is larger than any provider takes or its audio is not kept any more.
    case commandUnsendable(ConnectionID, eventID: String, code: String, message: String)
    /// While no connection took the microphone's audio, the driver's own detector heard somebody begin to speak.
    case speechNoticed
    /// A stretch of the user's speech is so long so far, or was so long when it ended; between ``MicrophoneAction/measureSpeech`` and
    /// ``MicrophoneAction/stopMeasuring``, again as it grows.
    case speechMeasured(milliseconds: Int, isOver: Bool)

    /// The first sample of a segment is audible.
    case playbackStarted(SegmentID)
    /// A position report of the playout clock while a segment is audible.
    case playbackProgressed(HeardPosition)
    /// Everything that was handed to the playout queue has been heard and nothing waits in it.
    case playbackDrained
    /// The answer to ``PlaybackAction/flush(_:)``, at most 100 ms after it: how much of each flushed segment was heard.
    /// Segments heard in full or not at all may be left out: for them the last progress report counts.
    case flushCompleted(FlushID, heard: [HeardPosition])

    /// A tool body returned. Comes at most once per ``ToolAction/run(callID:name:arguments:)``, also after a time-out: then the body's thread is free again.
    case toolReturned(callID: String, output: String, isError: Bool)
    /// A tool body threw; `message` is safe to tell the model. As for ``toolReturned(callID:output:isError:)``.
    case toolThrew(callID: String, message: String)
    /// A running tool body tells how far it is. Ignored for calls that have ended.
    case toolProgressed(callID: String, note: String, isAloud: Bool)

    /// The picture of a call is ready to be sent. Comes at most once per ``PictureAction/prepare(_:_:)``; late ones are ignored.
    case pictureReady(OperationID, SessionPicture)
    /// The picture of a call cannot be sent.
    case pictureFailed(OperationID, PictureRefusal)

    /// What is known of the user, for the model; nil when nothing is. Comes once after ``MemoryAction/load``.
    case memoryLoaded(String?)
    /// The older turns are one summary now. Comes at most once per ``MemoryAction/compact(_:_:)``, as do the next two; late ones are
    /// ignored.
    case historySummarised(CompactionID, String)
    /// The app's own turns take the place of those that it was given.
    case historyCompacted(CompactionID, [Turn])
    /// There is no summary; it is asked for again later.
    case compactionFailed(CompactionID)

    /// A hook returned, or threw with a message.
    case hookEnded(SessionHook, errorMessage: String?)

    /// The machine slept and is awake again: for so long nothing ran and no clock of the session's counted.
    case machineResumed(after: Duration)
    /// The wall clock was set, or the machine slept: its milliseconds at the monotonic clock's zero are these now.
    case wallClockMoved(offsetMilliseconds: Int64)

    /// A timer set by ``TimerAction/schedule(_:at:)`` came due. Cancelled and early ones are ignored.
    case timerFired(SessionTimer)

    /// The device is gone; the driver sends this once until ``deviceReturned``.
    case deviceLost(DeviceLossReason)
    /// The device is back.
    case deviceReturned
    /// A toggle (`privacy_mode`, `audio_capture_enabled`, `listening_mode`) forbids the microphone from now on.
    case microphoneGateClosed
    /// The model's user has this device now. Comes first before the session starts, if the model is told of it at all.
    case deviceDescribed(DeviceDescription)
    /// No toggle forbids the microphone any more.
    case microphoneGateOpened
    /// Capture could not begin or ended by itself. The machine closes it and opens it again after a while.
    case microphoneFailed(code: String, message: String)
}

/// The waits of a session, each of which is at most once under way.
public enum SessionTimer: Sendable, Hashable, Codable {
    /// Nothing happened for the silence time-out.
    case silence
    /// The next connection attempt.
    case reconnect
    /// The longest time from opening a connection to the accepted session with its history.
    case connectionSetup(ConnectionID)
    /// The longest wait for the acknowledgement of replayed items.
    case replay(ConnectionID)
    /// The connection has lived long enough to count as good.
    case connectionGood(ConnectionID)
    /// The longest wait for the end of a connection that was closed by us.
    case teardown(ConnectionID)
    /// A tool call's time is up.
    case toolTimeout(callID: String)
    /// A cancelled tool body should have ended by now.
    case toolOverrun(callID: String)
    /// A `say`, `greet` or `sendText` waited too long for the provider.
    case operation(OperationID)
    /// The longest utterance.
    case utterance
    /// The longest time that an answer stands still for speech that has not interrupted it.
    case interruption
    /// The provider should have begun to answer the user's utterance by now.
    case serverAnswer
    /// A refused request for an answer is tried again.
    case answerRetry
    /// The running answers have sent nothing for too long.
    case answerStall
    /// The device should have come back by now.
    case deviceReturn
    /// A microphone that failed is opened again.
    case microphoneRetry
    /// The model is told that the device has changed.
    case deviceNote
    /// A call of `wake` that is still in line has waited too long.
    case wake(OperationID)
    /// A moment of the change to another connection before the provider ends this one.
    case rotation(RotationMark)
}
