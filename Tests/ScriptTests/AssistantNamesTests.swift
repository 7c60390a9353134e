import Foundation
import Testing

@Suite("the assistant's public names are used in Examples/ and documented")
struct AssistantNamesTests {
    private struct Name: Hashable, CustomStringConvertible {
        var type: String
        var member: String
        var description: String { "\(type).\(member)" }
    }

    private static func names() throws -> [Name] {
        let file = ScriptTree.root.appendingPathComponent("Tests/ScriptTests/assistant-api.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try lines.filter { !$0.hasPrefix("#") }.flatMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            try #require(parts.count == 2, "\(line)")
            return parts[1].split(separator: " ").map { Name(type: String(parts[0]), member: String($0)) }
        }
    }

    /// The lines of all Swift files in a folder.
    private static func files(_ folder: String) throws -> [[Substring]] {
        let root = ScriptTree.root.appendingPathComponent(folder).resolvingSymlinksInPath()
        let names = try #require(FileManager.default.enumerator(atPath: root.path))
        return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { name in
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    /// Each identifier in the code of a file; comments are none.
    private static func words(_ lines: [Substring]) -> Set<Substring> {
        var words: Set<Substring> = []
        for line in lines where !line.drop(while: \.isWhitespace).hasPrefix("//") {
            words.formUnion(line.matches(of: #/[A-Za-z_][A-Za-z0-9_]*/#).map(\.output))
        }
        return words
    }

    /// The public members by the type that they are declared in, and whether each declaration has a comment before it.
    private static func declarations(_ files: [[Substring]]) -> [Name: Bool] {
        var found: [Name: Bool] = [:]
        for lines in files {
            var type = ""
            for (index, line) in lines.enumerated() {
                if let match = line.firstMatch(of: type_) { type = String(match.1) }
                let member = line.firstMatch(of: member_)?.1 ?? line.firstMatch(of: initialiser_)?.1
                guard let member else { continue }
                let name = Name(type: type, member: String(member))
                found[name] = found[name] ?? true && isDocumented(lines, before: index)
            }
        }
        return found
    }

    private nonisolated(unsafe) static let type_ =
        #/^(?:public )?(?:indirect |final )*(?:struct|enum|class|protocol|extension) ([A-Za-z]+)/#
    private nonisolated(unsafe) static let member_ =
        #/^    (?:@[A-Za-z]+ |public |private\(set\) |static |mutating |indirect )*(?:func|var|let|case) `?([A-Za-z]+)/#
    private nonisolated(unsafe) static let initialiser_ = #/^    public (init)\b/#

    private static func isDocumented(_ lines: [Substring], before index: Int) -> Bool {
        var index = index - 1
        while index >= 0, lines[index].drop(while: \.isWhitespace).hasPrefix("@") { index -= 1 }
        return index >= 0 && lines[index].drop(while: \.isWhitespace).hasPrefix("///")
    }

    @Test("each name of the list is used in an example") func examples() throws {
        let used = try Self.files("Examples").reduce(into: Set<Substring>()) { $0.formUnion(Self.words($1)) }
        let unused = try Self.names().filter { !used.contains(Substring($0.member)) && $0.member != "init" }
        #expect(unused.isEmpty, "\(unused)")
    }

    @Test("each name of the list is declared in GlassesDomain, with a comment") func comments() throws {
        let declared = Self.declarations(try Self.files("Sources/GlassesDomain"))
        let names = try Self.names()
        #expect(names.count > 150)
        let missing = names.filter { declared[$0] == nil }
        #expect(missing.isEmpty, "not declared: \(missing)")
        let silent = names.filter { declared[$0] == false }
        #expect(silent.isEmpty, "not documented: \(silent)")
    }

    @Test("nothing public of the configuration is missing in the list") func completeness() throws {
        let types: Set = [
            "AssistantConfig", "AssistantConfigBuilder", "AssistantClient", "AssistantSession", "AssistantEvent",
            "AssistantError", "AssistantState", "ReconnectConfig", "Turn",
        ]
        let names = Set(try Self.names())
        let declared = Self.declarations(try Self.files("Sources/GlassesDomain/Assistant")).keys
        let forgotten = declared.filter { types.contains($0.type) && $0.member != "init" && !names.contains($0) }
        #expect(forgotten.isEmpty, "\(forgotten)")
    }
}
