import GlassesAssistant
import GlassesDomain
import Synchronization

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
        /// What the user hears while a tool runs.
        var progress = ProgressiveResponseConfig.default
        /// What pictures are read and scaled by.
        var pictures = PicturePorts.none
        /// What conversations are made shorter by, and remembered in.
        var memory = MemoryPorts.none
        /// The device's present state for a model.
        var device: @Sendable () -> DeviceDescription = { DeviceLine(facts: nil, isConnected: false).description }
        /// Where tool bodies run.
        var appCode = AppCodeThreads.shared
        /// Who gets the steps of the sessions.
        var trace: SessionTracePort?
    }

    nonisolated let executor = SerialQueueExecutor(name: "session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let history: PublishedHistory
    nonisolated let state = ObservableBox<AssistantState>(.idle)
    nonisolated let settings: SessionSettings
    nonisolated let mailbox = SessionMailbox()
    nonisolated let uplink: Uplink
    nonisolated let levels: AudibleLevels
    /// The model that the session has, as far as it is known.
    nonisolated let model: Mutex<String?>

    let ports: Ports
    let config: AssistantConfig
    private let onRelease: @Sendable () -> Void
    weak var session: (any AssistantSession)?
    private var machine: any SessionDeciding
    private let trace: SessionTracePort.Listener?
    let microphoneOrders = OperationChain()
    let microphone = OpenMicrophone()

    /// What holds of the configuration now.
    var choices: SessionChoices
    private var operations = 0
    private var waiting: [OperationID: CheckedContinuation<OperationOutcome, Never>] = [:]
    var attempts: [ConnectionID: Task<Void, Never>] = [:]
    var connections: [ConnectionID: any RealtimeConnection] = [:]
    var readers: [ConnectionID: Task<Void, Never>] = [:]
    /// Connections that took no more messages and were closed for it.
    var refusing: Set<ConnectionID> = []
    var running = RunningTasks()
    var received: (segment: SegmentID, samples: [Int16])?
    /// The connection that sent audio last.
    var audioSource: ConnectionID?
    var splitSamples: [SegmentID: UInt8] = [:]
    var playing: Set<SegmentID> = []
    let preparer: PicturePreparer
    let keeper: MemoryKeeper?
    let compactionPlace = AppCodePlace()
    var clockWatch: ClockWatch
    var clockTask: Task<Void, Never>?
    var progress = ProgressSign()
    var progressTask: Task<Void, Never>?
    /// What was to be remembered last; ends when it is on disk.
    var lastStored: Task<Void, Never>?
    /// The pictures of calls that the machine has not taken up yet.
    var pictureSources: [OperationID: PictureSource] = [:]

    init(config: AssistantConfig, ports: Ports, seed: UInt64, onRelease: @escaping @Sendable () -> Void) {
        self.config = config
        self.ports = ports
        self.onRelease = onRelease
        choices = SessionChoices(config)
        settings = SessionSettings(
            config: config, connector: ports.connector, clock: ports.clock, seed: seed,
            deviceLine: { [device = ports.device] in device().text })
        uplink = Uplink(gateHangoverMs: settings.uplinkGate)
        clockWatch = ClockWatch(ports.clock)
        model = Mutex(settings.machine.defaultModel)
        levels = AudibleLevels(output: ports.output, clock: ports.clock)
        preparer = PicturePreparer(ports: ports.pictures, followsLinks: ports.connector.pictures == .seen)
        keeper = Self.makeKeeper(config, ports)
        history = PublishedHistory(cap: settings.machine.historyCap)
        machine = settings.decider(of: config)
        // A trace is lived through again by the machine that has a provider.
        trace = config.provider.isMock ? nil : ports.trace?.begin(settings.machine)
        uplink.setListener { [weak self] notice in
            switch notice {
            case .speech: self?.post(.speechNoticed)
            case .measured(let speech):
                self?.post(.speechMeasured(milliseconds: speech.milliseconds, isOver: speech.isOver))
            case .refused(let connection): Task { await self?.closeRefusing(connection) }
            }
        }
        let letters = mailbox.letters
        Task(executorPreference: executor) { [weak self] in
            for await letter in letters { await self?.open(letter) }
        }
    }

    /// A driver that is dropped without a stop leaves nothing running or open.
    deinit {
        mailbox.finish()
        levels.finish()
        uplink.stop()
        running.cancelAll()
        clockTask?.cancel()
        progressTask?.cancel()
        for task in Array(attempts.values) + Array(readers.values) { task.cancel() }
        for connection in connections.values { connection.close(code: 1001, reason: "") }
        let (hub, microphone) = (ports.microphone, microphone)
        microphoneOrders.add { await microphone.release(to: hub) }
    }

    /// How many timers, tool bodies and hooks run.
    var runningCount: Int { running.count }

    /// Sets the session that hooks get, before it starts. The machine knows the device before any connection is made.
    func adopt(_ session: any AssistantSession) {
        self.session = session
        describeDevice()
    }

    private func describeDevice() {
        if settings.tellsDevice { apply(.deviceDescribed(ports.device())) }
    }

    /// Hands in a fact; callable on any thread, returns at once, keeps the order of one caller's facts.
    nonisolated func post(_ input: SessionInput) { deliver(.input(input)) }

    /// Hands in an edit of the history that the app sees already.
    nonisolated func postEdit(_ input: SessionInput) { deliver(.edit(input)) }

    nonisolated func deliver(_ letter: SessionMailbox.Letter) {
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
        case .deviceChanged: describeDevice()
        case .ended(let ticket, let input):
            running.ended(ticket)
            apply(input)
        }
    }

    /// Carries out an operation of the app, with its picture if it has one, and waits for its one ending.
    func perform(_ operation: SessionOperation, picture: PictureSource? = nil) async -> OperationOutcome {
        operations += 1
        let id = OperationID(operations)
        pictureSources[id] = picture
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            lookAtClocks()
            apply(.operationRequested(id, operation))
            pictureSources[id] = nil
        }
    }

    /// Tells the app what was wrong with the configuration.
    func reportProblems() {
        for problem in settings.problems {
            ports.events.emit(.assistant(.error(kind: "invalid_configuration", message: problem)))
        }
    }

    /// What the next configuration says of the device: what the machine was told, so that it knows what the model knows.
    var deviceText: String? { machine.deviceText }

    func apply(_ input: SessionInput) {
        let now = ports.clock.now()
        var verdicts = TextVerdicts()
        let actions = machine.apply(input, at: now, verdicts: &verdicts)
        trace?(
            TraceStep(at: now, input: input, verdicts: verdicts.given, actions: actions, audio: received?.samples))
        for action in actions { start(action) }
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
        case .picture(let action): start(action)
        case .memory(let action): start(action)
        case .enter(let state):
            self.state.set(state)
            ports.output.keepReady(state.isAwake && !config.provider.isMock)
            watchClocks(in: state)
            if state == .stopped { levels.finish() }
        case .notify(let event):
            if case .sessionStarted(_, let name, _) = event { model.withLock { $0 = name } }
            if event == .assistantAudioFinished { levels.end() }
            ports.events.emit(.assistant(event))
            if event == .assistantAudioStarted { levels.begin() }
            followProgress(event)
        case .publishHistory(let turns): history.publish(turns)
        case .finish(let operation, let outcome): waiting.removeValue(forKey: operation)?.resume(returning: outcome)
        case .releaseSlot: onRelease()
        case .diagnose(let diagnostic): log(diagnostic)
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
        case .silentConnectionLeft: ports.events.log(.warn, "connection.silent")
        case .answerStalled: ports.events.log(.warn, "answer.stalled")
        case .oversizedItemLeftOut(let bytes):
            ports.events.log(.warn, "replay.oversized_item", ["bytes": .int(Int64(bytes))])
        case .framesDropped(let total):
            ports.events.log(.debug, "video.frames_dropped", ["total": .int(Int64(total))])
        case .lostAnswerGivenUp: ports.events.log(.warn, "answer.lost_again")
        case .secondConnectionFailed(let code):
            ports.events.log(.info, "rotation.second_connection_failed", ["code": .string(code)])
        }
    }
}

extension AssistantState {
    /// Whether a conversation is under way, or about to be.
    fileprivate var isAwake: Bool {
        switch self {
        case .activating, .active, .reconnecting: true
        case .idle, .dormant, .sleeping, .stopping, .stopped: false
        }
    }
}
