import GlassesAudio
import GlassesDomain
import GlassesRealtime
import Synchronization

/// Runs one session: takes what the client and the engines say one by one, asks the machine, starts the work.
///
/// Every outcome of work comes back through ``post(_:)``, so nothing that takes time holds up the client's events.
actor PipelineDriver {
    /// What reaches the session, in order.
    enum Fact: Sendable {
        case message([UInt8])
        case input(PipelineInput)
        case closed(ConnectionClosure)
    }

    private struct Listening {
        let number: Int
        let ticket: RecognitionQueue.Ticket
        let resampler: Resampler
        var task: Task<Void, Never>?
    }

    nonisolated let outbound = OutboundQueue()
    private nonisolated let executor = SessionExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Where the session's tasks run when they are not in the driver itself.
    nonisolated var tasks: (any TaskExecutor)? { parts.executor }

    private let facts: AsyncStream<Fact>
    private nonisolated let continuation: AsyncStream<Fact>.Continuation
    private nonisolated let inboundLoad = Mutex(InboundLoad())

    private let parts: PipelineParts
    private let brain: any PipelineBrainSession
    private var machine: PipelineMachine
    private var listenings: [String: Listening] = [:]
    private var lastListening = 0
    private var judge: VoiceJudge?
    private var thinking: [String: Task<Void, Never>] = [:]
    private var speaking: [SentenceID: Task<Void, Never>] = [:]
    private var timers: [PipelineTimer: (number: Int, task: Task<Void, Never>)] = [:]
    private var lastTimer = 0

    /// Client messages that were taken and not yet looked at.
    private struct InboundLoad {
        var bytes = 0
        var messages = 0
        var isClosed = false
        /// Who holds the client back until the session has caught up.
        var whenCaughtUp: (@Sendable () -> Void)?

        /// Whether less than one `part` of the high-water mark waits.
        func isBelow(part: Int) -> Bool {
            bytes < PipelineLimits.inboundHighWater / part && messages < PipelineLimits.inboundHighWaterMessages / part
        }

        /// Takes the one to tell that the session has caught up.
        mutating func caughtUp() -> (@Sendable () -> Void)? {
            guard isClosed || isBelow(part: 2) else { return nil }
            defer { whenCaughtUp = nil }
            return whenCaughtUp
        }
    }

    init(parts: PipelineParts, machine: PipelineMachine) {
        self.parts = parts
        self.machine = machine
        brain = parts.engines.brain.makeSession()
        // Unbounded here, bounded at the sources: client messages by ``InboundLoad``, engine results by the few that run.
        (facts, continuation) = AsyncStream.makeStream(of: Fact.self, bufferingPolicy: .unbounded)
    }

    /// Takes a fact from any thread.
    nonisolated func post(_ input: PipelineInput) { continuation.yield(.input(input)) }

    /// Takes a client's message from any thread; false when the session has ended or cannot keep up, which ends it.
    nonisolated func receive(_ message: [UInt8]) -> Bool {
        let isAccepted = inboundLoad.withLock { load in
            guard !load.isClosed, load.bytes + message.count <= PipelineLimits.inboundBytes,
                load.messages < PipelineLimits.inboundMessages
            else { return false }
            load.bytes += message.count
            load.messages += 1
            return true
        }
        if isAccepted {
            continuation.yield(.message(message))
        } else {
            // 1009 tells a client not to send the same again, 1013 to come back later.
            let isTooBig = message.count > PipelineLimits.inboundBytes
            let reason = "The session cannot keep up with what is sent. Connect again and send less at once."
            close(ConnectionClosure(code: "overloaded", message: reason, closeCode: isTooBig ? 1_009 : 1_013))
        }
        return isAccepted
    }

    /// Whether the client should be held back; from any thread.
    nonisolated var isBehind: Bool { inboundLoad.withLock { !$0.isClosed && !$0.isBelow(part: 1) } }

    /// Calls `action` once when the client need not be held back any more; from any thread.
    nonisolated func whenCaughtUp(_ action: @escaping @Sendable () -> Void) {
        let now = inboundLoad.withLock { load in
            load.whenCaughtUp = action
            return load.caughtUp()
        }
        now?()
    }

    /// Ends the session from any thread; later calls change nothing.
    nonisolated func close(_ closure: ConnectionClosure) {
        let whenCaughtUp = inboundLoad.withLock { load in
            load.isClosed = true
            return load.caughtUp()
        }
        whenCaughtUp?()
        continuation.yield(.closed(closure))
        continuation.finish()
    }

    /// Works until the session is closed.
    func run() async {
        apply(.opened)
        for await fact in facts {
            switch fact {
            case .message(let bytes): received(bytes)
            case .input(let input): apply(input)
            case .closed(let closure): return shutDown(closure)
            }
        }
    }

    private func received(_ bytes: [UInt8]) {
        let (isClosed, whenCaughtUp) = inboundLoad.withLock { load in
            load.bytes -= bytes.count
            load.messages -= 1
            return (load.isClosed, load.caughtUp())
        }
        whenCaughtUp?()
        // The end does not wait for work that nobody will see.
        if isClosed { return }
        do {
            apply(.received(try RealtimeCodec.decodeClientEvent(bytes)))
        } catch {
            apply(.undecodable(RealtimeErrorInfo(error)))
        }
    }

    private func apply(_ input: PipelineInput) {
        let actions = machine.apply(input, at: parts.clock.now())
        for event in actions.events where !outbound.push(Self.message(event)) {
            let reason = "The client did not read the session's events. Connect again."
            return close(ConnectionClosure(code: "overloaded", message: reason, closeCode: 1_013))
        }
        for notice in actions.notices { parts.notify(notice) }
        for work in actions.work { start(work) }
    }

    /// The event as bytes. What a client sent may come back in one, and must not make it longer than clients receive.
    private static func message(_ event: Identified<ServerEvent>) -> [UInt8] {
        let bytes = RealtimeCodec.encode(event)
        guard bytes.count > RealtimeLimits.serverEventBytes else { return bytes }
        let reason =
            "An event of the type '\(event.event.type)' was longer than 8 MiB and was left out. Send smaller events."
        let error = RealtimeErrorInfo.server(code: "event_too_large", message: reason)
        return RealtimeCodec.encode(.error(error), eventId: event.eventId ?? "")
    }

    private func shutDown(_ closure: ConnectionClosure) {
        judge = nil
        for listening in listenings.values { cancel(listening) }
        for task in thinking.values { task.cancel() }
        for task in speaking.values { task.cancel() }
        for timer in timers.values { timer.task.cancel() }
        (listenings, thinking, speaking, timers) = ([:], [:], [:], [:])
        outbound.finish(closure)
    }
}

