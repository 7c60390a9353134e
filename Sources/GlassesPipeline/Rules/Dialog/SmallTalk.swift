/// Answers greetings, thanks and the question what the assistant can do; everything else is a tool's or nobody's.
enum SmallTalk {
    /// How many tools the answer to "what can you do" names: a listener keeps no more in mind.
    private static let namedTools = 5

    static func reply(to utterance: Utterance, tools: [BrainTool]) -> BrainDecision? {
        let words = utterance.tokens.map(\.lower).joined(separator: " ")
        switch words {
        case "": return .cannot("Sorry, I didn't hear anything.")
        case "hello", "hi", "hey", "good morning", "good evening", "good afternoon", "hello there", "hi there":
            return .reply("Hello.")
        case "thank you", "thanks", "thanks a lot", "thank you very much", "many thanks", "great thanks":
            return .reply("You're welcome.")
        case "what can you do", "what can i say", "what can i ask you", "help", "what are you able to do",
            "what do you do", "help me":
            return capabilities(tools)
        case "never mind", "nevermind", "forget it": return .acknowledge("Okay.")
        default: return nil
        }
    }

    private static func capabilities(_ tools: [BrainTool]) -> BrainDecision {
        let names = tools.prefix(namedTools).map { Words.split(identifier: $0.name).joined(separator: " ") }
        guard let last = names.last else { return .reply("I have no tools right now.") }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        return .reply("I know these commands: \(list)\(tools.count > namedTools ? ", and some more" : "").")
    }
}
