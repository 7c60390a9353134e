import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// A session's configuration in the forms that its parts need: for the machine, for the wire, and the tools by name.
struct SessionSettings: Sendable {
    /// What the machine knows.
    let machine: SessionConfiguration
    /// What is sent on each connection, but for what the app may choose anew and the device's state.
    private let update: SessionUpdate
    /// Whether the model is told of the device.
    let tellsDevice: Bool
    private let deviceLine: @Sendable () -> String
    private let deviceNote: String
    /// The usable tools.
    let tools: SessionTools
    /// How long the microphone is sent on after speech, in milliseconds; nil when silence is sent too.
    let uplinkGate: Int?
    /// What was wrong with the configuration and is told to the app once.
    let problems: [String]

    init(
        config: AssistantConfig, connector: RealtimeConnector, clock: ClockPort, seed: UInt64,
        deviceLine: @escaping @Sendable () -> String = { DeviceLine(facts: nil, isConnected: false).text }
    ) {
        let connector = config.provider.isMock ? .mock : connector
        let tools = SessionTools(config: config, deviceLine: deviceLine)
        tellsDevice = config.includeDeviceInfoTool && !config.provider.isMock
        self.deviceLine = deviceLine
        deviceNote = config.deviceInfoNote ?? AssistantConfig.defaultDeviceInfoNote
        // One that has a problem never starts.
        machine = Self.machine(
            config.problem == nil ? config : AssistantConfig(provider: config.provider), connector: connector,
            clock: clock, seed: seed, tools: tools)
        let isLeftToProvider = config.interruption != nil && machine.interruption == nil
        problems =
            tools.problems + (isLeftToProvider ? [Self.interruptionProblem] : [])
            + connector.capabilities.problems(with: config)
        switch config.provider {
        case .managed(_, _, let detection, _):
            let isGated = !config.sendsSilence && config.turnTaking == .automatic
            let detection = connector.capabilities.served(detection)
            uplinkGate = isGated ? UplinkGate.hangover(detection) : nil
            update = Self.update(config, detection: detection, connector: connector, tools: tools)
        case .mock: (uplinkGate, update) = (nil, SessionUpdate())
        }
        self.tools = tools
    }

    /// What is sent of these choices: the instructions with the device behind them (nil: as it is now), voice and effort, and the rest.
    func update(_ choices: SessionChoices, device: String? = nil) -> SessionUpdate {
        var update = update
        let told = tellsDevice ? [deviceNote, device ?? deviceLine()] : []
        update.instructions = ([choices.instructions] + told).filter { !$0.isEmpty }.joined(separator: "\n\n")
        update.output.voice = choices.voice.map(Voice.named)
        // Others refuse the whole session for a field that they do not have.
        let reasons = assistantModelSupportsReasoning(choices.model)
        update.reasoning = reasons ? Reasoning(effort: choices.effort.rawValue) : nil
        return update
    }

