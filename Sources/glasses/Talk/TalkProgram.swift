import Foundation
import GlassesAudio
@_spi(ExtentosTools) import GlassesCore
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// A whole run of `talk`: set-up, conversation, summary.
struct TalkProgram: Sendable {
    private static let ringName = "timer"
    /// How long each part of the end may take when the start was given up: nothing was said or recorded yet, and what a plugin or
    /// an engine still loads may take seconds. The system takes back what is open.
    private static let abandonLimit: Duration = .milliseconds(150)

    private let options: TalkOptions
    private let console: Console
    private let journal: TalkJournal
    private let host = PluginHost()
    private let firstSound = FirstSound()

    init(options: TalkOptions, console: Console) {
        self.options = options
        self.console = console
        journal = TalkJournal(console: console, options: options)
    }

    /// Runs it, and answers how the program ends.
    func run() async -> ExitStatus {
        let gateway: GatewayChoice
        do throws(Problem) {
            gateway = try options.gateway.choice()
            if !options.gateway.isRemote { _ = try options.brain.selection() }
        } catch {
            report(error)
            return .usage
        }
        let recorder: TalkRecorder?
        do {
            recorder = try options.recordings.map { try TalkRecorder(folder: $0) }
        } catch {
            console.note(
                "glasses: the folder \(options.recordings ?? "") cannot be made: \(error.localizedDescription)")
            return .usage
        }
        if let folder = options.recordings {
            console.note("glasses: recording to \(folder)/mic.wav and speaker.wav; only you can read them")
        }
        let trace: TalkTrace?
        do {
            trace = try options.trace.map { try TalkTrace(path: $0, privacy: options.tracePrivacy) }
        } catch {
            console.note("glasses: the trace \(options.trace ?? "") cannot be made: \(error.localizedDescription)")
            return .usage
        }
        if let trace { console.note("glasses: trace: \(trace.announcement)") }
        if options.device.isMocked, let problem = await SimulatedGlasses.start(console) {
            report(problem)
            return .unavailable
        }
        let signals = EndSignals(console: console)
        let glasses = makeGlasses(gateway, recorder, trace)
        let (status, wasGivenUp) = await talk(glasses, signals)
        await finish(wasGivenUp) { await glasses.shutdown() }
        if let complaint = await recorder?.finish() { console.note("glasses: \(complaint)") }
        if let complaint = await trace?.finish() { console.note("glasses: \(complaint)") }
        return status
    }

    private func makeGlasses(
        _ gateway: GatewayChoice, _ recorder: TalkRecorder?, _ trace: TalkTrace?
    ) -> DefaultExtentosGlasses {
        var recorders = Extentos.Recorders()
        recorders.session = trace?.port
        recorders.microphone = { [firstSound] block in
            firstSound.arrived()
            recorder?.append(block.samples, sampleRate: block.sampleRate, to: .microphone)
        }
        if let recorder {
            recorders.speaker = { samples, rate in recorder.append(Array(samples), sampleRate: rate, to: .speaker) }
        }
        return Extentos.create(
            config: ExtentosConfig(
                appId: "glasses", transport: options.device.transport, logLevel: options.isVerbose ? .debug : .info,
                debug: options.isVerbose, usedCapabilities: [.microphone, .speaker, .camera], gateway: gateway,
                speech: options.speech, brain: options.brain.choice),
            recorders: recorders)
    }

