import GlassesDomain

/// A conversation in the form of the chat API, as strict servers and the templates of local models want it: one system message in
/// front, each call followed by its result, and something of the user's at the end.
struct ChatMessages: Equatable, Sendable {
    /// What the user said, and what came of it.
    private struct Turn: Equatable {
        var messages: [JSONValue]
        var characters: Int
    }

    private let meter: PictureMeter
    private let seesPictures: Bool
    private var rules: [String] = []
    private var turns: [Turn] = []
    private var results: [String: (name: String, output: String)] = [:]

    /// The messages of `request`, the oldest turns left out as far as they have more than `limit` characters together.
    static func of(_ request: BrainRequest, meter: PictureMeter, seesPictures: Bool, limit: Int) -> [JSONValue] {
        var messages = ChatMessages(meter: meter, seesPictures: seesPictures)
        for case .result(let callId, let name, let output) in request.context {
            messages.results[callId] = (name, output)
        }
        var calls: [(id: String, call: BrainFunctionCall)] = []
        for message in request.context {
            if case .call(let callId, let call) = message {
                calls.append((callId, call))
                continue
            }
            // Calls of one answer stand in one message; their results may come in between.
            if case .result(let callId, _, _) = message, calls.contains(where: { $0.id == callId }) { continue }
            messages.append(calls)
            calls = []
            messages.append(message)
        }
        messages.append(calls)
        messages.closeWith(request)
        return messages.all(instructions: request.instructions, limit: limit)
    }

    private init(meter: PictureMeter, seesPictures: Bool) {
        self.meter = meter
        self.seesPictures = seesPictures
    }

    static func == (left: ChatMessages, right: ChatMessages) -> Bool {
        left.turns == right.turns && left.rules == right.rules
    }

    private mutating func append(_ message: BrainMessage) {
        switch message {
        case .system(let text): rules.append(text)
        case .user(let text): ask(text)
        case .picture(let picture): show(picture)
        case .assistant(let text): add(["role": "assistant", "content": .string(text)], text.count)
        case .call: break
        case .result(let callId, let name, let output):
            // One whose call is known stands behind that call already.
            guard results[callId] != nil else { return }
            ask("[The result of \(name): \(output)]")
        }
    }

    /// Calls, together with what the assistant said before them, and their results.
    private mutating func append(_ calls: [(id: String, call: BrainFunctionCall)]) {
        guard !calls.isEmpty else { return }
        let made = calls.map { id, call -> JSONValue in
            [
                "id": .string(id), "type": "function",
                "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
            ]
        }
        let size = calls.reduce(0) { $0 + $1.call.name.count + $1.call.arguments.count }
        if let last = turns.last?.messages.last, last["role"] == "assistant", last["tool_calls"] == nil,
            var members = last.objectValue
        {
            members["tool_calls"] = .array(made)
            turns[turns.count - 1].messages.removeLast()
            add(.object(members), size)
        } else {
            add(["role": "assistant", "content": nil, "tool_calls": .array(made)], size)
        }
        for (id, _) in calls {
            let output = results.removeValue(forKey: id)?.output ?? "There is no result yet."
            add(["role": "tool", "tool_call_id": .string(id), "content": .string(output)], output.count)
        }
    }

    private mutating func add(_ message: JSONValue, _ characters: Int) {
        if turns.isEmpty { turns.append(Turn(messages: [], characters: 0)) }
        turns[turns.count - 1].messages.append(message)
        turns[turns.count - 1].characters += characters
    }

    /// What the user says begins a turn; texts in a row are one message.
    private mutating func ask(_ text: String) {
        if let last = turns.last?.messages.last, last["role"] == "user", let former = last["content"]?.stringValue {
            turns[turns.count - 1].messages.removeLast()
            return add(["role": "user", "content": .string(former + "\n" + text)], text.count)
        }
        turns.append(Turn(messages: [["role": "user", "content": .string(text)]], characters: text.count))
    }

    private mutating func show(_ picture: BrainPicture) {
        guard seesPictures, !picture.url.isEmpty else {
            let told = "[A picture. \(PictureWords.note(meter.measure(picture), of: picture))]"
            return ask(picture.caption.isEmpty ? told : told + " " + picture.caption)
        }
        var parts: [JSONValue] = [["type": "image_url", "image_url": ["url": .string(picture.url)]]]
        if !picture.caption.isEmpty { parts.insert(["type": "text", "text": .string(picture.caption)], at: 0) }
        // A picture weighs about as much as a page of text.
        turns.append(Turn(messages: [["role": "user", "content": .array(parts)]], characters: 3_000))
    }

    /// Where nothing new was said, the model is told why it is asked.
    private mutating func closeWith(_ request: BrainRequest) {
        let prompt: String? =
            switch request.occasion {
            case .turn: nil
            case .nothingUnderstood: "[The user spoke, and no word was understood. Ask to hear it again.]"
            case .silence: "[The user has been silent for a while. Ask briefly whether they are still there.]"
            case .unprompted: turns.isEmpty ? "[Begin the conversation.]" : "[Go on.]"
            }
        if let prompt { ask(prompt) }
    }

    private func all(instructions: String, limit: Int) -> [JSONValue] {
        var (first, characters) = (turns.count, 0)
        while first > 0, first == turns.count || characters + turns[first - 1].characters <= limit {
            first -= 1
            characters += turns[first].characters
        }
        let system = ([instructions] + rules).filter { !$0.isEmpty }.joined(separator: "\n\n")
        let head: [JSONValue] = system.isEmpty ? [] : [["role": "system", "content": .string(system)]]
        return head + turns[first...].flatMap(\.messages)
    }
}
