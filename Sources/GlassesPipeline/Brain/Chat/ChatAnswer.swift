import GlassesDomain

/// Puts the chunks of one answer together: words, calls whose arguments come in fragments, the end and the count.
struct ChatAnswer: Equatable, Sendable {
    private struct Call: Equatable {
        var index: Int?
        var id = ""
        var name = ""
        var arguments = ""
    }

    private let limits: ChatBrainLimits
    private var thoughts = ThoughtFilter()
    private var sentences = SentenceStream()
    private var calls: [Call] = []
    private var characters = 0
    private var finishReason: String?
    private(set) var usage: BrainUsage?
    /// The model that says that it answers; nil when none was named.
    private(set) var model: String?
    /// Whether nothing more comes.
    private(set) var isDone = false

    /// Whether it was told how the answer ended, so that only counts may come.
    var hasEnd: Bool { isDone || finishReason != nil }

    init(limits: ChatBrainLimits) { self.limits = limits }

    /// Takes the data of an event and gives the sentences that are whole with it. Throws when it is no part of an answer.
    mutating func take(event: [UInt8]) throws(BrainError) -> String? {
        if event.elementsEqual("[DONE]".utf8) {
            isDone = true
            return nil
        }
        return try take(Self.json(event))
    }

    /// Takes an answer that came as one object, by a server that does not stream.
    mutating func take(whole body: [UInt8]) throws(BrainError) -> String? {
        let sentences = try take(Self.json(body))
        isDone = true
        return sentences
    }

    private static func json(_ bytes: [UInt8]) throws(BrainError) -> JSONValue {
        do { return try JSONValue(jsonText: bytes) } catch {
            throw .unusable("sent something that is no JSON")
        }
    }

    private mutating func take(_ chunk: JSONValue) throws(BrainError) -> String? {
        guard chunk.objectValue != nil else { throw .unusable("sent something that is no part of an answer") }
        if let error = chunk["error"], !error.isNull { throw .reported(error) }
        // Anything may come as a name; what goes on to clients is kept short.
        if model == nil, let name = chunk["model"]?.stringValue, !name.isEmpty { model = String(name.prefix(128)) }
        if let input = chunk["usage"]?["prompt_tokens"]?.intValue,
            let output = chunk["usage"]?["completion_tokens"]?.intValue, input >= 0, output >= 0
        {
            usage = BrainUsage(inputTokens: Int(clamping: input), outputTokens: Int(clamping: output))
        }
        guard let choice = chunk["choices"]?.arrayValue?.first else { return nil }
        let delta = choice["delta"] ?? choice["message"] ?? .null
        for fragment in delta["tool_calls"]?.arrayValue ?? [] { try take(fragment: fragment) }
        if let reason = choice["finish_reason"]?.stringValue { finishReason = reason }
        guard let content = delta["content"]?.stringValue else { return nil }
        return sentences.take(limited(thoughts.take(content)))
    }

    private mutating func limited(_ words: String) -> String {
        let kept = String(words.prefix(limits.answerCharacters - characters))
        characters += kept.count
        if kept.count < words.count, finishReason == nil { (finishReason, isDone) = ("length", true) }
        return kept
    }

    private mutating func take(fragment: JSONValue) throws(BrainError) {
        let index = fragment["index"]?.intValue.map { Int(clamping: $0) }
        let (id, name) = (fragment["id"]?.stringValue ?? "", fragment["function"]?["name"]?.stringValue ?? "")
        let place = try place(index: index, id: id, name: name)
        if calls[place].id.isEmpty { calls[place].id = id }
        // Some servers repeat the name with each fragment.
        if name != calls[place].name { calls[place].name += name }
        calls[place].arguments += Self.arguments(fragment["function"]?["arguments"])
        guard calls[place].arguments.utf8.count <= limits.argumentBytes, calls[place].name.utf8.count <= 256 else {
            throw .unusable("sent a call that is too long")
        }
    }

    /// Most servers send text; some send the object itself.
    private static func arguments(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "" }
        return value.stringValue ?? value.jsonText
    }

    /// The call that a fragment belongs to: that of its index. Servers that number nothing, or everything alike, tell calls apart by id.
    private mutating func place(index: Int?, id: String, name: String) throws(BrainError) -> Int {
        let known = index.map { index in calls.lastIndex { $0.index == index } } ?? calls.indices.last
        if let known, id.isEmpty || calls[known].id.isEmpty || calls[known].id == id { return known }
        guard calls.count < limits.calls else { throw .unusable("sent more than \(limits.calls) calls") }
        calls.append(Call(index: index))
        return calls.count - 1
    }

    /// The end of the answer, once nothing more comes: what is left to say, the calls, how it ended. Throws when half of it is missing,
    /// and when there is nothing in it.
    mutating func finish(hasSpoken: Bool) throws(BrainError) -> BrainReply {
        guard hasEnd else { throw .brokenOff }
        let ending: BrainEnding =
            switch finishReason {
            case "length": .tooLong
            case "content_filter": .withheld
            default: .complete
            }
        let speech = (sentences.take(limited(thoughts.finish())) ?? "") + sentences.finish()
        // What was cut off in the middle of its arguments must not be carried out.
        let whole = ending == .complete ? try functionCalls() : []
        let isBlank = !speech.contains { !$0.isWhitespace }
        if isBlank, whole.isEmpty, !hasSpoken { throw .unusable("answered nothing", code: "empty_answer") }
        return BrainReply(speech: isBlank ? nil : speech, calls: whole, usage: usage, ending: ending)
    }

    private func functionCalls() throws(BrainError) -> [BrainFunctionCall] {
        var made: [BrainFunctionCall] = []
        for call in calls {
            let text = call.arguments.contains { !$0.isWhitespace } ? call.arguments : "{}"
            let arguments: JSONValue
            do { arguments = try JSONValue(jsonText: text) } catch {
                throw .unusable("sent a call whose arguments are no JSON")
            }
            guard arguments.objectValue != nil, !call.name.isEmpty else {
                throw .unusable("sent a call without a name or without an object as its arguments")
            }
            made.append(BrainFunctionCall(name: call.name, arguments: text))
        }
        return made
    }
}
