import GlassesAssistant
import GlassesDomain

/// The options of `glasses talk`.
struct TalkOptions: Sendable, Hashable {
    /// Something that a script says or types.
    enum Line: Sendable, Hashable {
        /// Text that is spoken into the microphone.
        case spoken(String)
        /// Text that is typed.
        case typed(String)

        /// The text.
        var text: String {
            switch self {
            case .spoken(let text), .typed(let text): text
            }
        }
    }

    static let say = OptionSpec(
        "--say", .text("TEXT"), isRepeatable: true,
        help: "Mix TEXT, spoken by the installed voice, into what the microphone hears. Proves recognition, not ALSA.")
    static let type = OptionSpec(
        "--type", .text("TEXT"), isRepeatable: true, help: "Give TEXT to the assistant as a typed turn.")
    static let record = OptionSpec(
        "--record", .text("DIR"),
        help:
            "Write what the microphone hears to DIR/mic.wav and what the loudspeaker plays to DIR/speaker.wav; only you can "
            + "read them.")
    static let trace = OptionSpec(
        "--trace", .text("FILE"),
        help:
            "Write what the session was told and did to FILE, for 'glasses replay': an x in the place of each letter of what was "
            + "said, of arguments and outputs; only you can read it.")
    static let traceText = OptionSpec(
        "--trace-text", help: "Keep the texts in the trace: it then holds everything that was said.")
    static let traceAudio = OptionSpec(
        "--trace-audio", help: "Keep the answers' audio in the trace, instead of its length and a hash.")
    static let greet = OptionSpec("--greet", help: "Let the assistant greet when it wakes.")
    static let turns = OptionSpec(
        "--turns", .choice(["silence", "meaning"]),
        help: "End your turn after 500 ms of silence (the default), or as soon as what you said is a whole request.")
    static let json = OptionSpec("--json", help: "Print one JSON object a line instead of a transcript.")
    static let verbose = OptionSpec("--verbose", help: "Write the runtime's log to standard error.")

    /// The table for the help and the parser.
    static let table =
        [
            DeviceOptions.device, SimulatedGlasses.option, PhoneBridge.option, DeviceOptions.microphone,
            DeviceOptions.speaker,
            DeviceOptions.camera,
            DeviceOptions.echoCancellation, DeviceOptions.noiseSuppression, say, type, record, trace,
            traceText, traceAudio, greet,
            GatewayClientOptions.gateway, GatewayClientOptions.authorities, GatewayClientOptions.tokenFile,
            GatewayClientOptions.model, turns,
        ] + EngineOptions.table + BrainOptions.table + [json, verbose]

    let device: DeviceOptions
    let gateway: GatewayClientOptions
    let speech: SpeechChoice
    let brain: BrainOptions
    let turnDetection: TurnDetection
    /// What a script says and types, in order; empty for a conversation.
    let script: [Line]
    /// The folder for recordings.
    let recordings: String?
    /// The file of the trace; nil for none.
    let trace: String?
    /// What the trace keeps of what was said.
    let tracePrivacy: TracePrivacy
    let greets: Bool
    let isJSON: Bool
    let isVerbose: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        device = try DeviceOptions(arguments)
        gateway = try GatewayClientOptions(arguments)
        if let problem = gateway.problem { throw arguments.error(String(problem.message.dropLast())) }
        speech = try EngineOptions(arguments).choice
        brain = try BrainOptions(arguments)
        if brain.isExplicit, gateway.isRemote {
            throw arguments.error("--brain is for 'embedded': a gateway has its own")
        }
        turnDetection = arguments.text(Self.turns.name) == "meaning" ? .semanticVad : .serverVad()
        script = arguments.occurrences.compactMap { occurrence in
            switch occurrence.name {
            case Self.say.name: .spoken(occurrence.value ?? "")
            case Self.type.name: .typed(occurrence.value ?? "")
            default: nil
            }
        }
        recordings = arguments.text(Self.record.name)
        trace = arguments.text(Self.trace.name)
        var privacy = TracePrivacy()
        privacy.keepsText = arguments.has(Self.traceText.name)
        privacy.keepsAudio = arguments.has(Self.traceAudio.name)
        tracePrivacy = privacy
        greets = arguments.has(Self.greet.name)
        isJSON = arguments.has(Self.json.name)
        isVerbose = arguments.has(Self.verbose.name)
        if script.contains(where: { $0.text.allSatisfy(\.isWhitespace) }) {
            throw arguments.error("--say and --type need a text")
        }
        if recordings == "" { throw arguments.error("--record needs a folder") }
        if trace == "" { throw arguments.error("--trace needs a file") }
        if trace == nil, privacy != TracePrivacy() {
            throw arguments.error("--trace-text and --trace-audio need --trace FILE")
        }
        if hasSpokenLines, device.microphone == "none" {
            throw arguments.error("--say needs a microphone; leave out --mic none")
        }
    }

    /// Whether a line is spoken, for which a voice is needed.
    var hasSpokenLines: Bool { script.contains { if case .spoken = $0 { true } else { false } } }
}