    /// Starts and holds the conversation; tells also whether the start was given up.
    private func talk(
        _ glasses: DefaultExtentosGlasses, _ signals: EndSignals
    ) async -> (status: ExitStatus, wasGivenUp: Bool) {
        let timers = TalkTimers(ports: timerPorts(glasses))
        let tools = TalkTools(
            timers: timers,
            takePhoto: { [weak glasses] in await glasses?.camera.capturePhoto() ?? .failure(.notConnected) })
        let session = glasses.assistant.createSession(config: configuration(tools))
        let relays = relay(glasses, session, tools)
        let status: ExitStatus
        var wasGivenUp = false
        switch await startUnlessAsked(glasses, session, signals) {
        case .success(let voice):
            let end = await TalkConversation(session: session, options: options, journal: journal, voice: voice?.input)
                .hold(until: signals)
            status = end.status
            await voice?.engine.shutdown()
        case .failure(let failure):
            report(failure.problem)
            status = failure.status
        case nil:
            status = .ok
            wasGivenUp = true
        }
        let pending = await timers.dropAll()
        await finish(wasGivenUp) { await stop(session) }
        for relay in relays { relay.cancel() }
        journal.conclude(pendingTimers: pending)
        return (status, wasGivenUp)
    }

    // MARK: Parts

    private func configuration(_ tools: TalkTools) -> AssistantConfig {
        let builder = AssistantConfigBuilder(
            provider: .managed(model: options.gateway.model, turnDetection: options.turnDetection))
        builder.instructions = "You are the voice assistant of a pair of smart glasses. Answer in one short sentence."
        builder.startActive = true
        builder.greeting = options.greets ? .default : .off
        builder.sleepOnPhrase("go to sleep")
        if !options.script.isEmpty { builder.neverSleep() }
        tools.add(to: builder)
        return builder.config
    }

    private func timerPorts(_ glasses: DefaultExtentosGlasses) -> TalkTimers.Ports {
        TalkTimers.Ports(
            ring: { [weak glasses] ended in
                guard let glasses, let ring = Self.ring else { return ended(false) }
                glasses.playSound(named: Self.ringName, ring, ducks: true, ended: ended)
            },
            cut: { [weak glasses] in await glasses?.cutSounds(named: Self.ringName) },
            tell: { [journal] event in journal.record(event) })
    }

    private static var ring: PCMBlock? {
        let rate = 16_000
        do { return PCMBlock(samples: try Chime.timer.samples(sampleRate: rate), sampleRate: rate) } catch {
            return nil
        }
    }

    /// Passes the session's states and events on to the journal.
    private func relay(
        _ glasses: DefaultExtentosGlasses, _ session: any AssistantSession, _ tools: TalkTools
    ) -> [Task<Void, Never>] {
        let (states, events) = (session.state.stream, glasses.runtime.events)
        return [
            Task { [journal] in for await state in states { journal.record(.state(state)) } },
            Task { [journal] in
                for await event in events {
                    if case .log(_, let message, let payload) = event, let speech = SpeechEvent(log: message, payload) {
                        journal.record(.speech(speech))
                    }
                    if case .log(_, let message, let payload) = event, let plugin = PluginEvent(log: message, payload) {
                        journal.record(.plugin(plugin))
                    }
                    guard case .assistant(let event) = event else { continue }
                    journal.record(.assistant(event))
                    if case .userSpoke = event { _ = tools.takeWishToSleep() }
                    if event == .assistantAudioFinished, tools.takeWishToSleep() {
                        do { try await session.sleep() } catch { journal.record(.error(Problem(session: error))) }
                    }
                }
            },
        ]
    }

    // MARK: Start and stop

    fileprivate struct StartFailure: Error {
        var problem: Problem
        var status: ExitStatus
    }

    private struct Voice {
        var engine: any TextToSpeechEngine
        var input: SpokenInput
    }

    /// Starts, and gives up as soon as the end is asked for; nil means that it was.
    private func startUnlessAsked(
        _ glasses: DefaultExtentosGlasses, _ session: any AssistantSession, _ signals: EndSignals
    ) async -> Result<Voice?, StartFailure>? {
        await FirstOf.run([
            {
                await signals.wait()
                return nil
            },
            {
                do throws(StartFailure) { return .success(try await start(glasses, session)) } catch {
                    return .failure(error)
                }
            },
        ]) ?? nil
    }

