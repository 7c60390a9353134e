import GlassesDomain
import GlassesPipeline
import GlassesRealtime

/// A chat request as a brain of the pipeline reads it.
struct ChatConversation: Equatable {
    /// The rules, the conversation and the tools.
    let request: BrainRequest
    /// Earlier turns whose answers were questions that are still open, oldest first: a brain without a memory of its own is told them
    /// again, since every request is a new conversation to it.
    let openQuestions: [BrainRequest]
    /// Whether more than one call is welcome.
    let allowsParallelCalls: Bool

    /// Reads the messages and tools for a brain; what it cannot do is refused by name.
    init(_ chat: ChatRequest, acceptsImages: Bool) throws(RealtimeErrorInfo) {
        let body = chat.body
        if let count = try ChatRequest.optional(body, "n", "a whole number", read: \.intValue), count != 1 {
            throw .invalidRequest("n", "This model gives one answer. Send 1.")
        }
        let format = try ChatRequest.optional(body, "response_format", "an object", read: \.objectValue)
        if let type = format?["type"], type != "text" {
            throw .invalidRequest(
                "response_format", "This model answers in sentences only. Leave response_format out.",
                code: "unsupported_response_format")
        }
        allowsParallelCalls =
            try ChatRequest.optional(body, "parallel_tool_calls", "true or false", read: \.boolValue) ?? true
        let tools = try ChatTools(body)
        var reader = ChatMessages(acceptsImages: acceptsImages)
        for (index, message) in (body["messages"]?.arrayValue ?? []).enumerated() {
            try reader.read(message, at: "messages[\(index)]")
        }
        let turns = reader.turns
        func request(_ context: [BrainMessage], _ pending: [BrainMessage]) -> BrainRequest {
            BrainRequest(
                occasion: pending.isEmpty ? .unprompted : .turn,
                instructions: reader.instructions.joined(separator: "\n\n"), context: context, pending: pending,
                tools: tools.functions, toolChoice: tools.choice)
        }
        self.request = request(turns.flatMap(\.all), turns.last?.asked ?? [])
        openQuestions = Self.openQuestions(turns).map { request($0.context, $0.pending) }
    }

    /// Turns before the last one, back to the first whose answer is no question.
    private static func openQuestions(
        _ turns: [ChatMessages.Turn]
    ) -> [(context: [BrainMessage], pending: [BrainMessage])] {
        var first = max(0, turns.count - 1)
        while first > 0, turns.count - first < questionLimit, turns[first - 1].endsInQuestion { first -= 1 }
        return (first..<max(first, turns.count - 1)).map { index in
            (turns[..<index].flatMap(\.all) + turns[index].asked, turns[index].asked)
        }
    }

    /// Questions in a row that are told again; no brain asks back more often.
    private static let questionLimit = 9
}

/// The messages of a chat as turns.
struct ChatMessages {
    /// What was said to the assistant, and what it answered.
    struct Turn: Equatable {
        var asked: [BrainMessage] = []
        var answered: [BrainMessage] = []
        var all: [BrainMessage] { asked + answered }
        var endsInQuestion: Bool {
            guard case .assistant(let text)? = answered.last else { return false }
            return text.last { !$0.isWhitespace } == "?"
        }
    }

    let acceptsImages: Bool
    private(set) var instructions: [String] = []
    private(set) var turns: [Turn] = []
    private var called: [String: String] = [:]

    init(acceptsImages: Bool) { self.acceptsImages = acceptsImages }

    mutating func read(_ message: JSONValue, at place: String) throws(RealtimeErrorInfo) {
        guard let members = message.objectValue else {
            throw .invalidRequest(place, "Send an object.", code: "invalid_type")
        }
        switch members["role"]?.stringValue {
        case "system", "developer": instructions.append(try text(members, at: place))
        case "user": ask(try userMessage(members, at: place))
        case "assistant": try readAssistant(members, at: place)
        case "tool": ask([try result(members, at: place)])
        default:
            throw .invalidRequest(
                "\(place).role", "Send \"system\", \"developer\", \"user\", \"assistant\" or \"tool\".")
        }
    }

    private mutating func ask(_ messages: [BrainMessage]) {
        if turns.isEmpty || turns.last?.answered.isEmpty == false { turns.append(Turn()) }
        turns[turns.count - 1].asked += messages
    }

    private mutating func answer(_ message: BrainMessage) {
        if turns.isEmpty { turns.append(Turn()) }
        turns[turns.count - 1].answered.append(message)
    }

