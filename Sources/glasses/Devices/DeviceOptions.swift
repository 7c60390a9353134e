import GlassesCore

/// Which device a command uses: the options that several commands share.
struct DeviceOptions: Sendable, Hashable {
    /// The kinds of device that the command line knows.
    enum Kind: String, Sendable, CaseIterable {
        /// This machine's microphone and loudspeaker.
        case system
        /// A virtual device, paced in real time, that hears silence and plays into nothing.
        case null

        /// The plugin that serves it.
        var pluginID: String {
            switch self {
            case .system: "org.extentos.system-device"
            case .null: "org.extentos.loopback"
            }
        }
    }

    static let device = OptionSpec(
        "--device", .choice(Kind.allCases.map(\.rawValue)),
        help:
            "system (the default): this machine's microphone and loudspeaker. null: a virtual device, paced in real time, "
            + "that hears silence and plays into nothing.")
    static let microphone = OptionSpec(
        "--mic", .text("NAME"), help: "The microphone, as 'glasses devices' names it; 'none' goes without.")
    static let speaker = OptionSpec(
        "--speaker", .text("NAME"), help: "The loudspeaker, as 'glasses devices' names it; 'none' goes without.")

    /// The kind of device.
    let kind: Kind
    /// The microphone's name; nil for the default one.
    let microphone: String?
    /// The loudspeaker's name; nil for the default one.
    let speaker: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        kind = arguments.text(Self.device.name).flatMap(Kind.init) ?? .system
        microphone = arguments.text(Self.microphone.name)
        speaker = arguments.text(Self.speaker.name)
        for option in [Self.microphone, Self.speaker] where arguments.text(option.name) != nil && kind == .null {
            throw arguments.error(
                "\(option.name) names a device of the system; leave it out, or leave out --device null")
        }
        for option in [Self.microphone, Self.speaker] where arguments.text(option.name) == "" {
            throw arguments.error("\(option.name) needs a name")
        }
    }

    /// A device by its parts.
    init(kind: Kind, microphone: String? = nil, speaker: String? = nil) {
        self.kind = kind
        self.microphone = microphone
        self.speaker = speaker
    }

    /// The transport that serves it.
    var transport: TransportChoice {
        var settings: [String: JSONValue] = [:]
        settings["microphone"] = microphone.map(JSONValue.string)
        settings["speaker"] = speaker.map(JSONValue.string)
        return .plugin(id: kind.pluginID, settings: settings)
    }

    /// The same without a microphone, for commands that only speak.
    var withoutMicrophone: DeviceOptions {
        kind == .null ? self : DeviceOptions(kind: kind, microphone: "none", speaker: speaker)
    }

    /// The same without a loudspeaker, for commands that only listen.
    var withoutSpeaker: DeviceOptions {
        kind == .null ? self : DeviceOptions(kind: kind, microphone: microphone, speaker: "none")
    }
}
