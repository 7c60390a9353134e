/// A table of what people call the actions or the things of assistants.
///
/// Two words are related when they share a group. A word may stand in several groups; a bar parts what a tool may
/// be named
/// after from looser ways to say it. A phrase verb is written with `_` ("turn_on") and is made from its parts by
/// ``HeadVerb``.
struct Thesaurus {
    private let groupsByStem: [String: Set<Int>]
    /// The groups in which a word stands before the bar, and so can be what a tool means.
    private let coreGroupsByStem: [String: Set<Int>]

    init(groups: [String]) {
        var table: [String: Set<Int>] = [:]
        var core: [String: Set<Int>] = [:]
        for (index, group) in groups.enumerated() {
            var isCore = true
            for word in group.split(separator: " ") {
                if word == "|" { isCore = false }
                let key = Self.key(String(word))
                table[key, default: []].insert(index)
                if isCore { core[key, default: []].insert(index) }
            }
        }
        groupsByStem = table
        coreGroupsByStem = core
    }

    /// The stem under which a word or phrase verb is found.
    static func key(_ word: String) -> String { word.contains("_") ? word : Lemma.stem(word) }

    /// The stems of the words of a text.
    static func keys(_ text: String) -> Set<String> { Set(text.split(separator: " ").map { key(String($0)) }) }

    func contains(_ stem: String) -> Bool { groupsByStem[stem] != nil }

    /// Whether a speaker may say `said` for what a tool calls `meant`.
    ///
    /// "get me to the airport" means navigating, but a tool that gets something is not meant by "guide": words
    /// behind the
    /// bar of a group only say what the words before it mean.
    func expresses(_ said: String, _ meant: String) -> Bool {
        if said == meant { return true }
        guard let left = groupsByStem[said], let right = coreGroupsByStem[meant] else { return false }
        return !left.isDisjoint(with: right)
    }

    /// Whether `said` means just what a tool calls `meant`, and hardly anything else.
    func isTelling(_ said: String, _ meant: String) -> Bool {
        if said == meant { return true }
        guard let left = coreGroupsByStem[said], let right = coreGroupsByStem[meant] else { return false }
        return !left.isDisjoint(with: right)
    }

    /// Whether two words share a group.
    func areRelated(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        if let left = groupsByStem[one], let right = groupsByStem[other] { return !left.isDisjoint(with: right) }
        return Self.isCompound(one, of: other) || Self.isCompound(other, of: one)
    }

    /// A livestream is a stream.
    private static func isCompound(_ word: String, of part: String) -> Bool {
        part.count >= 5 && word.count > part.count && word.hasSuffix(part)
    }
}
