import GlassesDomain

/// What people say to the session itself, for the two tools that a session of this runtime adds to the app's: ``endTool`` and
/// ``deviceTool``.
///
/// They are known by whole phrases only and are left out of the ranking: a session that ends by a guess is worse than one that goes on.
enum SessionWish: Sendable, Hashable {
    case farewell
    case device

    /// The tool by which the conversation ends.
    static let endTool = "end_conversation"
    /// The tool that tells the device as JSON.
    static let deviceTool = "get_device_info"

    private static let farewells: Set<String> = [
        "goodbye", "good bye", "bye", "bye bye", "goodbye for now", "bye for now", "see you", "see you later",
        "good night",
        "that is all", "that's all", "thats all", "that is all for now", "that's all for now", "stop listening",
        "end the conversation", "go to sleep", "thanks bye", "thank you goodbye", "thank you bye", "okay bye", "ok bye",
    ]
    private static let deviceQuestions: Set<String> = [
        "what device is this", "which device is this", "what device am i using", "which device am i using",
        "what device do i have", "what glasses are these", "how much battery is left", "how much battery do i have",
        "how full is the battery", "what is the battery level", "what's the battery level", "battery level", "battery",
        "how is the battery", "is the battery low",
    ]

    /// The wish of an utterance that is nothing else, where the session has the tool for it among those named `tools`.
    init?(_ text: String, tools: [String]) {
        let words = Utterance(text).tokens.map(\.lower).joined(separator: " ")
        if Self.farewells.contains(words), tools.contains(Self.endTool) {
            self = .farewell
        } else if Self.deviceQuestions.contains(words), tools.contains(Self.deviceTool) {
            self = .device
        } else {
            return nil
        }
    }

    /// What is said before the tool is called: of a farewell the whole answer, since the session ends after it.
    var speech: String? { self == .farewell ? "Goodbye." : nil }

    /// The tool.
    var tool: String { self == .farewell ? Self.endTool : Self.deviceTool }

    /// What ``deviceTool`` has told, in words; nil for what is no such result.
    static func spokenDevice(_ output: String) -> String? {
        let value: JSONValue
        do { value = try JSONValue(jsonText: output) } catch {
            return nil  // Some other text, which is said as it is.
        }
        guard case .object(let members) = value, members["connected"] != nil else { return nil }
        let name = members["device"]?.stringValue.map { "This is \($0)." }
        var sentences = [name ?? "I don't know which device this is."]
        if case .bool(false)? = members["connected"] { sentences.append("It is not connected.") }
        if case .int(let percent)? = members["battery"] { sentences.append("Its battery is at \(percent) percent.") }
        if case .array(let off)? = members["off"], !off.isEmpty {
            let names = off.compactMap(\.stringValue).joined(separator: " and the ")
            sentences.append("You have switched off the \(names).")
        }
        return sentences.joined(separator: " ")
    }
}
