import Foundation
import Testing

@Suite("The sources keep no closure bare in a Mutex: docs/decisions/closures-in-mutexes.md")
struct ClosuresInMutexesTests {
    /// A Mutex of a function type, optional or not; arrays and dictionaries of functions are something else.
    private static var bare: Regex<Substring> {
        #/Mutex<\(*(?:@Sendable )?\([^<>]*\)(?: async)?(?: throws)? -> [^<>\[\]]*>/#
    }

    @Test(
        "the bare form is found",
        arguments: [
            "Mutex<(@Sendable (Int) -> Void)?>(nil)", "Mutex<@Sendable () -> Void>({})", "Mutex<() -> Int>({ 1 })",
        ])
    func isFound(_ line: String) { #expect(line.contains(Self.bare)) }

    @Test(
        "other forms are not",
        arguments: ["Mutex<[@Sendable () -> Void]>([])", "Mutex(Outlet())", "Mutex<[String: Int]>([:])"])
    func isNotFound(_ line: String) { #expect(!line.contains(Self.bare)) }

    @Test("no source has it")
    func sources() throws {
        let bare = Self.bare
        var found: [String] = []
        for folder in ["Sources", "Plugins", "Examples", "Tests"] {
            let names = try #require(
                FileManager.default.enumerator(atPath: ScriptTree.root.appendingPathComponent(folder).path))
            var count = 0
            for case let name as String in names where name.hasSuffix(".swift") {
                // This file has it in its examples.
                guard !name.hasSuffix("ClosuresInMutexesTests.swift") else { continue }
                count += 1
                let file = ScriptTree.root.appendingPathComponent("\(folder)/\(name)")
                let text = try String(contentsOf: file, encoding: .utf8)
                if text.contains(bare) { found.append(name) }
            }
            #expect(count > 0)
        }
        #expect(found.isEmpty)
    }
}
