import GlassesCore

struct Search: Codable, Sendable {
    var words: String
}

struct Order: Codable, Sendable {
    var article: String
    var count: Int
}

/// Tools as values: without arguments, by a JSON schema, and by a description that is held against the type.
func tourTools() -> [ToolDefinition] {
    var time = ToolDefinition(name: "tell_time", description: "Tells the time.", schema: nil, blocking: true) { _ in
        .ok("It is \(ContinuousClock.now).")
    }
    time.timeout = 2
    let search = ToolDefinition(
        name: "search", description: "Searches the shop.",
        schema: ["type": "object", "properties": ["words": ["type": "string"]], "required": ["words"]],
        policy: ToolPolicy(interruption: .continuesSilently, isCancellable: true)
    ) { (search: Search) in
        // The model can answer by the note while the search goes on, and the user hears it.
        ToolCall.current?.report("Looking for \(search.words).", aloud: true)
        return search.words.isEmpty ? .err("Say what to look for.") : .ok("Three articles.")
    }
    let order = ToolDefinition(
        name: "order", description: "Orders an article.", parameters: orderParameters, timeout: 20,
        policy: ToolPolicy(interruption: .continues, isCancellable: false, needsConfirmation: true)
    ) { (order: Order) in .ok("Ordered \(order.count) of \(order.article).") }
    if let error = order.registrationError { print(error.description) }
    return [time, search, order]
}

private let orderParameters: ToolParameters = [
    .string("article", "What to order", length: 1...80, example: "milk"),
    .integer("count", "How many", in: 1...20),
]

/// Tools in the builder's words, each form with a time limit of its own.
func addTools(to assistant: AssistantConfigBuilder, of glasses: any ExtentosGlasses) {
    assistant.tool("take_picture", description: "Takes a picture.", blocking: false, timeout: 15, policy: .standard) {
        let photo = try await glasses.camera.capturePhoto().orToolError()
        return .ok("A picture of \(photo.width) by \(photo.height) pixels.")
    }
    assistant.tool(
        "raw", description: "Repeats its arguments.", schema: ["type": "object"], timeout: 1
    ) { (arguments: JSONValue) in .ok(arguments.jsonText) }
    assistant.tool(
        "order_again", description: "Orders once more.", parameters: orderParameters, timeout: 20,
        policy: ToolPolicy(interruption: .cancels)
    ) { (order: Order) in
        guard order.count > 0 else { throw ToolError("Order at least one.") }
        return .ok("Ordered.")
    }
}
