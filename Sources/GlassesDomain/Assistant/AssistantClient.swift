import Foundation

/// The voice assistant: at most one live session per glasses instance.
public protocol AssistantClient: AnyObject, Sendable {
    /// Builds a configuration, creates a session and starts it. Throws ``AssistantError/alreadyActive`` when another session
    /// lives, and what ``AssistantSession/start()`` throws. The client keeps the session: dropping the result does not end it.
    @discardableResult
    func start(
        provider: AssistantProvider, _ configure: (AssistantConfigBuilder) -> Void
    ) async throws -> any AssistantSession
    /// A session that does nothing until its `start()`.
    func createSession(config: AssistantConfig) -> any AssistantSession
    /// Stops the live session, if there is one, within 2.5 s.
    func stop() async
    /// The live session.
    var activeSession: (any AssistantSession)? { get }
}

/// One life of the assistant: it starts, wakes and sleeps any number of times, and stops once.
///
/// Every member may be called from any task, also from a tool body, a hook or an event handler. `start`, `wake`, `sleep` and
/// `stop` are carried out in the order of their calls, except that `stop` overtakes.
public protocol AssistantSession: AnyObject, Sendable {
    /// What the session was created with.
    var config: AssistantConfig { get }
    /// Where the session stands.
    var state: any ObservableState<AssistantState> { get }
    /// Makes the session ready (`dormant`), and wakes it if `startActive` is set. Does nothing on a started session. Throws
    /// ``AssistantConfigError`` and ``ToolRegistrationError`` for values and tools that cannot be meant,
    /// ``AssistantError/alreadyActive``, ``AssistantError/sessionEnded`` and what ``wake()`` throws.
    func start() async throws
    /// Opens the connection and the microphone, within 10 s. Does nothing when awake. Throws ``AssistantError/notReady`` before
    /// `start()`, ``AssistantError/sessionEnded`` after `stop()`, and ``AssistantError/networkError(cause:)`` when it cannot connect;
    /// the session is then dormant and can be woken again.
    func wake() async throws
    /// Closes the connection and the microphone; history and tools stay. Does nothing when dormant. Throws
    /// ``AssistantError/sessionEnded`` after `stop()`.
    func sleep() async throws
    /// Ends the session within 2.5 s, whatever it was doing.
    func stop() async
    /// Says exactly `text`, outside the conversation. Returns when the provider has accepted it. Throws
    /// ``AssistantError/notReady``, ``AssistantError/sessionEnded`` and ``AssistantError/providerError(code:message:)``.
    func say(_ text: String) async throws
    /// Says exactly `text` as ``say(_:)`` does; with `interruptible` false the user's voice does not cut it, nor what plays before
    /// it. `cancelSpeak()` does. An addition of this runtime.
    func say(_ text: String, interruptible: Bool) async throws
    /// The user's turn begins: an answer is cut, and from here on the provider hears the microphone. For sessions with
    /// ``AssistantConfig/turnTaking`` `.pushToTalk`. Does nothing in a turn, which ends by itself after 120 s. Throws
    /// ``AssistantError/notReady``, ``AssistantError/sessionEnded``, and ``AssistantError/providerError(code:message:)`` with the
    /// codes `turn_taking_automatic` and `microphone_unavailable`. An addition of this runtime, as the next two.
    func beginTurn() async throws
    /// The user's turn ends and is answered. Returns when the provider has taken it; without a connection, when it is kept for the next
    /// one. Does nothing outside a turn. Throws as ``beginTurn()``, ``AssistantError/networkError(cause:)`` when the provider does not
    /// take the turn within 5 s, and its own refusal, as for less than 100 ms of sound (`input_audio_buffer_commit_empty`).
    func endTurn() async throws
    /// Takes the user's turn back: nothing of it is kept or answered. Does nothing outside a turn.
    func cancelTurn() async
    /// Greets afresh by `prompt`, nil meaning the session's own greeting, outside the conversation. Throws as ``say(_:)``.
    func greet(_ prompt: String?) async throws
    /// Adds `text` as a typed turn of the user and asks for its answer. Returns when the provider has taken the turn. Throws as
    /// ``say(_:)``; the mock provider takes it while dormant too. An addition of this runtime.
    func sendText(_ text: String) async throws
    /// Gives the model a picture for its next answer, with `prompt` as the user's words about it; asks for no answer itself. In a tool
    /// body the answer to the tool's result sees it.
    ///
    /// `uri` is a `file:` URL or a path (a regular file of at most 32 MiB; what it is, its bytes say), a base64 `data:` URL, or an
    /// `http(s):` URL of at most 8 KiB, which the provider follows. A JPEG is made upright, freed of what its file says of place and
    /// camera, and scaled to what models use: 1024 pixels, 512 KiB as a data URL. Other formats pass unscaled within that limit. The
    /// conversation keeps the newest two pictures; older ones become words, here and at the provider.
    ///
    /// Returns when the provider has taken the picture; while reconnecting, that is after the connection is back. Throws as
    /// ``say(_:)``, with the codes `include_image_unsupported_uri` (it cannot be read as a picture), `picture_undecodable`,
    /// `picture_too_large` and `message_too_big`; an event of the same kind tells it too. Where the model on this machine cannot see, the
    /// event `vision_unsupported` says so once.
    func includeImage(uri: String, prompt: String?) async throws
    /// Shows the model one frame of live video: a JPEG, scaled to 512 pixels.
    ///
    /// At most one frame a second is sent, the rest is dropped, and so are frames that the provider is too slow for. Where the model
    /// sees no video, the event `video_input_unsupported` says so once and the frames are dropped. Throws
    /// ``AssistantError/notReady`` unless the session is active, and ``AssistantError/providerError(code:message:)`` for a frame that
    /// is no picture.
    func sendVideoFrame(_ jpegBytes: Data, mimeType: String) async throws
    /// Whether the session's model looks at live video; known by the model's name, false for one that is not known.
    var modelSupportsVideoInput: Bool { get }
    /// Tells the model from now on to behave like this, in the place of the instructions so far. Returns when the provider has taken it, and
    /// throws as ``say(_:)``; what was refused stays as it was. Later connections of this session have it too.
    func updateInstructions(_ instructions: String) async throws
    /// Lets the model think this much from now on; without effect on models that do not reason. Returns and throws as
    /// ``updateInstructions(_:)``.
    func setReasoningEffort(_ effort: ReasoningEffort) async throws
    /// Speaks with another voice. A voice that has spoken is changed by a new connection only, so it changes at the next quiet moment: the
    /// conversation goes on, and the event `reconnected` tells it. Returns at once. Throws ``AssistantError/notReady`` and
    /// ``AssistantError/sessionEnded``.
    func setVoice(_ voice: String) async throws
    /// Answers with another model, as ``setVoice(_:)``; ``modelSupportsVideoInput`` and what is sent of ``setReasoningEffort(_:)`` follow.
    func setModel(_ model: String) async throws
    /// Ends the answer that is being made or played, at once; does nothing without one.
    func cancelSpeak() async
    /// How loud the assistant's voice is that is audible now: root mean square, 0…1, 25 times a second on the clock of the
    /// loudspeaker. Values come between `assistantAudioStarted` and `assistantAudioFinished` only, 0 while nothing of the turn is
    /// heard; the last one of a turn is 0, also of one that is cut short. A slow reader keeps the newest 8.
    ///
    /// Nothing is measured while nobody reads. A stream may be made before `start()`; it ends with the session.
    func audioLevels() -> AsyncStream<Float>
    /// The newest `limit` turns, oldest first; empty before `start()` and after `stop()`.
    func conversationHistory(limit: Int) -> [Turn]
    /// Forgets all turns. The provider's own conversation changes with the next connection.
    func clearHistory()
    /// Adds a turn at the end, as ``clearHistory()`` does.
    func appendHistory(_ turn: Turn)
    /// Replaces all turns, as ``clearHistory()`` does.
    func replaceHistory(_ turns: [Turn])
}

extension AssistantSession {
    /// False.
    public var modelSupportsVideoInput: Bool { false }
    /// Shows the model one frame of live video, a JPEG.
    public func sendVideoFrame(_ jpegBytes: Data) async throws {
        try await sendVideoFrame(jpegBytes, mimeType: "image/jpeg")
    }
    /// Gives the model a picture without words about it.
    public func includeImage(uri: String) async throws { try await includeImage(uri: uri, prompt: nil) }
    /// Greets afresh by the session's own greeting.
    public func greet() async throws { try await greet(nil) }
    /// The newest 100 turns, oldest first.
    public func conversationHistory() -> [Turn] { conversationHistory(limit: 100) }
}
