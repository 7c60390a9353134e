/// Words as they sound: without case, accents and punctuation.
struct SpokenWords: Sendable, Hashable {
    /// What people say to show that they listen.
    private static let backchannels: Set<String> = [
        "mm", "mmm", "mhm", "mmhm", "mmhmm", "hm", "hmm", "hmmm", "uh", "uhhuh", "um", "umm", "ah", "oh", "aha", "huh",
        "yeah", "yep", "yes", "ok", "okay", "right", "sure", "i", "see", "alright",
    ]
    /// An echo is at least this many words in a row: fewer are said by chance.
    private static let echoWords = 3

    let list: [String]

    init(_ text: String) {
        list = SleepPhraseMatcher.words(
            of: text.lowercased().replacing("uh-huh", with: "uhhuh").replacing("mm-hm", with: "mmhm"))
    }

    /// Whether nothing was said, or nothing but that somebody listens.
    var isBackchannel: Bool { list.allSatisfy(Self.backchannels.contains) }

    /// Whether these words stand in others, in a row.
    func isPart(of other: SpokenWords) -> Bool {
        guard list.count >= Self.echoWords, list.count <= other.list.count else { return false }
        return (0...(other.list.count - list.count)).contains { start in
            other.list[start..<(start + list.count)].elementsEqual(list)
        }
    }
}
