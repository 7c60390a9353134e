// Every call of the assistant's API behind a line of text. Run it with `swift run AssistantTour`, type what the user says, or a
// command such as `/voice NAME`; `/help` lists them, Ctrl-D ends it. With `--json` events come as JSON, with
// `--mock` a stand-in answers.
import Foundation
import GlassesCore

let glasses = Extentos.create(
    config: ExtentosConfig(transport: .systemAudio, usedCapabilities: [.microphone, .speaker]))

// Subscribing is synchronous: no event from now on is missed.
let events = glasses.runtime.events
Task.detached {
    let isForPrograms = CommandLine.arguments.contains("--json")
    for await case .assistant(let event) in events { print(isForPrograms ? json(for: event) : line(for: event)) }
}

if case .failure(let error) = await glasses.connect() { print(error.description) }
// Made by hand, so that its levels can be read before it starts; `glasses.assistant.start(…)` does all of it in one call.
let session = glasses.assistant.createSession(config: tourConfig(isMocked: CommandLine.arguments.contains("--mock")))
let meter = Task.detached { await printLoudest(of: session.audioLevels()) }
let watch = Task.detached {
    for await state in session.state.stream { print(sentence(for: state)) }
}
do {
    try await session.start()
    print("Awake as \(session.config.instructions.prefix(20))…; type /help.")
    while let text = readLine() {
        do {
            try await carryOut(text, session, glasses)
        } catch let error as AssistantError {
            print(advice(on: error))
        }
    }
} catch let error as AssistantConfigError {
    print("\(error.field) (\(error.code), \(error.blame)): \(error.description)")
} catch let error as ToolRegistrationError {
    print("\(error.toolName) (\(error.code), \(error.blame)): \(error.description)")
} catch {
    print(error)
}
await glasses.assistant.stop()
await meter.value
watch.cancel()
await glasses.shutdown()
