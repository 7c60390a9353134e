import Foundation

/// Which transport serves the glasses.
public enum TransportChoice: Sendable, Hashable {
    /// Meta glasses where `ExtentosConfig.hasBondedMetaDevice` says so, or where a mock device kit is enabled; else this machine's
    /// own devices. The event `transport.selected` names the choice and the reason.
    case auto
    /// The Meta glasses plugin, `org.extentos.meta-dat`, with the sound of the system device.
    case realMeta
    /// This machine's microphone and loudspeaker, `org.extentos.system-device`.
    case systemAudio
    /// The simulator plugin, `org.extentos.simulator`.
    case simulated(Simulated)
    /// Any plugin by its id, with settings that it documents.
    case plugin(id: String, settings: [String: JSONValue] = [:])
}

/// Which simulator.
public enum Simulated: Sendable, Hashable {
    case browser(url: URL)
    case local
}

/// Which stage of its life the app is in.
public enum ExtentosEnvironment: String, Sendable, Hashable, CaseIterable {
    case development
    case beta
    case production

    /// The word on the wire.
    public var wireValue: String { rawValue }
}

/// One event as interceptors see it.
public struct InterceptedEvent: Sendable, Hashable {
    /// The event's name, such as `assistant.tool_called` or `toggle.changed`.
    public var name: String
    /// Its fields. Transcripts, tool arguments and outputs are in them: an interceptor is the app's own code.
    public var payload: JSONValue
    /// Milliseconds since 1970.
    public var timestampMs: Int64

    /// An event.
    public init(name: String, payload: JSONValue, timestampMs: Int64) {
        self.name = name
        self.payload = payload
        self.timestampMs = timestampMs
    }
}

/// Code of the app that sees every runtime event, in order.
public protocol ExtentosInterceptor: Sendable {
    /// Sees one event. The next one waits until this returns; beyond 512 waiting events the oldest are dropped.
    func observe(_ event: InterceptedEvent) async
}

/// A task group of the app in which the runtime's own long-lived tasks run.
public protocol TaskGroupHandle: Sendable {
    /// Runs `body` in the group.
    func addTask(_ body: @escaping @Sendable () async -> Void)
}

/// How a glasses instance is made; every field has a default.
public struct ExtentosConfig: Sendable {
    /// The app's identity in log lines; nil means the executable's name.
    public var appId: String?
    /// Which transport serves the glasses.
    public var transport: TransportChoice
    /// What the user hears while a tool runs long.
    public var progressiveResponse: ProgressiveResponseConfig
    /// The least important log events that are delivered. `transport.selected`, `audio.destination`,
    /// `speech.selected` and `speech.fallback` are delivered always.
    public var logLevel: LogLevel
    /// Where the runtime's long-lived tasks run; nil means tasks of its own.
    public var externalTaskGroup: (any TaskGroupHandle)?
    /// Code of the app that sees every runtime event.
    public var interceptors: [any ExtentosInterceptor]
    /// Whether this is a debug run: log events are also written to standard error.
    public var debug: Bool
    /// What the app says it is; a development build is never reported as more.
    public var environment: ExtentosEnvironment
    /// Whether a Meta device is bonded; asked once, for `.auto`. Without it a mock device kit that is enabled counts as one.
    public var hasBondedMetaDevice: (@Sendable () -> Bool)?
    /// What the app uses; told by `ExtentosGlasses.usedCapabilities`, and of no effect on `.auto` yet.
    public var usedCapabilities: [DeclaredCapability]
    /// More folders in which plugins are looked for, before all others.
    public var pluginFolders: [String]
    /// Which gateway serves assistant sessions. The event `audio.destination` tells where audio goes.
    public var gateway: GatewayChoice
    /// Which speech engines serve this machine's own speech: the embedded provider, `audio` and `voice`. Default: the best.
    public var speech: SpeechChoice
    /// What decides the answers of the embedded provider. The event `audio.destination` tells where text goes.
    public var brain: BrainChoice

    /// A configuration.
    public init(
        appId: String? = nil, transport: TransportChoice = .auto,
        progressiveResponse: ProgressiveResponseConfig = .default, logLevel: LogLevel = .warn,
        externalTaskGroup: (any TaskGroupHandle)? = nil, interceptors: [any ExtentosInterceptor] = [],
        debug: Bool = false, environment: ExtentosEnvironment = .development,
        hasBondedMetaDevice: (@Sendable () -> Bool)? = nil, usedCapabilities: [DeclaredCapability] = [],
        pluginFolders: [String] = [], gateway: GatewayChoice = .auto, speech: SpeechChoice = .best,
        brain: BrainChoice = .auto
    ) {
        self.appId = appId
        self.transport = transport
        self.progressiveResponse = progressiveResponse
        self.logLevel = logLevel
        self.externalTaskGroup = externalTaskGroup
        self.interceptors = interceptors
        self.debug = debug
        self.environment = environment
        self.hasBondedMetaDevice = hasBondedMetaDevice
        self.usedCapabilities = usedCapabilities
        self.pluginFolders = pluginFolders
        self.gateway = gateway
        self.speech = speech
        self.brain = brain
    }
}
