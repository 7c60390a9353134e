import Foundation
import GlassesDomain

/// A pair of glasses over its ports.
public final class DefaultExtentosGlasses: ExtentosGlasses {
    /// The longest ``shutdown()``.
    private static let shutdownLimit = Duration.seconds(5)

    private let config: ExtentosConfig
    private let ports: RuntimePorts
    private let log: EventLog
    private let toggleStore: ToggleStore
    private let hub: MicrophoneHub
    private let output: PlaybackOutput
    private let connectionDriver: ConnectionDriver
    private let audioDriver: AudioDriver
    private let cameraDriver: CameraDriver
    private let cameraClient: DefaultCameraClient
    private let assistantDriver: AssistantDriver

    /// Glasses with `config` over `ports`; nothing connects until ``connect()``.
    public convenience init(config: ExtentosConfig, ports: RuntimePorts) {
        self.init(config: config, ports: ports, appCode: .shared)
    }

    /// Glasses whose tool bodies run on `appCode`.
    init(config: ExtentosConfig, ports: RuntimePorts, appCode: AppCodeThreads) {
        self.config = config
        self.ports = ports
        let group = config.externalTaskGroup
        let background: @Sendable (@escaping @Sendable () async -> Void) -> Void = { body in
            if let group {
                group.addTask(body)
            } else {
                Task(executorPreference: RuntimeThreads.shared) { await body() }
            }
        }
        let log = EventLog(
            logLevel: config.logLevel, interceptors: config.interceptors, clock: ports.clock, mirror: ports.logMirror,
            start: background)
        let hub = MicrophoneHub(events: log, recorder: ports.microphoneRecorder)
        let output = PlaybackOutput(
            clock: ports.clock, events: log, recorder: ports.speakerRecorder, voiceRecorder: ports.voiceRecorder)
        let device = KnownDevice()
        let assistant = AssistantDriver(
            ports: .init(
                connector: ports.connector, microphone: hub, output: output, clock: ports.clock, events: log,
                progress: config.progressiveResponse,
                pictures: PicturePorts(files: ports.pictureFiles, coder: ports.media.pictures),
                memory: MemoryPorts(chat: ports.chat, store: ports.memoryStore), device: { device.description },
                appCode: appCode,
                trace: ports.sessionTrace),
            seed: ports.seed)
        device.follow(by: assistant)
        let health = CameraHealth()
        let camera = CameraDriver(clock: ports.clock, events: log, onHealth: health.set)
        let cameraClient = DefaultCameraClient(
            driver: camera, hub: hub, media: ports.media, clock: ports.clock, events: log)
        toggleStore = ToggleStore(
            events: log,
            changed: { toggles in
                // The microphone first: what the session hears of the gate is that nothing comes any more.
                let gate = MicrophoneGate(toggles)
                hub.applyGate(gate)
                cameraClient.apply(toggles)
                assistant.gateChanged(gate)
                device.toggled(toggles)
            },
            settled: {
                await hub.gateSettled()
                await camera.settled()
            })
        connectionDriver = ConnectionDriver(
            load: ports.loadTransport, clock: ports.clock, events: log, background: background, cameraHealth: health,
            usesCamera: config.usedCapabilities.contains(.camera), onPower: device.powered,
            onTransport: { transport in
                device.loaded(transport.facts)
                await hub.setPort(transport.microphone)
                let speaker = transport.speaker.map { speaker in
                    RestingSpeaker(speaker, clock: ports.clock) { [weak output] in output?.lost($0) }
                }
                await output.setPort(speaker)
                await camera.setPort(transport.camera)
            },
            onState: { state in
                let isConnected = state.active != nil
                device.setConnected(isConnected)
                assistant.deviceChanged(state)
                await hub.setConnected(isConnected)
                await output.setConnected(isConnected)
                await camera.setConnected(isConnected)
            })
        cameraDriver = camera
        self.cameraClient = cameraClient
        audioDriver = AudioDriver(hub: hub, output: output, speech: ports.speech, clock: ports.clock, events: log)
        assistantDriver = assistant
        self.log = log
        self.hub = hub
        self.output = output
    }

