import GlassesDomain

extension SessionUpdate: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        type = try reader.take("type")
        try readAudio(&reader)
        try readBetaFields(&reader)
        model = try reader.take("model")
        outputModalities = try reader.take("output_modalities") ?? outputModalities
        instructions = try reader.take("instructions")
        tools = try reader.take("tools")
        toolChoice = try reader.take("tool_choice")
        parallelToolCalls = try reader.take("parallel_tool_calls")
        reasoning = try reader.take("reasoning")
        maxOutputTokens = try reader.take("max_output_tokens") ?? maxOutputTokens
        truncation = try reader.take("truncation")
        prompt = try reader.update("prompt")
        tracing = try reader.update("tracing")
        include = try reader.update("include")
        extra = reader.extra
    }

    private mutating func readAudio(_ reader: inout ObjectReader) throws(RealtimeCodecError) {
        guard let audio = try reader.take("audio", as: AudioUpdate.self) else { return }
        input = audio.input
        output = audio.output
    }

    /// The flat fields of the beta dialect, of which some servers still have `voice` and `turn_detection`.
    private mutating func readBetaFields(_ reader: inout ObjectReader) throws(RealtimeCodecError) {
        let before = self
        if let modalities = try reader.take("modalities", as: [Modality].self) {
            outputModalities = modalities.contains(.audio) ? [.audio] : modalities
        }
        input.format = try reader.take("input_audio_format") ?? input.format
        output.format = try reader.take("output_audio_format") ?? output.format
        output.voice = try reader.take("voice") ?? output.voice
        output.speed = try reader.take("speed") ?? output.speed
        maxOutputTokens = try reader.take("max_response_output_tokens")
        input.transcription = try reader.update("input_audio_transcription").or(input.transcription)
        input.noiseReduction = try reader.update("input_audio_noise_reduction").or(input.noiseReduction)
        input.turnDetection = try reader.update("turn_detection").or(input.turnDetection).withoutNone
        // The beta dialect had no session type, and only conversations had flat fields in `session.update`.
        if type == nil, self != before { type = .realtime }
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("type", type)
        writer.set("model", model)
        writer.set("output_modalities", outputModalities)
        writer.set("instructions", instructions)
        let audio = AudioUpdate(input: input, output: output)
        if audio != AudioUpdate(input: .init(), output: .init()) { writer.set("audio", audio) }
        writer.set("tools", tools)
        writer.set("tool_choice", toolChoice)
        writer.set("parallel_tool_calls", parallelToolCalls)
        writer.set("reasoning", reasoning)
        writer.set("max_output_tokens", maxOutputTokens)
        writer.set("truncation", truncation)
        writer.set("prompt", prompt)
        writer.set("tracing", tracing)
        writer.set("include", include)
        writer.merge(extra)
    }
}

/// The `audio` object of an update.
private struct AudioUpdate: WireObject, Equatable {
    var input: AudioInputUpdate
    var output: AudioOutputUpdate

    init(input: AudioInputUpdate, output: AudioOutputUpdate) {
        self.input = input
        self.output = output
    }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        input = try reader.take("input") ?? AudioInputUpdate()
        output = try reader.take("output") ?? AudioOutputUpdate()
    }

    func write(to writer: inout ObjectWriter) {
        if input != AudioInputUpdate() { writer.set("input", input) }
        if output != AudioOutputUpdate() { writer.set("output", output) }
    }
}

extension AudioInputUpdate: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        format = try reader.take("format")
        transcription = try reader.update("transcription")
        noiseReduction = try reader.update("noise_reduction")
        turnDetection = try reader.update("turn_detection").withoutNone
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("format", format)
        writer.set("transcription", transcription)
        writer.set("noise_reduction", noiseReduction)
        writer.set("turn_detection", turnDetection)
        writer.merge(extra)
    }
}

extension AudioOutputUpdate: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        format = try reader.take("format")
        voice = try reader.take("voice")
        speed = try reader.take("speed")
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("format", format)
        writer.set("voice", voice)
        writer.set("speed", speed)
        writer.merge(extra)
    }
}

extension FieldUpdate {
    /// This update, or `other` when this one says nothing.
    fileprivate func or(_ other: FieldUpdate) -> FieldUpdate { if case .keep = self { other } else { self } }
}

extension FieldUpdate<TurnDetection> {
    fileprivate var withoutNone: FieldUpdate { value?.isNone == true ? .clear : self }
}