    private func start(
        _ glasses: DefaultExtentosGlasses, _ session: any AssistantSession
    ) async throws(StartFailure) -> Voice? {
        if let error = await options.device.connect(glasses, console) { throw .unavailable(Problem(error)) }
        let voice = try await loadVoice(glasses)
        // A start that was given up must not open a session behind the end's back.
        guard !Task.isCancelled else { return nil }
        do { try await session.start() } catch {
            throw StartFailure(problem: Problem(session: error, at: options.gateway), status: .gateway)
        }
        let hasMicrophone = glasses.capabilities.microphone
        let facts = try await facts(glasses)
        if hasMicrophone, await !firstSound.wait() {
            throw .unavailable(
                Problem(
                    code: "microphone_silent", "The microphone was opened, but it delivers nothing.",
                    command: "glasses devices"))
        }
        if !Task.isCancelled { journal.record(.ready(facts)) }
        return voice
    }

    private func loadVoice(_ glasses: DefaultExtentosGlasses) async throws(StartFailure) -> Voice? {
        guard options.hasSpokenLines else { return nil }
        switch await EngineFinder(host: host).synthesiser() {
        case .success(let engine): return Voice(engine: engine, input: SpokenInput(engine: engine, glasses: glasses))
        case .failure(let problem): throw .unavailable(problem)
        }
    }

    /// What the conversation runs on; throws when an engine is missing that it needs. A gateway brings its own.
    private func facts(_ glasses: DefaultExtentosGlasses) async throws(StartFailure) -> TalkFacts {
        let events = await glasses.runtime.snapshotEvents()
        var facts = TalkFacts(
            device: glasses.transportFacts?.name ?? options.device.kind.rawValue,
            cancelsEcho: glasses.transportFacts?.details["processing"]?["echoCancellation"]?.boolValue,
            audioDestination: glasses.audioDestination, gateway: options.gateway.address?.displayName)
        if facts.gateway != nil {
            for case .assistant(.sessionStarted(_, let model, let voice)) in events {
                (facts.brain, facts.voice) = (model, voice)
            }
            return facts
        }
        let engines = await SessionEngines.read(host, events: events)
        let missing = engines.missing(
            microphone: glasses.capabilities.microphone && (options.script.isEmpty || options.hasSpokenLines),
            speaker: glasses.capabilities.speaker)
        if let missing { throw .unavailable(missing) }
        (facts.recogniser, facts.voice, facts.brain) = (engines.recogniser, engines.voice, engines.brain)
        facts.voiceActivity = engines.voiceActivity
        return facts
    }

    /// Carries out a part of the end; with `isHurried` it is waited for ``abandonLimit`` at most.
    private func finish(_ isHurried: Bool, _ part: @escaping @Sendable () async -> Void) async {
        guard isHurried else { return await part() }
        let limit: @Sendable () async -> Void = {
            // Only the end of the other part cancels the wait.
            do { try await Task.sleep(for: Self.abandonLimit) } catch { return }
        }
        await FirstOf.run([part, limit])
    }

    /// Stops the session and waits, a second at most, until its end was told.
    private func stop(_ session: any AssistantSession) async {
        let entries = journal.follow()
        guard session.state.current != .stopped, session.state.current != .idle else { return }
        await session.stop()
        let start = Stopwatch.now
        for await entry in entries {
            if case .event(.assistant(.sessionEnded)) = entry { return }
            if start.duration(to: Stopwatch.now) > .seconds(1) { return }
        }
    }

    private func report(_ problem: Problem) {
        if options.isJSON { journal.record(.error(problem)) }
        console.report(problem)
    }
}

extension TalkProgram.StartFailure {
    fileprivate static func unavailable(_ problem: Problem) -> Self { Self(problem: problem, status: .unavailable) }
}

extension TalkConversation.End {
    /// How the program ends after it.
    var status: ExitStatus {
        switch self {
        case .asked, .scriptDone(isComplete: true): .ok
        case .scriptDone(isComplete: false), .sessionEnded: .gateway
        }
    }
}
