import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// Glasses on a simulated device, a scripted provider and a clock that the test moves.
final class SessionHarness: Sendable {
    /// What lies between the session and the provider.
    enum Wire: CaseIterable, Sendable {
        case memory
        /// A WebSocket on the loopback interface.
        case socket
    }

    let clock: ManualClock
    let provider: ScriptedProvider
    let server: ScriptedGateway?
    let device: SimulatedDevice
    let glasses: DefaultExtentosGlasses
    private let seen = Mutex<[AssistantEvent]>([])
    private let logged = Mutex<[String]>([])

    init(
        canCompose: Bool = true, microphoneRate: Int = 16_000, speakerRate: Int = 24_000, logLevel: LogLevel = .warn,
        interceptors: [any ExtentosInterceptor] = [], appCode: AppCodeThreads = .shared, server: ScriptedGateway? = nil,
        provider: ScriptedProvider? = nil, pictureFiles: PictureFilePort = .none,
        pictureCoder: (any PictureCoder)? = nil, clock: ManualClock = ManualClock(), connector: RealtimeConnector? = nil
    ) {
        self.clock = clock
        self.provider = server?.provider ?? provider ?? ScriptedProvider(canCompose: canCompose)
        self.server = server
        device = SimulatedDevice(clock: clock.port, microphoneRate: microphoneRate, speakerRate: speakerRate)
        let device = device
        var ports = RuntimePorts(
            clock: clock.port, loadTransport: { .success(device) },
            connector: connector ?? server?.connector ?? self.provider.connector,
            speech: SpeechEngines(speechToText: { nil }, textToSpeech: { nil }), seed: { 42 })
        ports.pictureFiles = pictureFiles
        ports.media.pictures = pictureCoder
        glasses = DefaultExtentosGlasses(
            config: ExtentosConfig(logLevel: logLevel, interceptors: interceptors), ports: ports, appCode: appCode)
        let events = glasses.runtime.events
        Task { [weak self] in
            for await event in events {
                switch event {
                case .assistant(let event): self?.seen.withLock { $0.append(event) }
                case .log(_, let message, _): self?.logged.withLock { $0.append(message) }
                case .toggleChanged: break
                }
            }
        }
    }

    /// A harness whose provider is in memory or behind a socket.
    static func over(_ wire: Wire, logLevel: LogLevel = .warn) throws -> SessionHarness {
        switch wire {
        case .memory: SessionHarness(logLevel: logLevel)
        case .socket: SessionHarness(logLevel: logLevel, server: try ScriptedGateway(serving: ScriptedProvider()))
        }
    }

    /// The assistant's events so far.
    var events: [AssistantEvent] { seen.withLock { $0 } }
    /// The messages of the log lines so far.
    var logLines: [String] { logged.withLock { $0 } }
    /// The newest connection.
    var connection: ScriptedConnection? { provider.connections.last }

    /// A started, awake session on a connected device.
    func awake(_ configure: (inout AssistantConfig) -> Void = { _ in }) async throws -> any AssistantSession {
        _ = await glasses.connect()
        var config = AssistantConfig(provider: .managed())
        config.startActive = true
        config.greeting = .off
        configure(&config)
        let session = glasses.assistant.createSession(config: config)
        try await session.start()
        await eventually("the microphone opens") { device.simulatedMicrophone.isOpen }
        return session
    }

    /// Moves the clock in steps of 10 ms, letting the runtime work in between.
    func run(_ duration: Duration, until condition: () -> Bool = { false }) async {
        for _ in 0..<max(1, Int(duration.wholeMilliseconds / 10)) {
            if condition() { return }
            clock.advance(by: .milliseconds(10))
            for _ in 0..<3 { await pause() }
        }
    }

    /// The provider speaks an answer: `milliseconds` of a tone in deltas of 100 ms.
    func speakAnswer(_ id: String, item: String, transcript: String, milliseconds: Int, finish: Bool = true) {
        guard let connection else { return }
        beginAnswer(id, item: item)
        let place = PartReference(responseId: id, itemId: item)
        connection.say(.responseOutputAudioTranscriptDelta(OutputText(place: place, text: transcript)))
        for start in stride(from: 0, to: milliseconds, by: 100) {
            let length = min(100, milliseconds - start)
            connection.say(.responseOutputAudioDelta(OutputAudio(place: place, audio: Self.tone(milliseconds: length))))
        }
        if finish { finishAnswer(id, item: item, transcript: transcript) }
    }

