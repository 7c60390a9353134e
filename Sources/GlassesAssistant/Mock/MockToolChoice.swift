import GlassesDomain

/// Which tool the stand-in for a model takes up for what the user says.
struct MockToolChoice: Sendable, Hashable {
    /// A shorter word fits everywhere.
    static let shortestWord = 3

    private struct Candidate: Sendable, Hashable {
        var name: String
        var description: String
    }

    private let tools: [Candidate]

    /// A choice among these tools, in the order of their registration.
    init(_ tools: [(name: String, description: String)]) {
        self.tools = tools.map { Candidate(name: $0.name, description: $0.description.lowercased()) }
    }

    /// The first tool whose description contains a word of the text; nil when none does.
    func tool(for text: String) -> String? {
        let words = Self.words(of: text)
        return tools.first { tool in words.contains { tool.description.contains($0) } }?.name
    }

    /// The runs of letters and digits that count, in lower case.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { $0.count >= shortestWord }
    }
}
