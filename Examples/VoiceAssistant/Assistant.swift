import GlassesCore

struct Timer: Codable, Sendable {
    var seconds: Int
}

struct Item: Codable, Sendable {
    var name: String
}

private let timerSchema: JSONValue = [
    "type": "object",
    "properties": ["seconds": ["type": "integer", "description": "How long until the timer rings, in seconds."]],
    "required": ["seconds"],
]

private let itemSchema: JSONValue = [
    "type": "object", "properties": ["name": ["type": "string", "description": "What to buy."]], "required": ["name"],
]

/// What the assistant is and can do. Apart from main.swift, so that its tests can hold conversations with it.
func configure(
    _ assistant: AssistantConfigBuilder, of glasses: any ExtentosGlasses, list: ShoppingList = ShoppingList(),
    sleep: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
) {
    assistant.instructions = "You help somebody who has no hand free. Answer in one short sentence."
    assistant.startActive = true
    assistant.greeting = .off
    assistant.onWake { session in try await session.say("I'm listening.") }
    assistant.sleepOnPhrase("good night")
    assistant.tool("set_timer", description: "Set a timer.", schema: timerSchema) { (timer: Timer) in
        Task {
            do {
                try await sleep(timer.seconds)
                try await glasses.assistant.activeSession?.say("Your timer is up.")
            } catch {
                print("The timer of \(timer.seconds) seconds could not be announced: \(error)")
            }
        }
        return .ok("Timer set for \(timer.seconds) seconds.")
    }
    assistant.tool("read_list", description: "Read the shopping list.") { .ok(await list.text) }
    assistant.tool("add_to_list", description: "Add to the shopping list.", schema: itemSchema) { (item: Item) in
        await list.add(item.name)
        return .ok("\(item.name) is on the list.")
    }
    assistant.tool("take_picture", description: "Take a picture.") {
        let photo = try await glasses.camera.capturePhoto().orToolError()
        return .ok("I took a picture of \(photo.width) by \(photo.height) pixels.")
    }
}

/// What to buy.
actor ShoppingList {
    private var items = ["milk", "bread", "apples"]

    var text: String { items.isEmpty ? "Nothing." : items.joined(separator: ", ") }

    func add(_ item: String) { items.append(item) }
}
