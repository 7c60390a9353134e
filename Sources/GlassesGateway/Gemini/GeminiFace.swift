import GlassesAudio
import GlassesDomain
import GlassesPipeline
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A client of Gemini Live and a session of the pipeline, which take each other for a client and a server of their own protocol:
/// the receiver of the client's socket, and the channel of a ``PipelineSession``.
///
/// Both sides are translated in the call that brings a message; nothing waits here, so either holds the other back as without it.
final class GeminiFace: WebSocketReceiver, WebSocketChannel {
    private struct State: ~Copyable {
        var machine = GeminiServerMachine()
        var session: PipelineSession?
        /// Brings the client's audio to the session's rate.
        var resampler: Resampler?
        var isClosed = false
        var deadlines: [Task<Void, Never>] = []
    }

    private static let sessionRate = 24_000
    /// From the open socket to the setup.
    private static let setupLimit = Duration.seconds(10)
    /// How long before its end a session is told of it.
    private static let farewell = Duration.seconds(60)

    private let client: any WebSocketChannel
    private let record: SessionRecord
    private let gateway: GatewayParts
    /// What a client secret configures the session with.
    private let granted: SessionUpdate?
    private let state = Mutex(State())

    init(client: any WebSocketChannel, record: SessionRecord, gateway: GatewayParts, granted: SessionUpdate?) {
        self.client = client
        self.record = record
        self.gateway = gateway
        self.granted = granted
    }

    /// Closes a client that does not say what it wants.
    func awaitSetup() {
        after(Self.setupLimit) { face in
            guard face.state.withLock({ $0.session == nil }) else { return }
            face.client.close(code: 1_008, reason: "Send setup at once.")
        }
    }

    private func after(_ wait: Duration, _ body: @escaping @Sendable (GeminiFace) -> Void) {
        let clock = gateway.clock
        let end = clock.now().advanced(by: wait)
        let task = Task { [weak self] in
            do { try await clock.sleepUntil(end) } catch { return }  // cancelled: the socket has closed
            if let self { body(self) }
        }
        let isClosed = state.withLock { state in
            state.deadlines.append(task)
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    // MARK: - The client's side, on the server's loop

    func received(_ message: RealtimeMessage) {
        let bytes =
            switch message {
            case .text(let bytes), .binary(let bytes): bytes
            }
        let decoded: GeminiClientMessage
        do {
            decoded = try GeminiCodec.decodeClient(bytes)
        } catch {
            return client.close(code: 1_007, reason: Self.reason(error.message))
        }
        apply(.message(decoded))
    }

    func drained() { state.withLock { $0.session }?.drained() }

    func closed(_ closure: ConnectionClosure) {
        let (session, deadlines) = state.withLock { state in
            state.isClosed = true
            defer { state.session = nil }
            return (state.session, state.deadlines)
        }
        for deadline in deadlines { deadline.cancel() }
        if let session { session.closed(closure) } else { gateway.registry.end(record, closeCode: closure.closeCode) }
    }

    // MARK: - The session's side

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return .refused }
        do {
            return apply(.event(try RealtimeCodec.decodeServerEvent(bytes).event))
        } catch {
            // The session's own events can be read; one that cannot is passed over rather than end the conversation.
            return .refused
        }
    }

    func close(code: UInt16, reason: String) { client.close(code: code, reason: Self.reason(reason)) }
    func pauseReading() { client.pauseReading() }
    func resumeReading() { client.resumeReading() }
    var waitingBytes: Int { client.waitingBytes }

    // MARK: - Both

    /// Applies what happened. The session is spoken to under the lock, so that what it gets keeps its order; it only takes
    /// messages into a queue.
    @discardableResult
    private func apply(_ input: GeminiServerMachine.Input) -> UplinkOutcome {
        var begun: PipelineSession?
        let outcome = state.withLock { state in
            var outcome = UplinkOutcome.accepted
            for action in state.machine.apply(input, at: gateway.clock.now()) {
                switch action {
                case .begin(let model, let update): begun = begin(model, update, &state)
                case .send(let event): give(event, &state)
                case .append(let blob): append(blob, &state)
                case .deliver(let message):
                    if client.send(.text(GeminiCodec.encode(message)), lane: .control) == .refused {
                        outcome = .refused
                    }
                case .close(let code, let reason): client.close(code: code, reason: Self.reason(reason))
                }
            }
            return outcome
        }
        if let begun { start(begun) }
        return outcome
    }

    private func begin(_ model: String, _ update: SessionUpdate, _ state: inout State) -> PipelineSession? {
        guard case .pipeline(let name)? = gateway.catalog.destination(of: model.isEmpty ? nil : model) else {
            client.close(code: 1_008, reason: "This gateway serves no such model here.")
            return nil
        }
        switch gateway.pipelineSession(model: name, granted) {
        case .failure(let error):
            client.close(code: 1_008, reason: Self.reason(error.message))
            return nil
        case .success(var session):
            session.expiresAt = gateway.admissions.unixTime + Int(gateway.sessionLength.seconds)
            let served = PipelineSession(
                channel: self, connection: gateway.pipeline.open(session), record: record, registry: gateway.registry)
            state.session = served
            give(.sessionUpdate(update), &state)
            return served
        }
    }

    private func start(_ session: PipelineSession) {
        session.start(length: gateway.sessionLength, clock: gateway.clock)
        guard gateway.sessionLength > Self.farewell else { return }
        let leftMs = Int(Self.farewell.seconds * 1_000)
        after(gateway.sessionLength - Self.farewell) { $0.apply(.ending(leftMs: leftMs)) }
    }

    private func give(_ event: ClientEvent, _ state: inout State) {
        state.session?.received(.text(RealtimeCodec.encode(event)))
    }

    private func append(_ blob: GeminiBlob, _ state: inout State) {
        let rate = blob.pcmRate(standard: 16_000) ?? 16_000
        let samples = PCMBlock.samples(littleEndian: blob.data)
        do {
            if state.resampler?.inputRate != rate {
                state.resampler = try Resampler(inputRate: rate, outputRate: Self.sessionRate)
            }
        } catch {
            return client.close(code: 1_007, reason: Self.reason(error.description))
        }
        guard let converted = state.resampler?.process(samples) else { return }
        state.session?.received(.text(RealtimeCodec.inputAudioAppend(samples: converted[...])))
    }

    /// A close frame has room for 123 bytes.
    private static func reason(_ text: String) -> String {
        var reason = text
        while reason.utf8.count > 123 { reason.removeLast() }
        return reason
    }
}
