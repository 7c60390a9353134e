import GlassesDomain

/// The `response` of a `response.create`: overrides of the session for one response; nil means "as the session".
public struct ResponseParameters: Sendable, Hashable {
    /// Where the response goes.
    public enum Conversation: String, Sendable, Hashable, CaseIterable {
        /// Into the conversation (the default).
        case auto
        /// Nowhere: several such responses may run at once.
        case none
    }

    /// Where the response goes.
    public var conversation: Conversation?
    /// The context instead of the conversation; an empty list means none.
    public var input: [ConversationItem]?
    /// Instructions instead of the session's.
    public var instructions: String?
    /// `[.audio]` or `[.text]`.
    public var outputModalities: [Modality]?
    /// The format of the audio.
    public var audioFormat: AudioFormat?
    /// The voice.
    public var voice: Voice?
    /// The tools.
    public var tools: [ToolDefinition]?
    /// Whether and which tool must be called.
    public var toolChoice: ToolChoice?
    /// Whether several tools may be called at once.
    public var parallelToolCalls: Bool?
    /// The longest answer.
    public var maxOutputTokens: TokenLimit?
    /// Up to 16 pairs that the response echoes; keys up to 64 characters, values up to 512.
    public var metadata: [String: String]?
    /// A stored prompt.
    public var prompt: PromptReference?
    /// How much a reasoning model thinks.
    public var reasoning: Reasoning?
    /// Fields that the protocol does not name.
    public var extra: [String: JSONValue] = [:]

    /// Parameters that override nothing yet.
    public init() {}
}

extension ResponseParameters {
    /// The first value that no server of the protocol accepts, as the error to answer with; nil when all are possible.
    public var firstProblem: RealtimeErrorInfo? {
        outputModalities.flatMap { OutputChecks.modalities($0, at: "response.output_modalities") }
            ?? audioFormat.flatMap { OutputChecks.format($0, at: "response.audio.output.format") }
            ?? tools.flatMap { OutputChecks.tools($0, at: "response.tools") }
            ?? toolChoice.flatMap { OutputChecks.toolChoice($0, at: "response.tool_choice") }
            ?? maxOutputTokens.flatMap { OutputChecks.tokenLimit($0, at: "response.max_output_tokens") }
            ?? metadata.flatMap(Self.problem(of:))
            ?? input.flatMap(Self.problem(ofInput:))
    }

    private static func problem(ofInput items: [ConversationItem]) -> RealtimeErrorInfo? {
        for (index, item) in items.enumerated() {
            let path = "response.input[\(index)]"
            if case .itemReference = item.body {
                if item.id == nil { return .missing(path + ".id") }
            } else if let problem = item.firstProblem(at: path) {
                return problem
            }
        }
        return nil
    }

    private static func problem(of metadata: [String: String]) -> RealtimeErrorInfo? {
        if metadata.count > 16 { return .invalidValue("response.metadata", "Send at most 16 pairs.") }
        if metadata.contains(where: { $0.key.count > 64 || $0.value.count > 512 }) {
            return .invalidValue("response.metadata", "Send keys of at most 64 and values of at most 512 characters.")
        }
        return nil
    }
}

extension ResponseParameters: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        conversation = try reader.take("conversation")
        input = try reader.take("input")
        instructions = try reader.take("instructions")
        if let audio = try reader.take("audio", as: ResponseAudio.self) {
            audioFormat = audio.format
            voice = audio.voice
        }
        try readBetaFields(&reader)
        outputModalities = try reader.take("output_modalities") ?? outputModalities
        tools = try reader.take("tools")
        toolChoice = try reader.take("tool_choice")
        parallelToolCalls = try reader.take("parallel_tool_calls")
        maxOutputTokens = try reader.take("max_output_tokens") ?? maxOutputTokens
        metadata = try reader.take("metadata")
        prompt = try reader.take("prompt")
        reasoning = try reader.take("reasoning")
        extra = reader.extra
    }

    private mutating func readBetaFields(_ reader: inout ObjectReader) throws(RealtimeCodecError) {
        if let modalities = try reader.take("modalities", as: [Modality].self) {
            outputModalities = modalities.contains(.audio) ? [.audio] : modalities
        }
        audioFormat = try reader.take("output_audio_format") ?? audioFormat
        voice = try reader.take("voice") ?? voice
        maxOutputTokens = try reader.take("max_response_output_tokens")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("conversation", conversation)
        writer.set("input", input)
        writer.set("instructions", instructions)
        writer.set("output_modalities", outputModalities)
        writer.set("audio", ResponseAudio(format: audioFormat, voice: voice))
        writer.set("tools", tools)
        writer.set("tool_choice", toolChoice)
        writer.set("parallel_tool_calls", parallelToolCalls)
        writer.set("max_output_tokens", maxOutputTokens)
        writer.set("metadata", metadata)
        writer.set("prompt", prompt)
        writer.set("reasoning", reasoning)
        writer.merge(extra)
    }
}

extension ResponseParameters.Conversation: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        guard let value = Self(rawValue: try String(wire: wire, in: context)) else {
            throw context.wrongValue(expected: "\"auto\" or \"none\"")
        }
        self = value
    }

    var wire: JSONValue { .string(rawValue) }
}

/// The `audio.output` of a response.
struct ResponseAudio: WireObject {
    var format: AudioFormat?
    var voice: Voice?

    /// Nil when there is nothing to write.
    init?(format: AudioFormat?, voice: Voice?) {
        if format == nil, voice == nil { return nil }
        self.format = format
        self.voice = voice
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        guard let output = try reader.take("output", as: JSONValue.self) else { return }
        var inner = try ObjectReader(output, in: reader.context.child("output"))
        format = try inner.take("format")
        voice = try inner.take("voice")
    }

    func write(to writer: inout ObjectWriter) {
        var output = ObjectWriter()
        output.set("format", format)
        output.set("voice", voice)
        writer.set("output", output.value)
    }
}