    /// The connection to the device.
    public var connection: any ConnectionClient { connectionDriver }
    /// The camera.
    public var camera: any CameraClient { cameraClient }
    /// The microphone and the loudspeaker.
    public var audio: any AudioClient { audioDriver }
    /// Runtime events.
    public var runtime: any RuntimeClient { log }
    /// The user's settings.
    public var toggles: any ToggleClient { toggleStore }
    /// The voice assistant.
    public var assistant: any AssistantClient { assistantDriver }
    /// What the configuration declared.
    public var usedCapabilities: [DeclaredCapability] { config.usedCapabilities }

    /// What the device has; all false until a transport was loaded.
    public var capabilities: DeviceCapabilitySet {
        connectionDriver.transport?.facts.capabilities
            ?? DeviceCapabilitySet(camera: false, microphone: false, speaker: false, display: false)
    }

    /// Answers a URL that the host app received; false when it was not for the transport.
    public func handleUrl(_ url: URL) async -> Bool { await connectionDriver.handleUrl(url.absoluteString) }

    /// Ends everything within 5 s; a connect under way does not hold it up. Afterwards every connect fails with `shut_down`.
    public func shutdown() async {
        let deadline = ports.clock.now().advanced(by: Self.shutdownLimit)
        connectionDriver.refuse()
        // Beside the rest: a camera that hangs may take all of the time.
        let cameraReleased = Task(executorPreference: RuntimeThreads.shared) { [cameraDriver] in
            await cameraDriver.setConnected(false)
        }
        await assistantDriver.stop()
        await audioDriver.shutdown()
        await hub.setConnected(false)
        await output.setConnected(false)
        await cameraReleased.value
        cameraDriver.finish()
        await connectionDriver.shutdown(by: deadline)
        await closePorts(by: deadline)
        toggleStore.finish()
        log.finish()
    }

    /// Ends what the ports hold; what takes longer than the shutdown may goes on by itself.
    private func closePorts(by deadline: MonotonicTime) async {
        let (ending, hasEnded) = AsyncStream<Void>.makeStream()
        let (close, clock, log) = (ports.close, ports.clock, log)
        Task(executorPreference: RuntimeThreads.shared) {
            await close()
            hasEnded.finish()
        }
        let limit = Task(executorPreference: RuntimeThreads.shared) {
            do { try await clock.sleepUntil(deadline) } catch { return }
            log.log(.warn, "shutdown.ports_still_close")
            hasEnded.finish()
        }
        for await _ in ending {}
        limit.cancel()
    }
}

// MARK: - For tools and tests

extension DefaultExtentosGlasses {
    /// One sentence that says where the microphone's audio goes.
    public var audioDestination: String { ports.connector.audioDestination }

    /// What the loaded transport says of itself; nil before the first connect.
    public var transportFacts: TransportFacts? { connectionDriver.transport?.facts }

    /// Adds speech to what the microphone hears from now on; false when no microphone is open. Proves recognition, not the device.
    @_spi(ExtentosTools)
    public func injectIntoMicrophone(_ speech: PCMBlock) -> Bool { hub.inject(speech) }

    /// Plays a sound over the assistant's voice; `ended` is called once, with true if it was heard in full.
    @_spi(ExtentosTools)
    public func playSound(
        named name: String, _ sound: PCMBlock, ducks: Bool, ended: @escaping @Sendable (Bool) -> Void
    ) {
        output.play(
            PlaybackSound(name: name, samples: sound.samples, sampleRate: sound.sampleRate, ducks: ducks), ended: ended)
    }

    /// Cuts the sounds with this name.
    @_spi(ExtentosTools)
    public func cutSounds(named name: String) async { await output.cutSounds(named: name) }

    /// Writes a log line of level `info` that is delivered whatever the log level is.
    @_spi(ExtentosTools)
    public func announce(_ message: String, _ payload: JSONValue? = nil) { log.announce(message, payload) }

    /// Writes a log line as the runtime does.
    @_spi(ExtentosTools)
    public func log(_ level: LogLevel, _ message: String, _ payload: JSONValue? = nil) {
        log.log(level, message, payload)
    }
}
