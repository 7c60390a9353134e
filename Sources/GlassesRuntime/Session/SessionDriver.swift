import GlassesAssistant
import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// The effects of one assistant session: takes an input, applies it to the machine and starts the actions. Every outcome comes back
/// as another input; nothing here waits for a send, a tool or a device.
actor SessionDriver {
    /// What the driver works on.
    struct Ports: Sendable {
        var connector: RealtimeConnector
        var microphone: MicrophoneHub
        var output: PlaybackOutput
        var clock: ClockPort
        var events: EventLog
        /// Where tool bodies run.
        var appCode = AppCodeThreads.shared
    }

    nonisolated let executor = SerialQueueExecutor(name: "session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let history: PublishedHistory
    nonisolated let state = ObservableBox<AssistantState>(.idle)
    nonisolated let settings: SessionSettings
    private nonisolated let mailbox = SessionMailbox()
    private nonisolated let uplink = Uplink()

    private let ports: Ports
    private let config: AssistantConfig
    private let onRelease: @Sendable () -> Void
    private weak var session: (any AssistantSession)?
    private var machine: SessionMachine
    private let microphoneOrders = OperationChain()
    private let microphone = OpenMicrophone()

    private var operations = 0
    private var waiting: [OperationID: CheckedContinuation<OperationOutcome, Never>] = [:]
    private var attempts: [ConnectionID: Task<Void, Never>] = [:]
    private var connections: [ConnectionID: any RealtimeConnection] = [:]
    private var running = RunningTasks()
    private var received: (segment: SegmentID, samples: [Int16])?
    private var splitSamples: [SegmentID: UInt8] = [:]
    private var playing: Set<SegmentID> = []

    init(config: AssistantConfig, ports: Ports, seed: UInt64, onRelease: @escaping @Sendable () -> Void) {
        self.config = config
        self.ports = ports
        self.onRelease = onRelease
        settings = SessionSettings(config: config, connector: ports.connector, clock: ports.clock, seed: seed)
        history = PublishedHistory(cap: settings.machine.historyCap)
        machine = SessionMachine(configuration: settings.machine)
        let letters = mailbox.letters
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            for await letter in letters { await self?.open(letter) }
        }
    }

    /// A driver that is dropped without a stop leaves nothing running or open.
    deinit {
        mailbox.finish()
        uplink.stop()
        running.cancelAll()
        for attempt in attempts.values { attempt.cancel() }
        for connection in connections.values { connection.close(code: 1001, reason: "") }
        let (hub, microphone) = (ports.microphone, microphone)
        microphoneOrders.add { await microphone.release(to: hub) }
    }

    /// How many timers, tool bodies and hooks run.
    var runningCount: Int { running.count }

    /// Sets the session that hooks get; once, before it starts.
    func adopt(_ session: any AssistantSession) { self.session = session }

    /// Hands in a fact; callable on any thread, returns at once, keeps the order of one caller's facts.
    nonisolated func post(_ input: SessionInput) { deliver(.input(input)) }

    /// Hands in an edit of the history that the app sees already.
    nonisolated func postEdit(_ input: SessionInput) { deliver(.edit(input)) }

    private nonisolated func deliver(_ letter: SessionMailbox.Letter) {
        guard !mailbox.add(letter) else { return }
        // The machine never gets the edit, so its turns count again.
        if case .edit = letter { history.editApplied() }
        ports.events.log(.error, "session.mailbox_full")
    }

    private func open(_ letter: SessionMailbox.Letter) {
        mailbox.taken()
        switch letter {
        case .input(.playbackDrained):
            // Audio that came while this letter waited is not heard yet; its own letter follows.
            if !ports.output.isVoiceLive { apply(.playbackDrained) }
        case .input(let input): apply(input)
        case .edit(let input):
            history.editApplied()
            apply(input)
        case .ended(let ticket, let input):
            running.ended(ticket)
            apply(input)
        }
    }

    /// Carries out an operation of the app and waits for its one ending.
    func perform(_ operation: SessionOperation) async -> OperationOutcome {
        operations += 1
        let id = OperationID(operations)
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            apply(.operationRequested(id, operation))
        }
    }

    /// Tells the app what was wrong with the configuration.
    func reportProblems() {
        for problem in settings.problems {
            ports.events.emit(.assistant(.error(kind: "invalid_configuration", message: problem)))
        }
    }

    private func apply(_ input: SessionInput) {
        for action in machine.apply(input, at: ports.clock.now()) { start(action) }
        received = nil
    }
}

