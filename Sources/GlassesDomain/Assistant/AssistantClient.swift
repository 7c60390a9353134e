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
    /// Greets afresh by `prompt`, nil meaning the session's own greeting, outside the conversation. Throws as ``say(_:)``.
    func greet(_ prompt: String?) async throws
    /// Adds `text` as a typed turn of the user and asks for its answer. Returns when the provider has taken the turn. Throws as
    /// ``say(_:)``. An addition of this runtime.
    func sendText(_ text: String) async throws
    /// Ends the answer that is being made or played, at once; does nothing without one.
    func cancelSpeak() async
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
    /// Greets afresh by the session's own greeting.
    public func greet() async throws { try await greet(nil) }
    /// The newest 100 turns, oldest first.
    public func conversationHistory() -> [Turn] { conversationHistory(limit: 100) }
}