    private static func machine(
        _ config: AssistantConfig, connector: RealtimeConnector, clock: ClockPort, seed: UInt64,
        tools: SessionTools
    ) -> SessionConfiguration {
        var machine = SessionConfiguration()
        machine.providerName = connector.providerName
        switch config.provider {
        case .managed(let model, _, _, _): machine.defaultModel = model ?? connector.defaultModel
        case .mock: machine.defaultModel = nil
        }
        machine.pictures = connector.pictures
        machine.sessionCeiling = connector.sessionCeiling
        machine.startsActive = config.startActive
        machine.hasWakeHook = config.onWake != nil
        machine.hasSleepHook = config.onSleep != nil
        machine.sleepPhrases = config.sleepPhrases
        machine.outputRate = RealtimeAudio.sampleRate
        machine.transcriptPacing = connector.canCompose ? .continuous : .sentenceBeforeAudio
        machine.randomSeed = seed
        machine.wallClockOffsetMilliseconds = clock.wallClockMilliseconds() - clock.now().nanoseconds / 1_000_000
        machine.turnTaking = config.turnTaking
        machine.interruption = Self.interruption(config, connector)
        machine.transcribesInput = config.transcribesInput && connector.capabilities.transcribes
        machine.capabilities = connector.capabilities == .openAI ? nil : connector.capabilities
        machine.protectsGreeting = !config.greetingIsInterruptible
        machine.greeting = greeting(config, canCompose: connector.canCompose)
        machine.remembers = config.persistentMemory
        machine.compaction =
            switch config.historyCompaction {
            case .auto: config.withinSessionMemory == "basic" ? .forget : .summarise
            case .custom: .replace
            case .dropOldest, .none: .forget
            }
        machine.historyCap = config.historyCap
        machine.silenceTimeout = config.silenceTimeout.map(Duration.fromSeconds)
        machine.deviceReturnLimit = .fromSeconds(config.deviceReturnTimeout)
        machine.reconnect = config.reconnect == .standard ? nil : config.reconnect
        machine.toolPlaces = config.maxConcurrentTools
        machine.cancelPhrases = config.cancelPhrases
        machine.tools = tools.accepted.map { tool in
            let definition = tools.definitions[tool.name]
            let timeout = Duration.fromSeconds(definition?.timeout ?? config.toolTimeout)
            return ToolFacts(
                name: tool.name, schema: tool.schema, timeout: timeout,
                policy: definition?.policy ?? .standard, role: tools.roles[tool.name] ?? .body)
        }
        return machine
    }

    private static func greeting(_ config: AssistantConfig, canCompose: Bool) -> GreetingPlan {
        let fallback = config.fallbackGreeting ?? AssistantConfig.defaultFallbackGreeting
        let plan: GreetingPlan =
            switch config.greeting {
            case .default: .plan(directive: Greeting.defaultDirective, canCompose: canCompose, fallback: fallback)
            case .custom(let directive): .plan(directive: directive, canCompose: canCompose, fallback: fallback)
            case .off: .none
            }
        return plan == .speak(text: "") ? .none : plan
    }

    private static func update(
        _ config: AssistantConfig, detection: GlassesDomain.TurnDetection, connector: RealtimeConnector,
        tools: SessionTools
    ) -> SessionUpdate {
        var update = SessionUpdate()
        update.outputModalities = [.audio]
        update.input.format = .standard
        let transcribes = config.transcribesInput && connector.capabilities.transcribes
        update.input.transcription =
            transcribes ? .set(Transcription(model: connector.capabilities.transcriptionModel)) : .clear
        update.input.turnDetection = wire(detection, config, connector)
        update.output.format = .standard
        update.tools = tools.accepted.map { tool in
            let description = tools.definitions[tool.name]?.description
            return .function(FunctionTool(name: tool.name, description: description, parameters: tool.schema))
        }
        update.toolChoice = .auto
        return update
    }

    /// Push-to-talk needs none. Where the session decides what interrupts, the provider only hears.
    private static func wire(
        _ detection: GlassesDomain.TurnDetection, _ config: AssistantConfig, _ connector: RealtimeConnector
    ) -> FieldUpdate<GlassesRealtime.TurnDetection> {
        guard config.turnTaking == .automatic else { return .clear }
        let leavesIt = interruption(config, connector) == nil
        switch detection {
        case .serverVad(let threshold, let prefix, let silence):
            return .set(
                .serverVAD(
                    ServerVAD(
                        threshold: threshold, prefixPaddingMs: prefix, silenceDurationMs: silence,
                        createResponse: leavesIt, interruptResponse: leavesIt)))
        case .semanticVad:
            return .set(.semanticVAD(SemanticVAD(createResponse: leavesIt, interruptResponse: leavesIt)))
        }
    }

    /// What the session decides itself; nil where the provider does.
    private static func interruption(_ config: AssistantConfig, _ connector: RealtimeConnector) -> InterruptionConfig? {
        config.turnTaking == .automatic && connector.leavesTurnsToClient ? config.interruption : nil
    }

    private static let interruptionProblem =
        "interruption has no effect here: with push-to-talk, and at this kind of provider, something else says what interrupts."
}
