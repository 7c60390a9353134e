/// The best tool when one must be called, however little the utterance says about it.
enum ForcedMatch {
    /// `profiles` is not empty.
    static func best(_ utterance: Utterance, _ profiles: [ToolProfile]) -> ToolMatch {
        let all = 0..<utterance.tokens.count
        let reader = ClauseReader(profiles: profiles, utterance: utterance)
        if !all.isEmpty {
            let acts: [SpeechAct] = [reader.act(of: all), .command(head: 0, start: 0)]
            for act in acts { if let match = reader.matches(all, act).first { return match } }
        }
        let ranked = profiles.indices.map { loose(utterance, profiles[$0], $0) }
        return ranked.max { ($0.score, $1.tool) < ($1.score, $0.tool) } ?? loose(utterance, profiles[0], 0)
    }

    /// Counts shared words, and fills whatever can be filled.
    private static func loose(_ utterance: Utterance, _ profile: ToolProfile, _ index: Int) -> ToolMatch {
        var board = SlotBoard(utterance: utterance, range: 0..<utterance.tokens.count, start: 0)
        NumberSlots.fillDurations(profile.parameters, on: &board)
        MomentSlots.fill(profile.parameters, on: &board)
        ChoiceSlots.fill(profile.parameters, head: nil, on: &board)
        BooleanSlots.fill(profile.parameters, head: nil, on: &board)
        NumberSlots.fillBareDuration(profile.parameters, on: &board)
        NumberSlots.fillNumbers(profile.parameters, on: &board)
        TextSlots(profile: profile, head: nil).fill(on: &board, triggerEnd: 0, gap: nil)
        let stems = Set(utterance.tokens.filter { !FunctionWords.contains($0) }.map(\.stem))
        let named = profile.things.filter { thing in stems.contains { Thesaurus.things.areRelated($0, thing.stem) } }
            .count
        let acted = profile.actions.contains { action in stems.contains { Thesaurus.actions.areRelated($0, action) } }
        let described = stems.intersection(profile.context).count
        return ToolMatch(
            tool: index, score: Double(named) + (acted ? 0.5 : 0) + 0.3 * Double(described), arguments: board.arguments,
            missing: profile.parameters.filter { $0.isRequired && board.arguments[$0.name] == nil },
            namesThing: named > 0, endsInText: false,
            unexplained: 0)
    }
}
