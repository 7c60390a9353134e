import GlassesDomain
import GlassesRealtime
import GlassesRuntime
import Synchronization

/// Glasses for the tests of an app: a simulated device, a model that says what the test tells it to, and a clock that stands still.
///
/// The app's code gets ``glasses``, as it would get them from `Extentos.create`, and runs as it is: its tools, hooks and handlers, with the
/// real session between. No socket, no device, no model and no waiting: a whole conversation takes milliseconds. Each step waits for what
/// it needs and throws a ``ConversationFailure`` that names it; ``finish()`` throws for what nobody expected.
///
/// ```swift
/// @Test func aTimerIsSet() async throws {
///     let test = TestGlasses()
///     try await test.start { assistant in addTools(to: assistant, of: test.glasses) }
///     try await test.userSays("set a timer for ten seconds")
///     #expect(try await test.modelCalls("set_timer", ["seconds": 10]).output == "Timer set for 10 seconds.")
///     try await test.modelSays("Your timer is set.")
///     try await test.finish()
/// }
/// ```
///
/// Steps of one test are made one after another; tests run side by side.
public final class TestGlasses: Sendable {
    struct Storage {
        var requests = ModelRequests()
        var events: [AssistantEvent] = []
        var steps = 0
        var names = 0
        /// Whether the provider answers by itself, because the user spoke.
        var owesAnswer = false
        var session: (any AssistantSession)?
    }

    /// The clock; only the test moves it.
    public let clock = ManualClock()
    /// The device, which hears what the test lets it hear and keeps what was played.
    public let device: SimulatedDevice
    /// The provider behind the model, for what the steps do not cover.
    public let provider = ScriptedProvider(acknowledgesItems: true)
    /// What the app under test gets.
    public let glasses: any ExtentosGlasses
    let storage = Mutex(Storage())
    private let patience: Duration

    /// Glasses with `camera`, if the app uses one. `patience` is how long a step waits for the app in real time, 5 s without it: an app whose
    /// tool does not return then fails the test instead of hanging it.
    public init(
        camera: SimulatedCamera? = nil, config: ExtentosConfig = ExtentosConfig(), patience: Duration = .seconds(5)
    ) {
        self.patience = patience
        let device = SimulatedDevice(clock: clock.port, camera: camera)
        self.device = device
        let glasses = DefaultExtentosGlasses(
            config: config,
            ports: RuntimePorts(
                clock: clock.port, loadTransport: { .success(device) }, connector: provider.connector,
                speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { 1 }))
        self.glasses = glasses
        let events = glasses.runtime.events
        Task { [weak self] in
            for await case .assistant(let event) in events { self?.storage.withLock { $0.events.append(event) } }
        }
    }

    /// The assistant's events so far.
    public var events: [AssistantEvent] { storage.withLock { $0.events } }

    /// The conversation so far: what was said, done and heard.
    public var history: [Turn] { session?.conversationHistory(limit: 1_000) ?? [] }

    /// How many pictures the model was shown.
    public var picturesShown: Int {
        storage.withLock { storage in
            storage.requests.read(provider.connections.last)
            return storage.requests.pictures
        }
    }

    var session: (any AssistantSession)? { storage.withLock { $0.session } }

    // MARK: - Beginning and end

    /// Connects the device and starts a session, awake and without a greeting unless `configure` says otherwise. Throws what the session's
    /// `start()` throws. With `provider` `AssistantProvider.mock` the stand-in answers what the user says, and no step of
    /// the model makes sense.
    @discardableResult
    public func start(
        provider: AssistantProvider = .managed(), _ configure: (AssistantConfigBuilder) -> Void
    ) async throws -> any AssistantSession {
        let step = beginStep("start")
        if case .failure(let error) = await glasses.connect() {
            throw ConversationFailure(kind: .misuse, step: step, reason: error.description)
        }
        let session = try await glasses.assistant.start(provider: provider) { assistant in
            assistant.startActive = true
            assistant.greeting = .off
            configure(assistant)
        }
        storage.withLock { $0.session = session }
        if session.state.current == .active, !session.config.isMock {
            try await wait(step, "the microphone did not open") { device.simulatedMicrophone.isOpen }
        }
        return session
    }

    /// Ends the session and the glasses, and throws for an answer that the app asked for and the script did not give, and for messages
    /// that no provider understands.
    public func finish() async throws {
        let step = beginStep("finish")
        await settle()
        let left = storage.withLock { storage in
            storage.requests.read(provider.connections.last)
            return storage.requests.answers
        }
        let broken = provider.connections.reduce(0) { $0 + $1.undecodableCount }
        await glasses.shutdown()
        if let answer = left.first {
            let what = answer.text.map { "to say \"\($0)\"" } ?? "for an answer"
            throw ConversationFailure(
                kind: .unexpected, step: step,
                reason: "The app asked the model \(what), and no step of the script gave it.")
        }
        guard broken == 0 else {
            throw ConversationFailure(
                kind: .unexpected, step: step, reason: "The app sent \(broken) messages that no provider understands.")
        }
    }

    /// Lets time pass for the app: its timers, time-outs and the session's silence. Audio that is being spoken goes on.
    public func advance(by duration: Duration) async {
        let pieces = max(1, Int(duration / .milliseconds(20)))
        for _ in 0..<pieces {
            clock.advance(by: duration / pieces)
            await settle()
        }
    }

    // MARK: - Steps

    func beginStep(_ name: String) -> String {
        storage.withLock { storage in
            storage.steps += 1
            return "step \(storage.steps), \(name)"
        }
    }

    func newName(_ prefix: String) -> String {
        storage.withLock { storage in
            storage.names += 1
            return "\(prefix)_\(storage.names)"
        }
    }

    func say(_ event: ServerEvent) { provider.connections.last?.say(event) }

    /// Waits for what `condition` says, at most the kit's patience; the clock does not move meanwhile.
    func wait(_ step: String, _ reason: @autoclosure () -> String, for condition: () -> Bool) async throws {
        _ = try await wait(step, reason()) { condition() ? () : nil }
    }

    func wait<Value>(
        _ step: String, _ reason: @autoclosure () -> String, for value: () -> Value?
    ) async throws -> Value {
        let end = ContinuousClock.now.advanced(by: patience)
        repeat {
            if let value = value() { return value }
            await settle()
        } while ContinuousClock.now < end
        if let value = value() { return value }
        throw ConversationFailure(kind: .missing, step: step, reason: reason())
    }

    /// Gives the runtime's threads a moment.
    func settle() async {
        // A test that was cancelled ends at its next step.
        do { try await Task.sleep(for: .microseconds(200)) } catch { return }
    }
}

extension AssistantConfig {
    /// Whether a stand-in answers, to which nobody listens by a microphone.
    var isMock: Bool { if case .mock = provider { true } else { false } }
}
