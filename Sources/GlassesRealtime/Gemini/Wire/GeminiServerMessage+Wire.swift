import GlassesDomain

extension GeminiServerMessage: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        usage = try reader.takeSpelled("usageMetadata")
        body = try Body(from: &reader)
        // What is no kind of news that is known here is kept as it came; an empty message is none.
        if body == nil, !reader.extra.isEmpty { body = .unknown(.object(reader.members)) }
    }

    func write(to writer: inout ObjectWriter) {
        body?.write(to: &writer)
        writer.set("usageMetadata", usage)
    }
}

extension GeminiServerMessage.Body {
    fileprivate init?(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        if let content = try reader.takeSpelled("serverContent", as: GeminiServerContent.self) {
            self = .serverContent(content)
        } else if let calls = try reader.takeSpelled("toolCall", as: ToolCalls.self) {
            self = .toolCall(calls.calls)
        } else if let cancelled = try reader.takeSpelled("toolCallCancellation", as: JSONValue.self) {
            self = .toolCallCancellation(ids: (cancelled["ids"]?.arrayValue ?? []).compactMap(\.stringValue))
        } else if let update = try reader.takeSpelled("sessionResumptionUpdate", as: JSONValue.self) {
            let handle = (update["newHandle"] ?? update["new_handle"])?.stringValue ?? ""
            let isResumable = update["resumable"]?.boolValue ?? false
            self = .sessionResumptionUpdate(handle: isResumable && !handle.isEmpty ? handle : nil)
        } else if let farewell = try reader.takeSpelled("goAway", as: JSONValue.self) {
            let left = (farewell["timeLeft"] ?? farewell["time_left"])?.stringValue
            self = .goAway(timeLeftMs: left.flatMap(GeminiDuration.milliseconds))
        } else if let complete = try reader.takeSpelled("setupComplete", as: JSONValue.self) {
            self = .setupComplete(sessionId: (complete["sessionId"] ?? complete["session_id"])?.stringValue)
        } else if let activity = try reader.takeSpelled("voiceActivity", as: GeminiVoiceActivity.self) {
            self = .voiceActivity(activity)
        } else {
            return nil
        }
    }

    fileprivate func write(to writer: inout ObjectWriter) {
        switch self {
        case .setupComplete(let sessionId):
            var complete = ObjectWriter()
            complete.set("sessionId", sessionId)
            writer.set("setupComplete", complete.value)
        case .serverContent(let content): writer.set("serverContent", content)
        case .toolCall(let calls): writer.set("toolCall", ToolCalls(calls: calls))
        case .toolCallCancellation(let ids):
            writer.set("toolCallCancellation", ["ids": .array(ids.map(JSONValue.string))] as JSONValue)
        case .goAway(let timeLeftMs):
            var farewell = ObjectWriter()
            farewell.set("timeLeft", timeLeftMs.map(GeminiDuration.text))
            writer.set("goAway", farewell.value)
        case .sessionResumptionUpdate(let handle):
            var update = ObjectWriter()
            update.set("newHandle", handle)
            update.set("resumable", handle != nil)
            writer.set("sessionResumptionUpdate", update.value)
        case .voiceActivity(let activity): writer.set("voiceActivity", activity)
        case .unknown(let raw): writer.merge(raw.objectValue ?? [:])
        }
    }
}

private struct ToolCalls: WireObject {
    let calls: [GeminiFunctionCall]

    init(calls: [GeminiFunctionCall]) { self.calls = calls }

    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        calls = try reader.takeSpelled("functionCalls") ?? []
    }

    func write(to writer: inout ObjectWriter) { writer.set("functionCalls", calls) }
}

extension GeminiServerContent: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init()
        modelTurn = try reader.takeSpelled("modelTurn")
        inputTranscription = try reader.takeSpelled("inputTranscription")
        outputTranscription = try reader.takeSpelled("outputTranscription")
        isInterrupted = try reader.take("interrupted") ?? false
        isGenerationComplete = try reader.takeSpelled("generationComplete") ?? false
        isTurnComplete = try reader.takeSpelled("turnComplete") ?? false
        turnCompleteReason = try reader.takeSpelled("turnCompleteReason")
        extra = reader.extra
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("modelTurn", modelTurn)
        writer.set("inputTranscription", inputTranscription)
        writer.set("outputTranscription", outputTranscription)
        if isInterrupted { writer.set("interrupted", true) }
        if isGenerationComplete { writer.set("generationComplete", true) }
        if isTurnComplete { writer.set("turnComplete", true) }
        writer.set("turnCompleteReason", turnCompleteReason)
        writer.merge(extra)
    }
}

extension GeminiTranscription: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        text = try reader.take("text") ?? ""
        isFinished = try reader.take("finished") ?? false
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("text", text)
        if isFinished { writer.set("finished", true) }
    }
}

extension GeminiVoiceActivity: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        isStart = try reader.takeSpelled("voiceActivityType", as: String.self) == "ACTIVITY_START"
        offsetMs = try reader.takeSpelled("audioOffset", as: String.self).flatMap(GeminiDuration.milliseconds)
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("voiceActivityType", isStart ? "ACTIVITY_START" : "ACTIVITY_END")
        writer.set("audioOffset", offsetMs.map(GeminiDuration.text))
    }
}

extension GeminiUsage: WireObject {
    init(from reader: inout ObjectReader) throws(RealtimeCodecError) {
        self.init()
        promptTokens = try reader.takeSpelled("promptTokenCount") ?? 0
        responseTokens = try reader.takeSpelled("responseTokenCount") ?? 0
        totalTokens = try reader.takeSpelled("totalTokenCount") ?? 0
        promptDetails = Self.details(try reader.takeSpelled("promptTokensDetails") ?? [])
        responseDetails = Self.details(try reader.takeSpelled("responseTokensDetails") ?? [])
    }

    private static func details(_ list: [JSONValue]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for entry in list {
            guard let kind = entry["modality"]?.stringValue,
                let count = (entry["tokenCount"] ?? entry["token_count"])?.intValue
            else { continue }
            counts[kind] = Int(clamping: count)
        }
        return counts
    }

    private static func list(_ counts: [String: Int]) -> [JSONValue]? {
        guard !counts.isEmpty else { return nil }
        return counts.sorted { $0.key < $1.key }
            .map { ["modality": .string($0.key), "tokenCount": .int(Int64($0.value))] }
    }

    func write(to writer: inout ObjectWriter) {
        writer.set("promptTokenCount", promptTokens)
        writer.set("responseTokenCount", responseTokens)
        writer.set("totalTokenCount", totalTokens)
        writer.set("promptTokensDetails", Self.list(promptDetails))
        writer.set("responseTokensDetails", Self.list(responseDetails))
    }
}