    /// `response.created` and the answer's item.
    func beginAnswer(_ id: String, item: String) {
        connection?.say(.responseCreated(RealtimeResponse(id: id, status: .inProgress, conversationId: "conv")))
        let message = ConversationItem(
            id: item, status: .inProgress, body: .message(MessageItem(role: .assistant, content: [])))
        connection?.say(.responseOutputItemAdded(OutputItem(responseId: id, item: message)))
        connection?.say(.conversationItemAdded(ItemPlacement(item: message, previousItemId: nil)))
    }

    /// The ends of an answer.
    func finishAnswer(_ id: String, item: String, transcript: String) {
        let place = PartReference(responseId: id, itemId: item)
        connection?.say(.responseOutputAudioDone(OutputAudioDone(place: place)))
        connection?.say(.responseOutputAudioTranscriptDone(OutputText(place: place, text: transcript)))
        connection?.say(.responseDone(RealtimeResponse(id: id, status: .completed, conversationId: "conv")))
    }

    /// The user begins to speak, by the provider's word.
    func userSpeaks(item: String = "user_1") {
        connection?.say(.inputAudioBufferSpeechStarted(SpeechStarted(itemId: item, audioStartMs: 0)))
    }

    /// The provider hears the end of what the user says.
    func userStops(item: String = "user_1") {
        connection?.say(.inputAudioBufferSpeechStopped(SpeechStopped(itemId: item, audioEndMs: 500)))
        connection?.say(.inputAudioBufferCommitted(BufferCommitted(itemId: item, previousItemId: nil)))
    }

    /// The provider calls a tool and ends its answer.
    func callTool(_ name: String, arguments: String, call: String, response: String) {
        callTools([(name, arguments, call)], response: response)
    }

    /// The provider calls several tools in one answer: name, arguments, call id.
    func callTools(_ calls: [(name: String, arguments: String, id: String)], response: String) {
        connection?.say(.responseCreated(RealtimeResponse(id: response, status: .inProgress, conversationId: "conv")))
        let items = calls.map { call in
            ConversationItem(
                id: "item_\(call.id)", status: .completed,
                body: .functionCall(FunctionCallItem(name: call.name, arguments: call.arguments, callId: call.id)))
        }
        for (index, item) in items.enumerated() {
            connection?.say(.responseOutputItemDone(OutputItem(responseId: response, outputIndex: index, item: item)))
        }
        connection?.say(
            .responseDone(RealtimeResponse(id: response, status: .completed, output: items, conversationId: "conv")))
    }

    /// The provider says that speech does not interrupt its answers.
    func serverStopsInterrupting() {
        guard let connection else { return }
        var session = connection.session
        session.input.turnDetection = .serverVAD(ServerVAD(interruptResponse: false))
        connection.say(.sessionUpdated(session))
    }

    /// The provider speaks `audio` as part of an answer.
    func sendAudio(_ response: String, item: String, _ audio: [UInt8]) {
        let place = PartReference(responseId: response, itemId: item)
        connection?.say(.responseOutputAudioDelta(OutputAudio(place: place, audio: audio)))
    }

    /// What the client sent on the newest connection.
    var sent: [ClientEvent] { connection?.sent ?? [] }

    /// Where the client cut items.
    var truncations: [ItemTruncation] {
        sent.compactMap { if case .conversationItemTruncate(let truncation) = $0 { truncation } else { nil } }
    }

    /// How often the client asked for an answer.
    var responseRequests: Int { sent.count { if case .responseCreate = $0 { true } else { false } } }

    /// Whether an interrupted answer has been settled: what was heard of it is known.
    var cutIsDecided: Bool { !truncations.isEmpty || events.contains(.assistantAudioFinished) }

    /// The provider restarts: its connection ends, and the next one is a new session.
    func dropConnection() {
        connection?.drop(ConnectionClosure(code: "closed", message: "The service restarts.", closeCode: 1012))
    }

    /// Ends the session and whatever carried it.
    func end(_ session: any AssistantSession) async {
        await session.stop()
        await server?.stop()
    }

    /// A 440 Hz tone at 24 kHz as bytes.
    static func tone(milliseconds: Int) -> [UInt8] {
        let samples = (0..<24 * milliseconds).map { Int16(8000 * sin(Double($0) * 2 * .pi * 440 / 24_000)) }
        return PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes
    }

    /// The outputs that the client sent for calls, by call id.
    var toolOutputs: [(call: String, output: String)] {
        (connection?.sent ?? []).compactMap { event in
            guard case .conversationItemCreate(let creation) = event,
                case .functionCallOutput(let output) = creation.item.body
            else { return nil }
            return (output.callId, output.output)
        }
    }
}
