// A voice assistant with three tools. Run it with `swift run VoiceAssistant`, say "set a timer for ten seconds",
// "what's on my list" or "good night"; Return wakes it, Ctrl-D ends it.
import Foundation
import GlassesCore

struct Timer: Codable, Sendable {
    var seconds: Int
}

let timerSchema: JSONValue = [
    "type": "object",
    "properties": ["seconds": ["type": "integer", "description": "How long until the timer rings, in seconds."]],
    "required": ["seconds"],
]

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
        assistant.instructions = "You help somebody who has no hand free. Answer in one short sentence."
        assistant.startActive = true
        assistant.greeting = .off
        assistant.onWake { session in try await session.say("I'm listening.") }
        assistant.sleepOnPhrase("good night")
        assistant.tool("set_timer", description: "Set a timer.", schema: timerSchema) { (timer: Timer) in
            Task {
                do {
                    try await Task.sleep(for: .seconds(timer.seconds))
                    try await glasses.assistant.activeSession?.say("Your timer is up.")
                } catch {
                    print("The timer of \(timer.seconds) seconds could not be announced: \(error)")
                }
            }
            return .ok("Timer set for \(timer.seconds) seconds.")
        }
        assistant.tool("read_list", description: "Read the shopping list.") { .ok("Milk, bread and apples.") }
        assistant.tool("take_picture", description: "Take a picture.") { .err("this device has no camera.") }
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
