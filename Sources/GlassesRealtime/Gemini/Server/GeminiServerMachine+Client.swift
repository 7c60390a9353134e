import Foundation
import GlassesDomain

extension GeminiServerMachine {
    /// Silence by which a session notices that nobody speaks any more: longer than any silence that ends a turn.
    private static let closingSilence = GeminiBlob.pcm([UInt8](repeating: 0, count: 2 * 2 * 16_000), rate: 16_000)

    mutating func receive(_ message: GeminiClientMessage) {
        if case .setup(let setup) = message { return begin(setup) }
        guard stage != .fresh else { return close(Self.invalidArgument, "Send setup as the first message.") }
        switch message {
        case .setup: break
        case .clientContent(let turns, let isTurnComplete): take(turns, isTurnComplete)
        case .realtimeInput(let input): take(input)
        case .toolResponse(let responses): take(responses)
        case .unknown: close(Self.invalidArgument, "Send a message that this gateway knows.")
        }
    }

    private mutating func begin(_ setup: GeminiSetup) {
        guard stage == .fresh else { return close(Self.invalidArgument, "Send setup only once.") }
        guard setup.resumptionHandle == nil else {
            return close(Self.refused, "This gateway has no session of that handle. Begin a new one.")
        }
        isManual = setup.activityDetection.isDisabled
        interrupts = setup.interrupts
        transcribesInput = setup.transcribesInput
        transcribesOutput = setup.transcribesOutput
        stage = .configuring(isResumable: setup.isResumable)
        let model = setup.model.split(separator: "/").last.map(String.init) ?? ""
        actions.append(.begin(model: model, SessionUpdate(setup)))
    }

    private mutating func take(_ turns: [GeminiContent], _ isTurnComplete: Bool) {
        for turn in turns { put(turn) }
        if isTurnComplete { ask(interrupting: true) }
    }

    /// Puts a turn into the conversation: its words and pictures as a message, calls and results as items of their own.
    private mutating func put(_ turn: GeminiContent) {
        let isModel = turn.role == "model"
        var content: [ContentPart] = []
        for part in turn.parts {
            switch part {
            case .text(let text, _): content.append(isModel ? .outputText(text) : .inputText(text))
            case .inlineData(let blob):
                if let picture = Self.picture(blob) { content.append(picture) }
            case .functionCall(let call):
                put(
                    .functionCall(
                        FunctionCallItem(name: call.name, arguments: call.arguments.jsonText, callId: call.id)))
            case .functionResponse(let response):
                calls.remove(response.id)
                put(.functionCallOutput(FunctionCallOutputItem(callId: response.id, output: Self.output(response))))
            case .unknown: break
            }
        }
        if !content.isEmpty { put(.message(MessageItem(role: isModel ? .assistant : .user, content: content))) }
    }

    private mutating func put(_ body: ConversationItem.Body) {
        send(.conversationItemCreate(ItemCreation(item: ConversationItem(body: body))))
    }

    private mutating func take(_ input: GeminiRealtimeInput) {
        switch input {
        case .audio(let blob): append(blob)
        case .video(let blob): show(blob)
        case .mediaChunks(let chunks):
            for chunk in chunks { if chunk.mimeType.hasPrefix("audio/") { append(chunk) } else { show(chunk) } }
        case .text(let text):
            put(.message(MessageItem(role: .user, content: [.inputText(text)])))
            ask(interrupting: interrupts)
        case .audioStreamEnd: if !isManual { append(Self.closingSilence) }
        case .activityStart: mark { $0.beginActivity() }
        case .activityEnd: mark { $0.endActivity() }
        case .unknown: close(Self.invalidArgument, "Send realtimeInput with audio, video, text or an activity.")
        }
    }

    private mutating func mark(_ body: (inout GeminiServerMachine) -> Void) {
        guard isManual else {
            return close(Self.invalidArgument, "Activity can be marked only with automaticActivityDetection disabled.")
        }
        body(&self)
    }