extension PipelineDriver {
    private func start(_ work: PipelineActions.Work) {
        switch work {
        case .startJudging(let stream): startJudging(stream)
        case .judge(let samples): judge?.push(samples)
        case .stopJudging: judge = nil
        case .weighTurn(let itemId, let attempt, let request): weigh(itemId, attempt, request)
        case .startRecognition(let itemId): startRecognition(itemId)
        case .pushAudio(let itemId, let samples): push(samples, to: itemId)
        case .finishRecognition(let itemId): finishRecognition(itemId)
        case .cancelRecognition(let itemId):
            if let listening = listenings.removeValue(forKey: itemId) { cancel(listening) }
        case .think(let responseId, let request, let isOutOfBand): think(responseId, request, isOutOfBand: isOutOfBand)
        case .cancelThinking(let responseId): thinking.removeValue(forKey: responseId)?.cancel()
        case .synthesize(let sentence, let text, let voice, let speed):
            speak(sentence, text, voice: voice, speed: speed)
        case .cancelSynthesis(let responseId): cancelSpeaking(responseId)
        case .schedule(let timer, let delay): schedule(timer, after: delay)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.task.cancel()
        }
    }

    private func startRecognition(_ itemId: String) {
        guard let queue = parts.recognition else { return }
        do {
            let resampler = try Resampler(inputRate: PipelineLimits.sampleRate, outputRate: queue.sampleRate)
            let ticket = queue.open { [weak self] result in
                self?.post(.partiallyRecognized(itemId: itemId, text: result.text))
            }
            lastListening += 1
            listenings[itemId] = Listening(number: lastListening, ticket: ticket, resampler: resampler)
        } catch {
            fail(itemId, "The recogniser takes a sample rate that cannot be made: \(queue.sampleRate) Hz.")
        }
    }