// MARK: - Actions

extension SessionDriver {
    private func start(_ action: SessionAction) {
        switch action {
        case .send(let command, let connection): send(command, on: connection)
        case .playback(let action): start(action)
        case .tool(let action): start(action)
        case .connection(let action): start(action)
        case .timer(let action): start(action)
        case .microphone(let action): start(action)
        case .hook(let action): start(action)
        case .enter(let state): self.state.set(state)
        case .notify(let event): ports.events.emit(.assistant(event))
        case .publishHistory(let turns): history.publish(turns)
        case .finish(let operation, let outcome): waiting.removeValue(forKey: operation)?.resume(returning: outcome)
        case .releaseSlot: onRelease()
        case .diagnose(let diagnostic): log(diagnostic)
        }
    }

    private func send(_ command: SessionCommand, on id: ConnectionID) {
        let event = WireCommands.event(for: command, update: settings.update)
        // A refused send is that connection's end, which reports itself.
        _ = connections[id]?.send(.text(RealtimeCodec.encode(event)), lane: .control)
    }

    private func start(_ action: PlaybackAction) {
        switch action {
        case .playReceivedAudio(let segment):
            guard let received, received.segment == segment else { return }
            playing.insert(segment)
            if !ports.output.play(received.samples, of: PlayoutSegmentID(segment)) {
                ports.events.log(.warn, "playback.refused", ["samples": .int(Int64(received.samples.count))])
                // Nothing will report the end of audio that is not played, and the turn must end.
                post(.playbackDrained)
            }
        case .flush(let id):
            playing = []
            let output = ports.output
            Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                let heard = await output.cutVoice()
                self?.post(.flushCompleted(id, heard: heard.map(HeardPosition.init)))
            }
        }
    }

    private func start(_ action: TimerAction) {
        switch action {
        case .cancel(let timer): running.cancel(.timer(timer))
        case .schedule(let timer, let moment):
            let clock = ports.clock
            running.start(.timer(timer)) { ticket in
                Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                    do {
                        try await clock.sleepUntil(moment)
                    } catch {
                        return  // Cancelled: the machine has forgotten the timer.
                    }
                    self?.deliver(.ended(ticket, .timerFired(timer)))
                }
            }
        }
    }

    private func start(_ action: HookAction) {
        switch action {
        case .cancelAll: running.cancelHooks()
        case .run(let hook):
            let body = hook == .onWake ? config.onWake : config.onSleep
            guard let body, let session else { return post(.hookEnded(hook, errorMessage: nil)) }
            running.start(hook) { ticket in
                AppCode.run(hook: body, session: session) { [weak self] in
                    self?.deliver(.ended(ticket, .hookEnded(hook, errorMessage: $0)))
                }
            }
        }
    }

    private func start(_ action: ToolAction) {
        switch action {
        case .cancel(let callID): running.cancel(.body(callID: callID))
        case .run(let callID, let name, let arguments):
            guard let tool = settings.tools[name] else {
                return post(.toolThrew(callID: callID, message: "\(name) is not registered"))
            }
            let threads = ports.appCode
            guard threads.reserve() else {
                // Another session's bodies hold the threads, of which this session's machine knows nothing.
                let count = AppCodeThreads.threadCount
                let sentence = "\(name) was not run: busy, \(count) tools are running. Try again later."
                return post(.toolReturned(callID: callID, output: sentence, isError: true))
            }
            running.start(.body(callID: callID)) { ticket in
                AppCode.run(tool: tool, arguments: arguments, on: threads) { [weak self] outcome in
                    self?.deliver(.ended(ticket, Self.end(of: callID, outcome)))
                }
            }
        }
    }

    private static func end(of callID: String, _ outcome: Result<ToolResult, any Error>) -> SessionInput {
        switch outcome {
        case .success(.ok(let output)): .toolReturned(callID: callID, output: output, isError: false)
        case .success(.err(let output)): .toolReturned(callID: callID, output: output, isError: true)
        case .failure(let error as ToolError): .toolReturned(callID: callID, output: error.message, isError: true)
        case .failure(let error): .toolThrew(callID: callID, message: String(describing: error))
        }
    }

    private func log(_ diagnostic: SessionDiagnostic) {
        switch diagnostic {
        case .lateToolResult(_, let name): ports.events.log(.warn, "tool.late_result", ["tool": .string(name)])
        case .toolStillRuns(_, let name): ports.events.log(.warn, "tool.still_runs", ["tool": .string(name)])
        case .repeatedCall: ports.events.log(.debug, "tool.repeated_call")
        case .lateAnswerEvent: ports.events.log(.debug, "answer.late_event")
        case .commandRefused(let code):
            ports.events.log(.info, "command.refused", ["code": code.map(JSONValue.string) ?? .null])
        case .replayUnacknowledged(let items):
            ports.events.log(.warn, "replay.unacknowledged", ["items": .int(Int64(items))])
        case .answerStalled: ports.events.log(.warn, "answer.stalled")
        }
    }
}