    private mutating func beginActivity() {
        send(.inputAudioBufferClear)
        if interrupts, answerId != nil { send(.responseCancel(responseId: answerId)) }
    }

    private mutating func endActivity() {
        send(.inputAudioBufferCommit)
        ask(interrupting: interrupts)
    }

    private mutating func append(_ blob: GeminiBlob) {
        guard blob.pcmRate(standard: 16_000) != nil else {
            return close(Self.invalidArgument, "Send audio as audio/pcm with its rate.")
        }
        actions.append(.append(blob))
    }

    /// Of the frames that come, the session has the newest: it is what the user sees.
    private mutating func show(_ blob: GeminiBlob) {
        guard let picture = Self.picture(blob) else {
            return close(Self.invalidArgument, "Send frames as image/jpeg or image/png.")
        }
        let (id, previous) = nextFrame()
        if let previous { send(.conversationItemDelete(itemId: previous)) }
        let item = ConversationItem(id: id, body: .message(MessageItem(role: .user, content: [picture])))
        send(.conversationItemCreate(ItemCreation(item: item)))
    }

    private static func picture(_ blob: GeminiBlob) -> ContentPart? {
        guard ["image/jpeg", "image/png"].contains(blob.mimeType) else { return nil }
        let text = Data(blob.data).base64EncodedString()
        return .inputImage(url: "data:\(blob.mimeType);base64,\(text)", detail: nil)
    }

    private mutating func take(_ responses: [GeminiFunctionResponse]) {
        for response in responses {
            guard calls.remove(response.id) != nil else {
                return close(Self.invalidArgument, "There is no call of that id.")
            }
            put(.functionCallOutput(FunctionCallOutputItem(callId: response.id, output: Self.output(response))))
        }
        // An older call that was never answered holds nothing up.
        if round.isDisjoint(with: calls), !responses.isEmpty { ask(interrupting: false) }
    }

    /// The text of a result: what stands under `output` alone, else the whole object.
    private static func output(_ response: GeminiFunctionResponse) -> String {
        let members = response.response.objectValue ?? [:]
        if members.count == 1, let output = members["output"] ?? members["result"] {
            return output.stringValue ?? output.jsonText
        }
        return response.response.jsonText
    }
}

extension SessionUpdate {
    /// How loud speech has to be for each sensitivity of Gemini Live.
    private static let thresholds = ["START_SENSITIVITY_HIGH": 0.3, "START_SENSITIVITY_LOW": 0.7]

    /// What a setup of Gemini Live is to a session of the realtime protocol.
    init(_ setup: GeminiSetup) {
        self.init()
        let isText = setup.responseModalities == ["TEXT"]
        outputModalities = [isText ? .text : .audio]
        let paragraphs = (setup.systemInstruction?.parts ?? []).compactMap { part -> String? in
            if case .text(let text, _) = part { text } else { nil }
        }
        if !paragraphs.isEmpty { instructions = paragraphs.joined(separator: "\n\n") }
        output.voice = setup.voice.map(Voice.named)
        tools = setup.functions.map { function in
            .function(
                FunctionTool(
                    name: function.name, description: function.description, parameters: function.parameters))
        }
        maxOutputTokens = setup.maxOutputTokens.map(TokenLimit.tokens)
        input.transcription = setup.transcribesInput ? .set(Transcription()) : .clear
        input.turnDetection = Self.detection(setup)
    }

    private static func detection(_ setup: GeminiSetup) -> FieldUpdate<TurnDetection> {
        let wanted = setup.activityDetection
        guard !wanted.isDisabled else { return .clear }
        var vad = ServerVAD(interruptResponse: setup.interrupts)
        vad.threshold = wanted.startSensitivity.flatMap { thresholds[$0] } ?? vad.threshold
        vad.prefixPaddingMs = wanted.prefixPaddingMs ?? vad.prefixPaddingMs
        vad.silenceDurationMs = wanted.silenceDurationMs ?? vad.silenceDurationMs
        return .set(.serverVAD(vad))
    }
}
