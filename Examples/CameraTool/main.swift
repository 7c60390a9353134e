// A camera tool: "what do you see?" takes a photo and shows it to the model. Run it with `swift run CameraTool` and speak, or with
// `--type "what do you see?"` for one question. Without a gateway nothing leaves this machine, and the answer says honestly what can
// be measured of the photo; EXTENTOS_GATEWAY_URL and EXTENTOS_GATEWAY_TOKEN name a gateway whose model sees.
import Foundation
import GlassesCore

let question = option("--type")
var device = TransportChoice.systemAudio
if let id = option("--device") {
    do {
        let settings = try JSONValue(jsonText: option("--settings") ?? "{}").objectValue
        device = .plugin(id: id, settings: settings ?? [:])
    } catch {
        fail("--settings takes a JSON object: \(error)")
    }
}
let glasses = Extentos.create(
    config: ExtentosConfig(transport: device, usedCapabilities: [.microphone, .speaker, .camera]))
// Subscribing is synchronous: no event from now on is missed.
let events = glasses.runtime.events
let (answered, answer) = AsyncStream<Void>.makeStream()
// Detached, since `readLine` below keeps the main thread.
Task.detached {
    var hasLooked = false
    for await case .assistant(let event) in events {
        switch event {
        case .userSpoke(let transcript): print("You: \(transcript)")
        case .assistantSpoke(let transcript):
            print("Assistant: \(transcript)")
            if hasLooked { answer.finish() }
        case .toolResult: hasLooked = true
        case .error(let kind, let message): print("Note (\(kind)): \(message)")
        default: break
        }
    }
}

if case .failure(let error) = await glasses.connect() { fail(error.description) }
do {
    let session = try await glasses.assistant.start(provider: .managed()) { assistant in
        assistant.instructions =
            "You help somebody who has no hand free. When they ask what is to be seen, call look and then describe the photo in "
            + "one or two sentences."
        assistant.startActive = true
        assistant.greeting = .off
        assistant.tool("look", description: "See what is in front of the user: take a photo and look at it.") {
            let photo = try await glasses.camera.capturePhoto().orToolError()
            guard let uri = photo.uri, let file = URL(string: uri), let session = glasses.assistant.activeSession else {
                return .err("the camera gave no photo.")
            }
            // The file is ours: the conversation has a smaller copy.
            defer { unlink(file.path) }
            try await session.includeImage(uri: uri)
            return .ok("I took a photo.")
        }
    }
    if let question {
        try await session.sendText(question)
        let limit = Task {
            do { try await Task.sleep(for: .seconds(60)) } catch { return }
            fail("There was no answer within a minute.")
        }
        for await _ in answered {}
        limit.cancel()
    } else {
        while readLine() != nil { try await session.wake() }
    }
} catch {
    fail(String(describing: error))
}
await glasses.shutdown()

func option(_ name: String) -> String? {
    CommandLine.arguments.firstIndex(of: name).flatMap { CommandLine.arguments.dropFirst($0 + 1).first }
}

func fail(_ reason: String) -> Never {
    print(reason)
    exit(3)
}