// MARK: - Microphone

extension SessionDriver {
    private func start(_ action: MicrophoneAction) {
        switch action {
        case .stopUplink: uplink.stop()
        case .startUplink(let id):
            if let connection = connections[id] { uplink.start(connection) }
        case .open:
            let (hub, uplink, microphone) = (ports.microphone, uplink, microphone)
            microphoneOrders.add { [weak self] in
                guard microphone.id == nil else { return }
                let listener = MicrophoneHub.Listener(
                    sampleRate: RealtimeAudio.sampleRate, deliver: { samples, _ in uplink.send(samples) },
                    interrupted: {})
                let (id, result) = await hub.listen(listener)
                microphone.id = id
                guard case .failure(let error) = result else { return }
                // A closed gate is the user's wish, which the machine knows already.
                if case .disabledByUser = error { return }
                self?.post(.microphoneFailed(code: error.code, message: error.description))
            }
        case .close:
            let (hub, microphone) = (ports.microphone, microphone)
            microphoneOrders.add { await microphone.release(to: hub) }
        }
    }
}

// MARK: - Connections

extension SessionDriver {
    private func start(_ action: ConnectionAction) {
        switch action {
        case .open(let id): openConnection(id)
        case .close(let id):
            attempts.removeValue(forKey: id)?.cancel()
            connections[id]?.close(code: 1000, reason: "")
        }
    }

