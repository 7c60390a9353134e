import Foundation
import TestProcess
import Testing

@Suite("Scripts/check-layers")
struct CheckLayersTests {
    private static let table = """
        | L | module | its one job | may import |
        |---|---|---|---|
        | 0 | `Words` | pure: the words | – |
        | 1 | `Voice` | the voice | Words |
        | 2 | `App` | the program | Words, Voice |
        | P | `Horn` | a plugin | Words |
        """

    private func check(table: String = table, _ files: [String: String]) async throws -> TestProcess.Outcome {
        let folder = try TemporaryFolder()
        try folder.write("docs/architecture.md", table + "\n")
        for (path, text) in files { try folder.write(path, text) }
        return try await TestProcess(ScriptTree.script("check-layers"), ["--root", folder.url.path]).run()
    }

    @Test("imports that the table allows are taken, also of the system's libraries")
    func allowed() async throws {
        let outcome = try await check([
            "Sources/Words/Words.swift": "import Foundation\n",
            "Sources/Voice/Voice.swift":
                "public import Words\n@testable import Words\nimport Glibc\nlet now = Date()\n",
            "Sources/App/Deep/App.swift": "import struct Voice.Tone\nimport Words\n",
            "Plugins/Horn/Horn.swift": "import Words\n",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("4 modules, no violation"))
    }

    @Test("the repository itself is clean")
    func repository() async throws {
        let outcome = try await TestProcess(ScriptTree.script("check-layers")).run()
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(
        "a violation is named with its place",
        arguments: [
            ("Sources/Words/A.swift", "import Voice\n", "Sources/Words/A.swift:1: Words may not import Voice"),
            ("Sources/Voice/A.swift", "\n@_spi(X) import App\n", "Sources/Voice/A.swift:2: Voice may not import App"),
            ("Plugins/Horn/A.swift", "import Voice\n", "Plugins/Horn/A.swift:1: Horn may not import Voice"),
            ("Sources/Other/A.swift", "\n", "Other is not in the table"),
            (
                "Sources/Words/A.swift", "import Dispatch\n",
                "Sources/Words/A.swift:1: Words is pure and may not import Dispatch"
            ),
            (
                "Sources/Words/A.swift", "let x = Date()\n",
                "Sources/Words/A.swift:1: Words is pure and may not use this: let x = Date()"
            ),
            (
                "Sources/Words/A.swift", "    Task { f() }\n",
                "Sources/Words/A.swift:1: Words is pure and may not use this: Task { f() }"
            ),
            (
                "Sources/Words/A.swift", "let x = Int.random(in: 0...1)\n",
                "Sources/Words/A.swift:1: Words is pure and may not use this"
            ),
        ])
    func violation(_ path: String, _ text: String, _ complaint: String) async throws {
        let outcome = try await check([path: text])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("check-layers: \(complaint)"), "\(outcome.errors)")
    }

    @Test(
        "a pure module starts no task or thread, reads no clock, no file and no environment",
        arguments: [
            "Task(priority: .high) { f() }", "Task(executorPreference: pool) { f() }", "let t: Task<Void, Never>",
            "await withTaskGroup(of: Int.self) { _ in }", "try await withThrowingTaskGroup(of: Int.self) { _ in }",
            "await withDiscardingTaskGroup { _ in }", "Thread { f() }.start()", "Thread.detachNewThread { f() }",
            "let x = Thread()", "let x = Date.now", "let x = DispatchTime.now()", "let x = try Data(contentsOf: url)",
            "let x = try String(contentsOf: url)", "let x = try String(contentsOfFile: path)", "let x = getenv(name)",
        ])
    func effect(_ text: String) async throws {
        let outcome = try await check(["Sources/Words/A.swift": "    \(text)\n"])
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.contains("Sources/Words/A.swift:1: Words is pure and may not use this: \(text)"),
            "\(outcome.errors)")
    }

    @Test("a comment and a generator that is an argument are no impurity")
    func purity() async throws {
        let outcome = try await check([
            "Sources/Words/A.swift": "// Date() is forbidden here\nlet x = Int.random(in: 0...1, using: &generator)\n",
            "Sources/Words/B.swift": "let toolTask = MyTask(id: 1)\nlet x = Threads()\nbytes.append(contentsOf: x)\n",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(
        "a table that is wrong in itself is refused",
        arguments: [
            (
                "| 0 | `Words` | the words | Voice |\n| 1 | `Voice` | the voice | – |",
                "the table lets Words (layer 0) import"
            ),
            ("| 0 | `Words` | the words | Nothing |", "the table lets Words import Nothing, which it does not list"),
        ])
    func wrongTable(_ table: String, _ complaint: String) async throws {
        let outcome = try await check(table: table, ["Sources/Words/A.swift": "\n"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
    }

    @Test("no table is wrong usage")
    func noTable() async throws {
        let outcome = try await check(table: "Nothing here.", [:])
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("no layer table"))
    }
}
