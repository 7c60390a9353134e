import GlassesDomain

extension GeminiSetup: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init(model: try reader.require("model", or: ""))
        try readGeneration(&reader)
        systemInstruction = try reader.takeSpelled("systemInstruction")
        functions = try (reader.take("tools", as: [GeminiTool].self) ?? []).flatMap(\.functions)
        if let input = try reader.takeSpelled("realtimeInputConfig", as: GeminiInputConfiguration.self) {
            activityDetection = input.detection
            interrupts = input.interrupts
        }
        if let resumption = try reader.takeSpelled("sessionResumption", as: [String: JSONValue].self) {
            isResumable = true
            resumptionHandle = resumption["handle"]?.stringValue
        }
        slidesContext = try reader.takeSpelled("contextWindowCompression", as: JSONValue.self) != nil
        transcribesInput = try reader.takeSpelled("inputAudioTranscription", as: JSONValue.self) != nil
        transcribesOutput = try reader.takeSpelled("outputAudioTranscription", as: JSONValue.self) != nil
        extra = reader.extra
    }

    private mutating func readGeneration(_ reader: inout ObjectReader) throws(RealtimeCodecError) {
        let key = reader.spelling(of: "generationConfig")
        guard let fields = try reader.take(key, as: [String: JSONValue].self) else { return }
        var generation = ObjectReader(fields, in: reader.context.child(key))
        responseModalities = try generation.takeSpelled("responseModalities") ?? []
        maxOutputTokens = try generation.takeSpelled("maxOutputTokens")
        voice = try generation.takeSpelled("speechConfig", as: GeminiSpeech.self)?.voice
        let thinking = try generation.takeSpelled("thinkingConfig", as: JSONValue.self)
        thinkingLevel = (thinking?["thinkingLevel"] ?? thinking?["thinking_level"])?.stringValue
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("model", model)
        var generation = ObjectWriter()
        generation.set("responseModalities", responseModalities.isEmpty ? nil : responseModalities)
        generation.set("maxOutputTokens", maxOutputTokens)
        generation.set("speechConfig", voice.map(GeminiSpeech.init))
        generation.set("thinkingConfig", thinkingLevel.map { ["thinkingLevel": .string($0)] as JSONValue })
        writer.set("generationConfig", generation.value)
        writer.set("systemInstruction", systemInstruction)
        writer.set("tools", functions.isEmpty ? nil : [GeminiTool(functions: functions)])
        writer.set(
            "realtimeInputConfig", GeminiInputConfiguration(detection: activityDetection, interrupts: interrupts))
        if isResumable {
            var resumption = ObjectWriter()
            resumption.set("handle", resumptionHandle)
            writer.set("sessionResumption", resumption.value)
        }
        if slidesContext { writer.set("contextWindowCompression", ["slidingWindow": [:]] as JSONValue) }
        if transcribesInput { writer.set("inputAudioTranscription", [:] as JSONValue) }
        if transcribesOutput { writer.set("outputAudioTranscription", [:] as JSONValue) }
        writer.merge(extra)
    }
}

/// `speechConfig` as far as it names a voice.
private struct GeminiSpeech: WireObject {
    let voice: String?

    init(_ voice: String) { self.voice = voice }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        var tree: JSONValue = .object(reader.members)
        for name in ["voiceConfig", "prebuiltVoiceConfig", "voiceName"] {
            tree = tree[name] ?? tree[GeminiSpelling.snakeCase(name)] ?? .null
        }
        voice = tree.stringValue
    }

    func write(to writer: inout ObjectWriter) {
        guard let voice else { return }
        writer.set("voiceConfig", ["prebuiltVoiceConfig": ["voiceName": .string(voice)]] as JSONValue)
    }
}

/// `realtimeInputConfig`.
private struct GeminiInputConfiguration: WireObject {
    private static let uninterrupted = "NO_INTERRUPTION"

    let detection: GeminiActivityDetection
    let interrupts: Bool

    init(detection: GeminiActivityDetection, interrupts: Bool) {
        self.detection = detection
        self.interrupts = interrupts
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        detection = try reader.takeSpelled("automaticActivityDetection") ?? GeminiActivityDetection()
        interrupts = try reader.takeSpelled("activityHandling", as: String.self) != Self.uninterrupted
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("automaticActivityDetection", detection)
        if !interrupts { writer.set("activityHandling", Self.uninterrupted) }
    }
}

/// One entry of `tools`; tools that the server runs itself are left out.
private struct GeminiTool: WireObject {
    let functions: [GeminiFunctionDeclaration]

    init(functions: [GeminiFunctionDeclaration]) { self.functions = functions }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        functions = try reader.takeSpelled("functionDeclarations") ?? []
    }

    func write(to writer: inout ObjectWriter) { writer.set("functionDeclarations", functions) }
}

extension GeminiFunctionDeclaration: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        name = try reader.require("name", or: "")
        description = try reader.take("description")
        let openAPI = try reader.take("parameters", as: JSONValue.self).map(GeminiSchema.jsonSchema)
        parameters = try reader.takeSpelled("parametersJsonSchema") ?? openAPI
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("name", name)
        writer.set("description", description)
        writer.set("parametersJsonSchema", parameters)
    }
}

/// The schemas of `parameters`: an OpenAPI subset whose names of types are in capitals.
enum GeminiSchema {
    /// Deeper schemas than any tool has are left as they are.
    private static let deepest = 32

    /// The JSON Schema that says the same.
    static func jsonSchema(_ schema: JSONValue) -> JSONValue { jsonSchema(schema, depth: 0) }

    private static func jsonSchema(_ schema: JSONValue, depth: Int) -> JSONValue {
        guard var members = schema.objectValue, depth < deepest else { return schema }
        if let type = members["type"]?.stringValue { members["type"] = .string(type.lowercased()) }
        if let items = members["items"] { members["items"] = jsonSchema(items, depth: depth + 1) }
        if let properties = members["properties"]?.objectValue {
            members["properties"] = .object(properties.mapValues { jsonSchema($0, depth: depth + 1) })
        }
        for key in ["anyOf", "any_of"] {
            guard let choices = members.removeValue(forKey: key)?.arrayValue else { continue }
            members["anyOf"] = .array(choices.map { jsonSchema($0, depth: depth + 1) })
        }
        return .object(members)
    }
}
