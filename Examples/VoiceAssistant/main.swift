// A voice assistant with three tools. Run it with `swift run VoiceAssistant`, say "set a timer for ten seconds",
// "what's on my list" or "good night"; Return wakes it, Ctrl-D ends it.
import Foundation
import GlassesCore

let glasses = Extentos.create(
    config: ExtentosConfig(transport: .systemAudio, usedCapabilities: [.microphone, .speaker]))

// Subscribing is synchronous: no event from now on is missed.
let events = glasses.runtime.events
// Detached, since `readLine` below keeps the main thread.
Task.detached {
    for await case .assistant(let event) in events {
        switch event {
        case .userSpoke(let transcript): print("You: \(transcript)")
        case .assistantSpoke(let transcript): print("Assistant: \(transcript)")
        case .error(let kind, let message): print("Error (\(kind)): \(message)")
        case .wentDormant: print("Asleep. Press Return to wake it.")
        default: break
        }
    }
}

if case .failure(let error) = await glasses.connect() { fail(error.description) }
do {
    let session = try await glasses.assistant.start(provider: .managed()) { assistant in
        configure(assistant, of: glasses)
    }
    while readLine() != nil { try await session.wake() }
} catch {
    fail(String(describing: error))
}
await glasses.shutdown()

func fail(_ reason: String) -> Never {
    print(reason)
    exit(3)
}
