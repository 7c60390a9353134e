import Foundation
import GlassesDomain
import GlassesTesting
@_spi(ExtentosTools) import GlassesRuntime
import Synchronization

@_spi(ExtentosTools) @testable import GlassesCore

/// A real session at a real gateway, on a simulated device that runs by the real clock.
final class LiveSession: Sendable {
    private struct Storage {
        var events: [AssistantEvent] = []
        var states: [AssistantState] = []
    }

    let device: SimulatedDevice
    let glasses: DefaultExtentosGlasses
    let session: any AssistantSession
    let microphone: MicrophoneFeed
    private let storage = Mutex(Storage())

    /// Connects the device, and starts and wakes a session over `connector`; without `starts` it stays idle.
    init(
        _ connector: RealtimeConnector, model: String? = nil, starts: Bool = true,
        _ configure: (AssistantConfigBuilder) -> Void = { _ in }
    ) async throws {
        let device = SimulatedDevice(clock: LiveClock.port)
        self.device = device
        glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(logLevel: .warn),
            ports: RuntimePorts(
                clock: LiveClock.port, loadTransport: { .success(device) }, connector: connector,
                speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }),
                seed: { UInt64.random(in: .min ... .max) }))
        microphone = MicrophoneFeed(device.simulatedMicrophone)
        _ = await glasses.connect()
        let builder = AssistantConfigBuilder(provider: .managed(model: model))
        builder.startActive = true
        builder.greeting = .off
        builder.neverSleep()
        configure(builder)
        session = glasses.assistant.createSession(config: builder.config)
        let (states, events) = (session.state.stream, glasses.runtime.events)
        Task { [weak self] in
            for await state in states { self?.storage.withLock { $0.states.append(state) } }
        }
        Task { [weak self] in
            for await case .assistant(let event) in events { self?.storage.withLock { $0.events.append(event) } }
        }
        if starts { try await session.start() }
    }

    /// The states so far, the first included.
    var states: [AssistantState] { storage.withLock { $0.states } }
    /// The assistant's events so far.
    var events: [AssistantEvent] { storage.withLock { $0.events } }

    /// Whether the assistant is heard.
    var isAudible: Bool {
        events.count { $0 == .assistantAudioStarted } > events.count { $0 == .assistantAudioFinished }
    }

    /// The history as it is compared.
    var history: [HistoryEntry] {
        get throws { try HistoryEntry.entries(session.conversationHistory(limit: 1_000)) }
    }

    /// Ends the session and everything around it.
    func end() async {
        await session.stop()
        await glasses.shutdown()
        microphone.stop()
    }

    /// Waits until `condition` holds, `limit` at most; whether it does.
    static func until(_ limit: Duration, _ condition: () throws -> Bool) async rethrows -> Bool {
        let end = ContinuousClock.now + limit
        while try !condition() {
            guard ContinuousClock.now < end else { return try condition() }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return try condition() }
        }
        return true
    }
}

/// Feeds a simulated microphone in real time, 20 ms at a time: what is to be spoken, and silence between.
final class MicrophoneFeed: Sendable {
    private struct Storage {
        var waiting: ArraySlice<Int16> = []
        var background: @Sendable () -> Int16 = { 0 }
        var isStopped = false
    }

    private let storage = Mutex(Storage())

    init(_ microphone: SimulatedMicrophone) {
        let count = microphone.sampleRate / 50
        Thread.detachNewThread { [self] in
            var due = ContinuousClock.now
            while let block = next(count) {
                microphone.hear(block)
                due += .milliseconds(20)
                let pause = ContinuousClock.now.duration(to: due)
                if pause > .zero { usleep(useconds_t(pause.wholeMilliseconds * 1_000)) }
            }
        }
    }

    /// Speaks these samples from now on, after what still waits.
    func speak(_ samples: [Int16]) { storage.withLock { $0.waiting += samples } }

    /// Whether something is still to be spoken.
    var isSpeaking: Bool { storage.withLock { !$0.waiting.isEmpty } }

    /// What is heard while nobody speaks: samples of the value that is asked for before each block.
    func setBackground(_ value: @escaping @Sendable () -> Int16) { storage.withLock { $0.background = value } }

    /// Feeds nothing any more.
    func stop() { storage.withLock { $0.isStopped = true } }

    private func next(_ count: Int) -> [Int16]? {
        storage.withLock { storage in
            guard !storage.isStopped else { return nil }
            let spoken = Array(storage.waiting.prefix(count))
            storage.waiting = storage.waiting.dropFirst(count)
            return spoken + [Int16](repeating: storage.background(), count: count - spoken.count)
        }
    }
}