    private mutating func readAssistant(
        _ members: [String: JSONValue], at place: String
    ) throws(RealtimeErrorInfo) {
        let calls = try ChatRequest.optional(members, "tool_calls", "a list", at: "\(place).", read: \.arrayValue) ?? []
        if let content = members["content"], !content.isNull {
            let text = try text(members, at: place)
            if !text.isEmpty { answer(.assistant(text)) }
        } else if calls.isEmpty {
            throw .invalidRequest("\(place).content", "Send a text.", code: "missing_required_parameter")
        }
        for (index, call) in calls.enumerated() {
            guard let id = call["id"]?.stringValue, let name = call["function"]?["name"]?.stringValue,
                let arguments = call["function"]?["arguments"]?.stringValue
            else {
                throw .invalidRequest(
                    "\(place).tool_calls[\(index)]", "Send id, function.name and function.arguments as texts.")
            }
            called[id] = name
            answer(.call(callId: id, BrainFunctionCall(name: name, arguments: arguments)))
        }
    }

    private func result(_ members: [String: JSONValue], at place: String) throws(RealtimeErrorInfo) -> BrainMessage {
        guard let id = members["tool_call_id"]?.stringValue, let name = called[id] else {
            throw .invalidRequest(
                "\(place).tool_call_id", "Send the id of a call in an assistant message before this one.")
        }
        return .result(callId: id, name: name, output: try text(members, at: place))
    }

    // MARK: - Content

    private func text(_ members: [String: JSONValue], at place: String) throws(RealtimeErrorInfo) -> String {
        let parts = try parts(members, at: place)
        var texts: [String] = []
        for (index, part) in parts.enumerated() {
            guard let text = part["text"]?.stringValue else {
                throw .invalidRequest("\(place).content[\(index)]", "Send a part with a text.", code: "invalid_type")
            }
            texts.append(text)
        }
        return texts.joined(separator: "\n")
    }

    private func parts(
        _ members: [String: JSONValue], at place: String
    ) throws(RealtimeErrorInfo) -> [[String: JSONValue]] {
        switch members["content"] {
        case .string(let text): return [["type": "text", "text": .string(text)]]
        case .array(let parts):
            let objects = parts.compactMap(\.objectValue)
            guard objects.count == parts.count else {
                throw .invalidRequest("\(place).content", "Send objects as the parts.", code: "invalid_type")
            }
            return objects
        default:
            throw .invalidRequest("\(place).content", "Send a text or a list of parts.", code: "invalid_type")
        }
    }

    private func userMessage(
        _ members: [String: JSONValue], at place: String
    ) throws(RealtimeErrorInfo) -> [BrainMessage] {
        var texts: [String] = []
        var pictures: [String] = []
        for (index, part) in try parts(members, at: place).enumerated() {
            if let url = part["image_url"]?["url"]?.stringValue {
                guard acceptsImages, url.hasPrefix("data:image/") else {
                    let message =
                        acceptsImages
                        ? "Send the picture as a data: URL."
                        : "This model cannot look at pictures. Leave image_url out."
                    throw .invalidRequest("\(place).content[\(index)].image_url", message)
                }
                pictures.append(url)
            } else if let text = part["text"]?.stringValue {
                texts.append(text)
            } else {
                throw .invalidRequest("\(place).content[\(index)]", "Send a part of type text or image_url.")
            }
        }
        let words = texts.joined(separator: "\n")
        guard let last = pictures.last else { return [.user(words)] }
        return pictures.dropLast().map { .picture(BrainPicture(url: $0, caption: "", age: .zero)) }
            + [.picture(BrainPicture(url: last, caption: words, age: .zero))]
    }
}

/// The tools of a chat request.
private struct ChatTools {
    var functions: [FunctionTool] = []
    var choice = GlassesRealtime.ToolChoice.auto

    init(_ body: [String: JSONValue]) throws(RealtimeErrorInfo) {
        let tools = try ChatRequest.optional(body, "tools", "a list", read: \.arrayValue) ?? []
        for (index, tool) in tools.enumerated() {
            guard tool["type"] == "function", let name = tool["function"]?["name"]?.stringValue, !name.isEmpty else {
                throw .invalidRequest("tools[\(index)]", "Send a tool of type \"function\" with function.name.")
            }
            functions.append(
                FunctionTool(
                    name: name, description: tool["function"]?["description"]?.stringValue,
                    parameters: tool["function"]?["parameters"]))
        }
        guard let wanted = body["tool_choice"], !wanted.isNull else { return }
        switch wanted {
        case "auto": choice = .auto
        case "none": choice = .none
        case "required": choice = .required
        default:
            guard let name = wanted["function"]?["name"]?.stringValue, functions.contains(where: { $0.name == name })
            else {
                throw .invalidRequest(
                    "tool_choice", "Send \"auto\", \"none\", \"required\" or a function of the tools.")
            }
            choice = .function(name: name)
        }
    }
}
