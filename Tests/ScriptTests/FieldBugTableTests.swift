import Foundation
import Testing

@Suite("docs/field-bugs.md names tests that exist")
struct FieldBugTableTests {
    private func rows() throws -> [(bug: String, tests: [String])] {
        let file = ScriptTree.root.appendingPathComponent("docs/field-bugs.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[0].wholeMatch(of: #/A[0-9]+/#) != nil else { return nil }
            return (cells[0], cells[2].matches(of: #/`([A-Za-z0-9]+)`/#).map { String($0.1) })
        }
    }

    /// The names of all tests that are functions.
    private func functions() throws -> Set<String> {
        let folder = ScriptTree.root.appendingPathComponent("Tests")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        var found: Set<String> = []
        for case let name as String in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            // A function between an attribute and the next function's is the test.
            for part in text.split(separator: "@Test").dropFirst() {
                if let match = part.firstMatch(of: #/func ([A-Za-z0-9]+)/#) { found.insert(String(match.1)) }
            }
        }
        return found
    }

    @Test("every bug from A1 to A31 has a row with tests, and each of them exists")
    func tests() throws {
        let rows = try rows()
        #expect(rows.map(\.bug) == (1...31).map { "A\($0)" })
        let functions = try functions()
        for row in rows {
            #expect(!row.tests.isEmpty, "\(row.bug) has no test")
            let missing = row.tests.filter { !functions.contains($0) }
            #expect(missing.isEmpty, "\(row.bug) names tests that are gone: \(missing)")
        }
    }
}
