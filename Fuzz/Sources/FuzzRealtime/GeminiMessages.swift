import GlassesRealtime

// Invariant: the same for messages of Gemini Live; and a rewritten beta message is one that decodes.

func checkGemini(_ bytes: [UInt8]) {
    if let message = serverMessage(bytes) {
        guard let first = serverMessage(GeminiCodec.encode(message)) else {
            fatalError("an encoded message of a Gemini server does not decode")
        }
        guard serverMessage(GeminiCodec.encode(first)) == first else {
            fatalError("a message of a Gemini server changes when it is sent on")
        }
    }
    if let message = clientMessage(bytes) {
        guard let first = clientMessage(GeminiCodec.encode(message)) else {
            fatalError("an encoded message of a Gemini client does not decode")
        }
        guard clientMessage(GeminiCodec.encode(first)) == first else {
            fatalError("a message of a Gemini client changes when it is sent on")
        }
    }
}

private func serverMessage(_ bytes: [UInt8]) -> GeminiServerMessage? {
    do throws(RealtimeCodecError) { return try GeminiCodec.decodeServer(bytes) } catch { return nil }
}

private func clientMessage(_ bytes: [UInt8]) -> GeminiClientMessage? {
    do throws(RealtimeCodecError) { return try GeminiCodec.decodeClient(bytes) } catch { return nil }
}

func checkBeta(_ bytes: [UInt8]) {
    guard isServerEvent(bytes) else { return }
    var reader = BetaServerMessages()
    for message in reader.messages(for: bytes) where !isServerEvent(message) {
        fatalError("a rewritten beta event does not decode")
    }
}

private func isServerEvent(_ bytes: [UInt8]) -> Bool {
    do throws(RealtimeCodecError) {
        _ = try RealtimeCodec.decodeServerEvent(bytes)
        return true
    } catch { return false }
}
