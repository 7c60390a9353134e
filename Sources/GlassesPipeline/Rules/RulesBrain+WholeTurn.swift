import GlassesDomain

extension RulesBrain {
    /// Particles that end a command as often as they go on: "turn the light off".
    private static let particles: Set<String> = ["on", "off", "up", "down", "out"]
    private static let leadOn = FunctionWords.determiners.union(FunctionWords.conjunctions)
        .union(FunctionWords.prepositions).union(FunctionWords.auxiliaries).subtracting(particles)

    /// Whether `utterance` is a command that can be carried out as it is and does not look as if it went on: it ends neither in
    /// a word that wants another one, nor in a number, whose unit may follow, nor in free text, which may always go on. Nothing
    /// is remembered.
    func isWhole(_ utterance: String, tools: [BrainTool], toolChoice: BrainToolChoice = .auto) -> Bool {
        let read = Utterance(utterance)
        guard let last = read.tokens.last, !Self.leadOn.contains(last.lower),
            NumberGrammar.number(in: read.tokens, at: read.tokens.count - 1) == nil
        else { return false }
        var brain = self
        guard case .calls(let calls) = brain.interpret(utterance, tools: tools, toolChoice: toolChoice) else {
            return false
        }
        return !calls.contains { Self.endsInFreeText(read, $0, tools) }
    }

    private static func endsInFreeText(_ utterance: Utterance, _ call: BrainCall, _ tools: [BrainTool]) -> Bool {
        let properties = tools.first { $0.name == call.name }?.parameters?["properties"]
        let words = utterance.tokens.map(\.lower)
        return (call.arguments.objectValue ?? [:]).contains { name, value in
            guard let text = value.stringValue, properties?[name]?["enum"] == nil else { return false }
            let said = Utterance(text).tokens.map(\.lower)
            return !said.isEmpty && words.suffix(said.count) == said[...]
        }
    }
}
