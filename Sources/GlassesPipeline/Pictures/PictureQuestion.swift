/// A question about what is to be seen, which no rule for commands understands.
enum PictureQuestion: Equatable, Sendable {
    /// What is there to be seen now?
    case sight
    /// What of the picture that was shown?
    case picture

    /// The command that a question about sight amounts to, if there is a tool that looks.
    static let look = "look at what is in front of me"

    private static let pictures: Set<String> = ["picture", "photo", "photograph", "image"]
    private static let questions: Set<String> = [
        "what", "what's", "who", "how", "describe", "tell", "is", "are", "which",
    ]
    private static let sights: Set<String> = ["see", "looking", "seeing"]
    private static let persons: Set<String> = ["you", "i", "we"]

    /// Nil for an utterance that asks for nothing of the kind.
    init?(_ text: String) {
        let words = Utterance(text).tokens.map(\.lower)
        guard let first = words.first, Self.questions.contains(first) || words.contains("what") else { return nil }
        if words.contains(where: Self.pictures.contains) {
            self = .picture
        } else if words.contains(where: Self.sights.contains) && words.contains(where: Self.persons.contains)
            || words.joined(separator: " ").contains("in front of me")
        {
            self = .sight
        } else {
            return nil
        }
    }
}