    private func startJudging(_ stream: Int) {
        do {
            judge = try VoiceJudge(engine: parts.engines.voiceActivity, stream: stream) { [weak self] in self?.post($0)
            }
        } catch {
            let reason = "The voice activity detector takes a sample rate that cannot be made."
            post(.judgeFailed(stream: stream, SpeechEngineError(code: "engine_failed", message: reason)))
        }
    }

    private func weigh(_ itemId: String, _ attempt: Int, _ request: BrainRequest) {
        Task(executorPreference: tasks) { [brain] in
            let isWhole = await brain.isWholeTurn(request)
            self.post(.turnWeighed(itemId: itemId, attempt: attempt, isWhole: isWhole))
        }
    }

    private func fail(_ itemId: String, _ reason: String) {
        post(.recognitionFailed(itemId: itemId, SpeechEngineError(code: "engine_failed", message: reason)))
    }

    private func push(_ samples: [Int16], to itemId: String) {
        guard let listening = listenings[itemId] else { return }
        parts.recognition?.push(listening.resampler.process(samples), to: listening.ticket)
    }

    private func finishRecognition(_ itemId: String) {
        guard let queue = parts.recognition, let listening = listenings[itemId] else {
            return fail(itemId, "The recogniser could not be started.")
        }
        queue.push(listening.resampler.flush(), to: listening.ticket)
        let (ticket, number) = (listening.ticket, listening.number)
        listenings[itemId]?.task = Task(executorPreference: tasks) {
            let outcome: PipelineInput
            do throws(SpeechEngineError) {
                outcome = .recognized(itemId: itemId, try await queue.finish(ticket))
            } catch {
                outcome = .recognitionFailed(itemId: itemId, error)
            }
            await self.listened(to: itemId, number: number, outcome)
        }
    }

    /// What was worked out for an utterance that is listened to anew since, or was dropped, is stale.
    private func listened(to itemId: String, number: Int, _ outcome: PipelineInput) {
        guard listenings[itemId]?.number == number else { return }
        listenings[itemId] = nil
        apply(outcome)
    }

    private func cancel(_ listening: Listening) {
        listening.task?.cancel()
        parts.recognition?.cancel(listening.ticket)
    }

    private func think(_ responseId: String, _ request: BrainRequest, isOutOfBand: Bool) {
        let brain = isOutOfBand ? parts.engines.brain.makeSession() : self.brain
        thinking[responseId] = Task(executorPreference: tasks) {
            let outcome: PipelineInput
            do throws(BrainError) {
                let reply = try await brain.reply(to: request) { piece in
                    self.post(.brainSpoke(responseId: responseId, text: piece.speech))
                }
                outcome = .brainReplied(responseId: responseId, reply)
            } catch {
                outcome = .brainFailed(responseId: responseId, error)
            }
            if !Task.isCancelled { await self.thought(responseId) }
            self.post(outcome)
        }
    }

    private func thought(_ responseId: String) { thinking[responseId] = nil }

    private func speak(_ sentence: SentenceID, _ text: String, voice: String?, speed: Double) {
        guard let engine = parts.engines.synthesizer else { return }
        let stream = engine.synthesize(text, voice: voice, rate: Float(speed), pitch: 0)
        speaking[sentence] = Task(executorPreference: tasks) { [outbound] in
            await SentenceSynthesis(id: sentence, stream: stream, outbound: outbound, post: { self.post($0) }).run()
            await self.spoke(sentence)
        }
    }

    private func spoke(_ sentence: SentenceID) { speaking[sentence] = nil }

    private func cancelSpeaking(_ responseId: String) {
        for (sentence, task) in speaking where sentence.responseId == responseId { task.cancel() }
    }

    private func schedule(_ timer: PipelineTimer, after delay: Duration) {
        timers.removeValue(forKey: timer)?.task.cancel()
        lastTimer += 1
        let (number, clock, moment) = (lastTimer, parts.clock, parts.clock.now().advanced(by: delay))
        let task = Task(executorPreference: tasks) {
            do {
                try await clock.sleepUntil(moment)
            } catch {
                return  // Only cancellation ends the wait early, and a cancelled timer reports nothing.
            }
            await self.fire(timer, number: number)
        }
        timers[timer] = (number, task)
    }

    /// A timer that was scheduled anew while its task woke up is stale.
    private func fire(_ timer: PipelineTimer, number: Int) {
        guard timers[timer]?.number == number else { return }
        timers[timer] = nil
        apply(.timerFired(timer))
    }
}
