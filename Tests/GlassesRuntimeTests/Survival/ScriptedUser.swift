import GlassesDomain

/// A user who says the next thing some time after having heard the whole answer to the last one, whatever the network does.
struct ScriptedUser {
    private let script: ConversationScript
    private var next = 0
    private var speaksAt: Int? = 1_500
    private var mouth: ArraySlice<Int16> = []

    init(script: ConversationScript) { self.script = script }

    /// Whether the last answer was heard.
    func isDone(_ turns: [Turn], isHearing: Bool) -> Bool {
        next == script.turns.count && isAnswered(turns, isHearing: isHearing)
    }

    private func isAnswered(_ turns: [Turn], isHearing: Bool) -> Bool {
        guard next > 0, !isHearing, mouth.isEmpty, case .assistantText(let text, _)? = turns.last else { return false }
        return text == script.turns[next - 1].answer
    }

    /// Begins the next turn when it is time for it; a typed one is returned.
    mutating func act(at now: Int, turns: [Turn], isHearing: Bool, pause: Int) -> String? {
        if speaksAt == nil, next < script.turns.count, isAnswered(turns, isHearing: isHearing) {
            speaksAt = now + pause
        }
        guard let moment = speaksAt, moment <= now else { return nil }
        speaksAt = nil
        let turn = script.turns[next]
        next += 1
        if turn.isTyped { return turn.user }
        mouth = SpokenWords.samples(of: turn.user)[...]
        return nil
    }

    /// What is heard of the user next.
    mutating func sound(milliseconds: Int) -> [Int16] {
        let length = milliseconds * SpokenWords.rate / 1000
        let piece = mouth.prefix(length)
        mouth = mouth.dropFirst(length)
        return Array(piece) + [Int16](repeating: 0, count: length - piece.count)
    }
}
