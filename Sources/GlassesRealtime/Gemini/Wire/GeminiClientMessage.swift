import GlassesDomain

/// What a client of Gemini Live says, one kind a message.
public enum GeminiClientMessage: Sendable, Hashable {
    /// What the session is to be; the first message, and only that.
    case setup(GeminiSetup)
    /// Turns behind those that the server has; `isTurnComplete` asks for an answer.
    case clientContent(turns: [GeminiContent], isTurnComplete: Bool)
    /// Something that happens now.
    case realtimeInput(GeminiRealtimeInput)
    /// Results of calls.
    case toolResponse([GeminiFunctionResponse])
    /// A kind that is not known here, as the whole message came.
    case unknown(JSONValue)
}

/// Something that happens now, in a client's message.
public enum GeminiRealtimeInput: Sendable, Hashable {
    /// A piece of the microphone's audio.
    case audio(GeminiBlob)
    /// A frame of the camera.
    case video(GeminiBlob)
    /// Words that are typed.
    case text(String)
    /// The microphone is off for a while.
    case audioStreamEnd
    /// The user begins to speak; only without the server's own detection.
    case activityStart
    /// The user has spoken; only without the server's own detection.
    case activityEnd
    /// Pieces of media in the old form.
    case mediaChunks([GeminiBlob])
    /// A kind that is not known here, as it came.
    case unknown(JSONValue)
}

extension GeminiClientMessage: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        if let setup = try reader.take("setup", as: GeminiSetup.self) {
            self = .setup(setup)
        } else if let content = try reader.takeSpelled("clientContent", as: ClientContent.self) {
            self = .clientContent(turns: content.turns, isTurnComplete: content.isTurnComplete)
        } else if let input = try reader.takeSpelled("realtimeInput", as: GeminiRealtimeInput.self) {
            self = .realtimeInput(input)
        } else if let response = try reader.takeSpelled("toolResponse", as: ToolResponse.self) {
            self = .toolResponse(response.responses)
        } else {
            self = .unknown(.object(reader.members))
        }
    }

    func write(to writer: inout ObjectWriter) {
        switch self {
        case .setup(let setup): writer.set("setup", setup)
        case .clientContent(let turns, let isTurnComplete):
            writer.set("clientContent", ClientContent(turns: turns, isTurnComplete: isTurnComplete))
        case .realtimeInput(let input): writer.set("realtimeInput", input)
        case .toolResponse(let responses): writer.set("toolResponse", ToolResponse(responses: responses))
        case .unknown(let raw): writer.merge(raw.objectValue ?? [:])
        }
    }
}

private struct ClientContent: WireObject {
    let turns: [GeminiContent]
    let isTurnComplete: Bool

    init(turns: [GeminiContent], isTurnComplete: Bool) {
        self.turns = turns
        self.isTurnComplete = isTurnComplete
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        turns = try reader.take("turns") ?? []
        isTurnComplete = try reader.takeSpelled("turnComplete") ?? false
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("turns", turns.isEmpty ? nil : turns)
        writer.set("turnComplete", isTurnComplete)
    }
}

private struct ToolResponse: WireObject {
    let responses: [GeminiFunctionResponse]

    init(responses: [GeminiFunctionResponse]) { self.responses = responses }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        responses = try reader.takeSpelled("functionResponses") ?? []
    }

    func write(to writer: inout ObjectWriter) { writer.set("functionResponses", responses) }
}

extension GeminiRealtimeInput: WireValue {
    init(wire: JSONValue, in context: DecodingContext) throws(RealtimeCodecError) {
        var reader = try ObjectReader(wire, in: context)
        if let audio = try reader.take("audio", as: GeminiBlob.self) {
            self = .audio(audio)
        } else if let video = try reader.take("video", as: GeminiBlob.self) {
            self = .video(video)
        } else if let text = try reader.take("text", as: String.self) {
            self = .text(text)
        } else if try reader.takeSpelled("audioStreamEnd") ?? false {
            self = .audioStreamEnd
        } else if try reader.takeSpelled("activityStart", as: JSONValue.self) != nil {
            self = .activityStart
        } else if try reader.takeSpelled("activityEnd", as: JSONValue.self) != nil {
            self = .activityEnd
        } else if let chunks = try reader.takeSpelled("mediaChunks", as: [GeminiBlob].self) {
            self = .mediaChunks(chunks)
        } else {
            self = .unknown(wire)
        }
    }

    var wire: JSONValue {
        var writer = ObjectWriter()
        switch self {
        case .audio(let blob): writer.set("audio", blob)
        case .video(let blob): writer.set("video", blob)
        case .text(let text): writer.set("text", text)
        case .audioStreamEnd: writer.set("audioStreamEnd", true)
        case .activityStart: writer.set("activityStart", [:] as JSONValue)
        case .activityEnd: writer.set("activityEnd", [:] as JSONValue)
        case .mediaChunks(let chunks): writer.set("mediaChunks", chunks)
        case .unknown(let raw): return raw
        }
        return writer.value
    }
}