    private func openConnection(_ id: ConnectionID) {
        let (connector, request) = (ports.connector, settings.request)
        attempts[id] = Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            do {
                let connection = try await connector.connect(request)
                guard let self else { return connection.close(code: 1001, reason: "") }
                await self.connected(id, connection)
            } catch {
                await self?.connectFailed(id, ConnectionClosure(error))
            }
        }
    }

    private func connectFailed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        attempts.removeValue(forKey: id)
        apply(.connectionFailed(id, closure))
    }

    private func connected(_ id: ConnectionID, _ connection: any RealtimeConnection) {
        attempts.removeValue(forKey: id)
        connections[id] = connection
        apply(.connectionOpened(id))
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            // One at a time: a slow machine holds the reader back, and with it the peer.
            for await inbound in connection.inbound {
                guard let self else { break }
                await self.receive(inbound, on: id)
            }
            guard let self else { return connection.close(code: 1001, reason: "") }
            await self.streamEnded(id)
        }
    }

    private func receive(_ inbound: RealtimeInbound, on id: ConnectionID) {
        switch inbound {
        case .message(.text(let bytes)): receive(bytes, on: id)
        case .message(.binary): ports.events.log(.warn, "connection.unexpected_binary")
        case .closed(let closure): closed(id, closure)
        }
    }

    /// A connection that ends without saying so is a link that dropped.
    private func streamEnded(_ id: ConnectionID) {
        let message = "The connection ended without a close. It is opened again if it is needed."
        closed(id, ConnectionClosure(code: "stream_ended", message: message, closeCode: 1006))
    }

    private func closed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        guard connections.removeValue(forKey: id) != nil else { return }
        splitSamples = [:]
        endAudio { _ in true }
        apply(.connectionClosed(id, closure))
    }

    private func receive(_ bytes: [UInt8], on id: ConnectionID) {
        let event: ServerEvent
        do {
            event = try RealtimeCodec.decodeServerEvent(bytes).event
        } catch {
            return ports.events.log(.warn, "connection.bad_event", ["code": .string(error.code)])
        }
        if case .responseOutputAudioDelta(let audio) = event { return receive(audio, on: id) }
        for fact in ServerFacts.facts(of: event) {
            if case .answerAudioDone(let segment) = fact { audioDone(segment) }
            if case .answerDone(let responseID, _) = fact { endAudio { $0.responseID == responseID } }
            apply(.server(id, fact))
        }
    }

    private func receive(_ audio: OutputAudio, on id: ConnectionID) {
        let segment = SegmentID(audio.place)
        // A delta may end in the middle of a sample, whose other half comes with the next one.
        var bytes = splitSamples.removeValue(forKey: segment).map { [$0] + audio.audio } ?? audio.audio
        if bytes.count % 2 == 1 { splitSamples[segment] = bytes.removeLast() }
        let samples = PCMBlock.samples(littleEndian: bytes)
        received = (segment, samples)
        apply(.server(id, .answerAudioReceived(segment, frames: samples.count)))
    }

    private func audioDone(_ segment: SegmentID) {
        splitSamples.removeValue(forKey: segment)
        if playing.remove(segment) != nil { ports.output.complete(PlayoutSegmentID(segment)) }
    }

    /// Completes segments of which no more will come, though their end was not told.
    private func endAudio(where isOver: (SegmentID) -> Bool) {
        for segment in playing.filter(isOver) { audioDone(segment) }
    }
}

/// The microphone subscription of a session; only its order queue touches it.
private final class OpenMicrophone: @unchecked Sendable {
    // because all reads and writes happen in operations of one OperationChain, which run one after another.
    var id: Int?

    func release(to hub: MicrophoneHub) async {
        guard let id else { return }
        self.id = nil
        await hub.stop(id)
    }
}

extension ConnectionClosure {
    fileprivate init(_ error: any Error) {
        switch error {
        case let closure as ConnectionClosure: self = closure
        case is CancellationError: self.init(code: "cancelled", message: "The connection attempt was abandoned.")
        default: self.init(code: "connect_failed", message: String(describing: error))
        }
    }
}

extension PlayoutSegmentID {
    fileprivate init(_ segment: SegmentID) {
        self.init(responseID: segment.responseID, itemID: segment.itemID, contentIndex: segment.contentIndex)
    }
}

extension SegmentID {
    init(_ id: PlayoutSegmentID) {
        self.init(responseID: id.responseID, itemID: id.itemID, contentIndex: id.contentIndex)
    }
}

extension HeardPosition {
    fileprivate init(_ status: PlayoutSegmentStatus) {
        self.init(segment: SegmentID(status.id), milliseconds: Int(status.heardMs))
    }
}
