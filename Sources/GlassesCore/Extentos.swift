import Foundation
import GlassesDomain
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime

/// The way into the runtime.
public enum Extentos {
    private static let shared: any ExtentosGlasses = create()

    /// The version of this library.
    public static let version = "0.1.0"

    /// Glasses with `config`. Returns at once and cannot fail: what is wrong shows when something is used. Nothing connects until
    /// `connect()`. Each call makes a new instance.
    public static func create(config: ExtentosConfig = ExtentosConfig()) -> any ExtentosGlasses {
        create(config: config, recorders: Recorders())
    }

    /// The one shared instance with the default configuration; made on first use.
    public static func `default`() -> any ExtentosGlasses { shared }

    /// Whether speech can be recognised on this machine: a recogniser is installed and works. Loads it, which takes up to 3 s.
    public static func requestSpeechRecognitionAuthorization() async -> Bool {
        var configuration = PluginHostConfiguration()
        configuration.executor = RuntimeThreads.shared
        let host = PluginHost(configuration: configuration)
        let speech = InstalledSpeech(
            host: host, choice: .best, clock: LiveClock.port, log: SpeechLog(write: { _, _, _ in }))
        let isThere = await speech.speechToText() != nil
        await speech.shutdown()
        return isThere
    }

    /// Functions that get what is heard and played, for recordings.
    @_spi(ExtentosTools)
    public struct Recorders: Sendable {
        /// Gets every block that the microphone heard.
        public var microphone: (@Sendable (PCMBlock) -> Void)?
        /// Gets everything that the loudspeaker took, with its rate.
        public var speaker: (@Sendable (ArraySlice<Int16>, Int) -> Void)?

        /// Gets the assistant's voice as it comes, before it is mixed or held back.
        public var voice: (@Sendable ([Int16]) -> Void)?
        /// Gets the steps of the assistant's sessions.
        public var session: SessionTracePort?

        /// No recorders.
        public init() {}
    }

    /// As ``create(config:)``, with recorders, with `transport` instead of the plugin that the configuration chooses, and with
    /// captures kept in `captures` instead of the user's cache.
    @_spi(ExtentosTools)
    public static func create(
        config: ExtentosConfig, recorders: Recorders, transport: (any GlassesTransport)? = nil,
        captures: (any CaptureFolder)? = nil
    ) -> DefaultExtentosGlasses {
        let log = DeferredLog()
        var hostConfiguration = PluginHostConfiguration(folders: config.pluginFolders)
        hostConfiguration.executor = RuntimeThreads.shared
        hostConfiguration.onLog = { line in
            log.write(line.severity.logLevel, "plugin", ["plugin": .string(line.plugin), "text": .string(line.text)])
        }
        let childLog = PluginChildLog(write: log.line)
        hostConfiguration.onChild = { childLog.tell($0) }
        let host = PluginHost(configuration: hostConfiguration)
        let speechLog = SpeechLog(write: log.line)
        let brain = BrainSelection(config.brain, environment: ProcessInfo.processInfo.environment)
        let speech = InstalledSpeech(
            host: host, choice: config.speech, clock: LiveClock.port, log: speechLog,
            brain: brain.brain(pictures: LiveMedia.pictures, clock: LiveClock.port, notify: speechLog.notice),
            destination: brain.destination)
        let hasMetaDevice = config.hasBondedMetaDevice?() ?? (DeviceLoader.mockLink != nil)
        let selection = TransportSelection(
            config.transport, TransportSelection.Surroundings(hasMetaDevice: hasMetaDevice))
        let device = DeviceLoader(
            host: host, selection: selection, appId: config.appId ?? ProcessInfo.processInfo.processName)
        let gateway = GatewaySelection(config.gateway, environment: ProcessInfo.processInfo.environment)
        var ports = RuntimePorts(
            clock: LiveClock.port,
            loadTransport: {
                if let transport { return .success(transport) }
                return await device.load()
            },
            connector: gateway.connector(embedded: speech.lazyConnector), speech: speech.engines,
            media: LiveMedia.ports(
                folder: captures ?? CacheCaptures(environment: ProcessInfo.processInfo.environment)),
            seed: { UInt64.random(in: .min ... .max) }, close: { await speech.shutdown() })
        ports.pictureFiles = .live
        ports.chat = gateway.chat
        ports.memoryStore = DiskMemoryStore(environment: ProcessInfo.processInfo.environment) {
            level, message, payload in
            log.write(level, message, payload)
        }
        ports.microphoneRecorder = recorders.microphone
        ports.speakerRecorder = recorders.speaker
        ports.voiceRecorder = recorders.voice
        ports.sessionTrace = recorders.session
        if config.debug { ports.logMirror = StandardErrorLog(appId: config.appId).write }
        let glasses = DefaultExtentosGlasses(config: config, ports: ports)
        log.connect(to: glasses)
        announce(selection, gateway, brain, config, on: glasses)
        if gateway.isEmbedded, let problem = brain.problem { speechLog.unusable(problem) }
        return glasses
    }

    private static func announce(
        _ selection: TransportSelection, _ gateway: GatewaySelection, _ brain: BrainSelection, _ config: ExtentosConfig,
        on glasses: DefaultExtentosGlasses
    ) {
        let environment = BuildEnvironment.reconcile(
            declared: config.environment, classified: BuildEnvironment.classified)
        if let mismatch = environment.mismatch {
            glasses.log(.warn, "environment.mismatch", ["message": .string(mismatch)])
        }
        // Said whatever the log level is: an app and its user can always find out which device it is and where audio goes.
        glasses.announce(
            "transport.selected", ["chosen": .string(selection.pluginID), "source": .string(selection.source)])
        let destination = gateway.isEmbedded ? brain.destination : gateway.destination
        glasses.announce("audio.destination", destination.payload)
        if let problem = gateway.problem {
            glasses.log(
                .error, "gateway.unusable", ["code": .string(problem.code), "message": .string(problem.message)])
        }
    }
}
