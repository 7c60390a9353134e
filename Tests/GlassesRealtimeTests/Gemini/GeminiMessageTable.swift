import GlassesDomain

@testable import GlassesRealtime

/// Messages of Gemini Live as they stand on the wire, in camelCase and, where the official client writes so, in snake_case.
let geminiServerTable: [(text: String, message: GeminiServerMessage)] = [
    (#"{"setupComplete":{}}"#, GeminiServerMessage(.setupComplete(sessionId: nil))),
    (#"{"setupComplete":{"sessionId":"s1"}}"#, GeminiServerMessage(.setupComplete(sessionId: "s1"))),
    (
        #"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"data":"AAEC","mimeType":"audio/pcm;rate=24000"}}],"role":"model"}}}"#,
        .audio(GeminiBlob(mimeType: "audio/pcm;rate=24000", data: [0, 1, 2]))
    ),
    (
        #"{"serverContent":{"modelTurn":{"parts":[{"text":"Hi"},{"text":"hm","thought":true}],"role":"model"}}}"#,
        content {
            $0.modelTurn = GeminiContent(role: "model", parts: [.text("Hi"), .text("hm", isThought: true)])
        }
    ),
    (
        #"{"serverContent":{"inputTranscription":{"finished":true,"text":"what time"}}}"#,
        content { $0.inputTranscription = GeminiTranscription(text: "what time", isFinished: true) }
    ),
    (
        #"{"serverContent":{"outputTranscription":{"text":"noon"}}}"#,
        content { $0.outputTranscription = GeminiTranscription(text: "noon") }
    ),
    (#"{"serverContent":{"interrupted":true}}"#, content { $0.isInterrupted = true }),
    (#"{"serverContent":{"generationComplete":true}}"#, content { $0.isGenerationComplete = true }),
    (
        #"{"serverContent":{"turnComplete":true,"turnCompleteReason":"RESPONSE_REJECTED"},"usageMetadata":{"promptTokenCount":5,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":5}],"responseTokenCount":2,"totalTokenCount":7}}"#,
        {
            var message = content {
                $0.isTurnComplete = true
                $0.turnCompleteReason = "RESPONSE_REJECTED"
            }
            var usage = GeminiUsage()
            (usage.promptTokens, usage.responseTokens, usage.totalTokens) = (5, 2, 7)
            usage.promptDetails = ["AUDIO": 5]
            message.usage = usage
            return message
        }()
    ),
    (
        #"{"toolCall":{"functionCalls":[{"args":{"city":"Rome"},"id":"c1","name":"weather"}]}}"#,
        GeminiServerMessage(
            .toolCall([GeminiFunctionCall(id: "c1", name: "weather", arguments: ["city": "Rome"])]))
    ),
    (
        #"{"toolCallCancellation":{"ids":["c1","c2"]}}"#,
        GeminiServerMessage(.toolCallCancellation(ids: ["c1", "c2"]))
    ),
    (#"{"goAway":{"timeLeft":"9.500s"}}"#, GeminiServerMessage(.goAway(timeLeftMs: 9_500))),
    (
        #"{"sessionResumptionUpdate":{"newHandle":"h","resumable":true}}"#,
        GeminiServerMessage(.sessionResumptionUpdate(handle: "h"))
    ),
    (
        #"{"sessionResumptionUpdate":{"resumable":false}}"#,
        GeminiServerMessage(.sessionResumptionUpdate(handle: nil))
    ),
    (
        #"{"voiceActivity":{"audioOffset":"1.230s","voiceActivityType":"ACTIVITY_START"}}"#,
        GeminiServerMessage(.voiceActivity(GeminiVoiceActivity(isStart: true, offsetMs: 1_230)))
    ),
    (
        #"{"novelty":{"degree":3}}"#,
        GeminiServerMessage(.unknown(["novelty": ["degree": 3]]))
    ),
]

let geminiClientTable: [(text: String, message: GeminiClientMessage)] = [
    (
        #"{"setup":{"generationConfig":{"responseModalities":["AUDIO"],"speechConfig":{"voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Puck"}}}},"inputAudioTranscription":{},"model":"models/m","outputAudioTranscription":{},"realtimeInputConfig":{"activityHandling":"NO_INTERRUPTION","automaticActivityDetection":{"prefixPaddingMs":20,"silenceDurationMs":400}},"sessionResumption":{"handle":"h"},"systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[{"description":"Tells the time.","name":"time","parametersJsonSchema":{"type":"object"}}]}]}}"#,
        .setup(
            {
                var setup = GeminiSetup(model: "models/m")
                setup.responseModalities = ["AUDIO"]
                setup.voice = "Puck"
                (setup.transcribesInput, setup.transcribesOutput) = (true, true)
                setup.interrupts = false
                setup.activityDetection.prefixPaddingMs = 20
                setup.activityDetection.silenceDurationMs = 400
                setup.isResumable = true
                setup.resumptionHandle = "h"
                setup.systemInstruction = GeminiContent(role: nil, parts: [.text("Be brief.")])
                setup.functions = [
                    GeminiFunctionDeclaration(
                        name: "time", description: "Tells the time.", parameters: ["type": "object"])
                ]
                return setup
            }())
    ),
    (
        #"{"clientContent":{"turnComplete":true,"turns":[{"parts":[{"text":"Hi"}],"role":"user"}]}}"#,
        .clientContent(turns: [.user(.text("Hi"))], isTurnComplete: true)
    ),
    (#"{"clientContent":{"turnComplete":true}}"#, .clientContent(turns: [], isTurnComplete: true)),
    (
        #"{"realtimeInput":{"audio":{"data":"AAEC","mimeType":"audio/pcm;rate=16000"}}}"#,
        .realtimeInput(.audio(GeminiBlob(mimeType: "audio/pcm;rate=16000", data: [0, 1, 2])))
    ),
    (
        #"{"realtimeInput":{"video":{"data":"/9j/","mimeType":"image/jpeg"}}}"#,
        .realtimeInput(.video(GeminiBlob(mimeType: "image/jpeg", data: [0xFF, 0xD8, 0xFF])))
    ),
    (#"{"realtimeInput":{"text":"Hi"}}"#, .realtimeInput(.text("Hi"))),
    (#"{"realtimeInput":{"audioStreamEnd":true}}"#, .realtimeInput(.audioStreamEnd)),
    (#"{"realtimeInput":{"activityStart":{}}}"#, .realtimeInput(.activityStart)),
    (#"{"realtimeInput":{"activityEnd":{}}}"#, .realtimeInput(.activityEnd)),
    (
        #"{"toolResponse":{"functionResponses":[{"id":"c1","name":"weather","response":{"output":"sunny"}}]}}"#,
        .toolResponse([GeminiFunctionResponse(id: "c1", name: "weather", response: ["output": "sunny"])])
    ),
    (#"{"novelty":{}}"#, .unknown(["novelty": [:]])),
]

private func content(_ change: (inout GeminiServerContent) -> Void) -> GeminiServerMessage {
    var content = GeminiServerContent()
    change(&content)
    return GeminiServerMessage(.serverContent(content))
}
