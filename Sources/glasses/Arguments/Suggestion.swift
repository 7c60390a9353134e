/// Finds what somebody meant who mistyped a word.
enum Suggestion {
    /// The word that is nearest to `word`, if it is near enough to be meant.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let ranked = candidates.map { ($0, $0.hasPrefix(word) && word.count > 2 ? 0 : distance(word, $0)) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit else { return nil }
        return best.0
    }

    /// The end of a sentence that asks whether `word` was meant; empty for nil.
    static func question(_ word: String?) -> String { word.map { "; did you mean '\($0)'?" } ?? "" }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
    static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for row in 0..<a.count {
            var current = [row + 1]
            for column in 0..<b.count {
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (a[row] == b[column] ? 0 : 1))
                if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[b.count]
    }
}
