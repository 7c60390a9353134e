import GlassesCore

/// Which device a command uses: the options that several commands share.
struct DeviceOptions: Sendable, Hashable {
    /// The kinds of device that the command line knows.
    enum Kind: String, Sendable, CaseIterable {
        /// This machine's microphone and loudspeaker.
        case system
        /// A virtual device, paced in real time, that hears silence and plays into nothing.
        case null
        /// Meta glasses, with this machine's sound.
        case meta

        /// The plugin that serves it.
        var pluginID: String {
            switch self {
            case .system: "org.extentos.system-device"
            case .null: "org.extentos.loopback"
            case .meta: "org.extentos.meta-dat"
            }
        }
    }

    static let device = OptionSpec(
        "--device", .choice(Kind.allCases.map(\.rawValue)),
        help:
            "system (the default): this machine's microphone and loudspeaker. null: a virtual device, paced in real time, "
            + "that hears silence and plays into nothing. meta: Meta glasses, with this machine's sound; they come from the mock "
            + "device kit of --mock, from that of the app whose socket EXTENTOS_MOCK_LINK names, or from the phone of --bridge."
    )
    static let microphone = OptionSpec(
        "--mic", .text("NAME"), help: "The microphone, as 'glasses devices' names it; 'none' goes without.")
    static let speaker = OptionSpec(
        "--speaker", .text("NAME"), help: "The loudspeaker, as 'glasses devices' names it; 'none' goes without.")

    static let camera = OptionSpec(
        "--camera", .text("NAME"),
        help:
            "The camera, as 'glasses devices' names it; the first one by default. 'pattern' is a test pattern, 'file:PATH' "
            + "a picture, a Motion JPEG file or a folder of pictures; 'none' goes without.")

    static let echoCancellation = OptionSpec(
        "--echo-cancellation", .choice(["auto", "on", "off"]),
        help: "Whether the loudspeaker's echo is taken out of the microphone: auto (the default) does so unless the "
            + "loudspeaker is known to be a headset.")
    static let noiseSuppression = OptionSpec(
        "--noise-suppression", .choice(["off", "low", "moderate", "high"]),
        help: "How much noise is taken out of the microphone; off by default.")

    /// The kind of device.
    let kind: Kind
    /// The microphone's name; nil for the default one.
    private(set) var microphone: String?
    /// The loudspeaker's name; nil for the default one.
    private(set) var speaker: String?
    /// The camera's name, `pattern`, `none`, or `file:` and an absolute path; nil for the first camera, if there is one.
    private(set) var camera: String?
    /// Whether the virtual device shows its test pattern.
    private var hasVirtualCamera = false
    /// Whether the Meta glasses are simulated by this program.
    private(set) var isMocked = false
    /// The phone that leads to the Meta glasses.
    private(set) var bridge: PhoneBridge?
    /// `auto`, `on` or `off`; nil for the plugin's own choice.
    private(set) var echoCancellation: String?
    /// `off`, `low`, `moderate` or `high`; nil for the plugin's own choice.
    private(set) var noiseSuppression: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        kind = arguments.text(Self.device.name).flatMap(Kind.init) ?? .system
        microphone = arguments.text(Self.microphone.name)
        speaker = arguments.text(Self.speaker.name)
        camera = arguments.text(Self.camera.name).map(Self.camera(named:))
        echoCancellation = arguments.text(Self.echoCancellation.name)
        noiseSuppression = arguments.text(Self.noiseSuppression.name)
        let ofSystem = [Self.microphone, Self.speaker, Self.camera, Self.echoCancellation, Self.noiseSuppression]
        for option in ofSystem where arguments.text(option.name) != nil && kind == .null {
            throw arguments.error(
                "\(option.name) is for a device of the system; leave it out, or leave out --device null")
        }
        isMocked = arguments.has(SimulatedGlasses.option.name)
        if isMocked, kind != .meta { throw arguments.error("--mock is for Meta glasses; add --device meta") }
        bridge = try Self.bridge(arguments, kind: kind, isMocked: isMocked)
        if kind == .meta, camera != nil {
            throw arguments.error("--camera is for a device of the system; Meta glasses have their own")
        }
        for option in [Self.microphone, Self.speaker, Self.camera] where arguments.text(option.name) == "" {
            throw arguments.error("\(option.name) needs a name")
        }
    }

    /// A device by its parts.
    init(kind: Kind, microphone: String? = nil, speaker: String? = nil, camera: String? = nil) {
        self.kind = kind
        self.camera = camera
        self.microphone = microphone
        self.speaker = speaker
    }

    private static func bridge(
        _ arguments: ParsedArguments, kind: Kind, isMocked: Bool
    ) throws(UsageError) -> PhoneBridge? {
        guard let text = arguments.text(PhoneBridge.option.name) else { return nil }
        guard kind == .meta else { throw arguments.error("--bridge is for Meta glasses; add --device meta") }
        guard !isMocked else { throw arguments.error("--bridge and --mock are two ways to the glasses; leave one out") }
        guard let bridge = PhoneBridge(text) else {
            throw arguments.error(
                "--bridge takes tcp://, ws://, wss://, listen-tcp:// or listen-ws:// and an address, such as tcp://192.0.2.7:7411"
            )
        }
        return bridge
    }

    /// The plugin, which may run elsewhere, is told an absolute path.
    private static func camera(named name: String) -> String {
        let prefix = "file:"
        return name.hasPrefix(prefix) ? prefix + AbsolutePath.of(String(name.dropFirst(prefix.count))) : name
    }

    /// The transport that serves it.
    var transport: TransportChoice {
        var settings: [String: JSONValue] = [:]
        settings["microphone"] = microphone.map(JSONValue.string)
        settings["speaker"] = speaker.map(JSONValue.string)
        settings["camera"] = hasVirtualCamera ? true : camera.map(JSONValue.string)
        settings["echoCancellation"] = echoCancellation.map(JSONValue.string)
        settings["noiseSuppression"] = noiseSuppression.map(JSONValue.string)
        guard kind == .meta else { return .plugin(id: kind.pluginID, settings: settings) }
        settings["camera"] = "none"
        let sound: [String: JSONValue] =
            hasSound ? ["audioSettings": .object(settings)] : ["audio": "none"]
        return .plugin(id: kind.pluginID, settings: sound.merging(bridge?.settings ?? [:]) { $1 })
    }

    private var hasSound: Bool { microphone != "none" || speaker != "none" }

    /// The same for commands that use the camera: without a loudspeaker, and without a microphone where no sound is wanted. The
    /// virtual device then has its camera, too.
    func watching(withSound: Bool) -> DeviceOptions {
        var options = self
        options.hasVirtualCamera = kind == .null
        guard kind != .null else { return options }
        options.speaker = "none"
        if !withSound { options.microphone = "none" }
        return options
    }

    /// The same without a microphone, for commands that only speak.
    var withoutMicrophone: DeviceOptions {
        kind == .null
            ? self
            : DeviceOptions(
                kind: kind, microphone: "none", speaker: speaker, camera: kind == .system ? "none" : nil)
    }

    /// The same without a loudspeaker, for commands that only listen.
    var withoutSpeaker: DeviceOptions {
        guard kind != .null else { return self }
        var options = DeviceOptions(
            kind: kind, microphone: microphone, speaker: "none", camera: kind == .system ? "none" : nil)
        options.noiseSuppression = noiseSuppression
        return options
    }
}
