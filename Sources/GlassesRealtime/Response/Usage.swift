import GlassesDomain

/// The tokens of one response.
public struct Usage: WireObject, Sendable, Hashable {
    /// Input and output together.
    public var totalTokens: Int
    /// The context that was read.
    public var inputTokens: Int
    /// What was produced.
    public var outputTokens: Int
    /// Input by kind.
    public var inputDetails: TokenDetails?
    /// Output by kind.
    public var outputDetails: TokenDetails?

    /// A count; `totalTokens` defaults to the sum.
    public init(
        inputTokens: Int, outputTokens: Int, totalTokens: Int? = nil, inputDetails: TokenDetails? = nil,
        outputDetails: TokenDetails? = nil
    ) {
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.totalTokens = totalTokens ?? inputTokens.addingReportingOverflow(outputTokens).partialValue
        self.inputDetails = inputDetails
        self.outputDetails = outputDetails
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init(
            inputTokens: try reader.take("input_tokens") ?? 0, outputTokens: try reader.take("output_tokens") ?? 0,
            totalTokens: try reader.take("total_tokens"), inputDetails: try reader.take("input_token_details"),
            outputDetails: try reader.take("output_token_details"))
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("total_tokens", totalTokens)
        writer.set("input_tokens", inputTokens)
        writer.set("output_tokens", outputTokens)
        writer.set("input_token_details", inputDetails)
        writer.set("output_token_details", outputDetails)
    }
}

/// Tokens by kind; nil when the server did not say.
public struct TokenDetails: WireObject, Sendable, Hashable {
    /// Text.
    public var textTokens: Int?
    /// Speech.
    public var audioTokens: Int?
    /// Pictures.
    public var imageTokens: Int?
    /// Of the input, what came from the cache.
    public var cachedTokens: Int?
    /// The cached tokens by kind, as they came.
    public var cachedDetails: [String: JSONValue]?

    /// A count by kind.
    public init(
        textTokens: Int? = nil, audioTokens: Int? = nil, imageTokens: Int? = nil, cachedTokens: Int? = nil,
        cachedDetails: [String: JSONValue]? = nil
    ) {
        self.textTokens = textTokens
        self.audioTokens = audioTokens
        self.imageTokens = imageTokens
        self.cachedTokens = cachedTokens
        self.cachedDetails = cachedDetails
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        textTokens = try reader.take("text_tokens")
        audioTokens = try reader.take("audio_tokens")
        imageTokens = try reader.take("image_tokens")
        cachedTokens = try reader.take("cached_tokens")
        cachedDetails = try reader.take("cached_tokens_details")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("text_tokens", textTokens)
        writer.set("audio_tokens", audioTokens)
        writer.set("image_tokens", imageTokens)
        writer.set("cached_tokens", cachedTokens)
        writer.set("cached_tokens_details", cachedDetails)
    }
}

/// What one transcription of user speech cost.
public enum TranscriptionUsage: Sendable, Hashable {
    /// Billed by time, in seconds.
    case duration(seconds: Double)
    /// Billed by tokens.
    case tokens(Usage)
}

extension TranscriptionUsage: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        if reader.peek("type") == "tokens" {
            self = .tokens(try Usage(from: &reader))
        } else {
            self = .duration(seconds: try reader.take("seconds") ?? 0)
        }
    }

    var wire: JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .duration(let seconds):
            writer.set("type", "duration")
            writer.set("seconds", seconds)
        case .tokens(let usage):
            writer.set("type", "tokens")
            usage.write(to: &writer)
        }
        return writer.value
    }
}

/// One limit of the account.
public struct RateLimit: WireObject, Sendable, Hashable {
    /// What is limited.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case requests
        case tokens
    }

    /// What is limited; nil when the server named nothing that the protocol knows.
    public var name: Name?
    /// The most in one period.
    public var limit: Int?
    /// What is left.
    public var remaining: Int?
    /// Seconds until the limit is whole again.
    public var resetSeconds: Double?

    /// A limit.
    public init(name: Name?, limit: Int? = nil, remaining: Int? = nil, resetSeconds: Double? = nil) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
        self.resetSeconds = resetSeconds
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        name = try reader.take("name", as: String.self).flatMap(Name.init(rawValue:))
        limit = try reader.take("limit")
        remaining = try reader.take("remaining")
        resetSeconds = try reader.take("reset_seconds")
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("name", name?.rawValue)
        writer.set("limit", limit)
        writer.set("remaining", remaining)
        writer.set("reset_seconds", resetSeconds)
    }
}
