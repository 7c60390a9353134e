import Foundation
import TestProcess
import Testing

@Suite("Whatever order host and children die in, nothing is left over")
struct ChildLeakTests {
    private static let lab = buildFolder + "/plugin-lab"
    private static let plugin = buildFolder + "/libLoopbackTransport.so"

    @Test("A host that is killed takes its children along")
    func diesWithHost() async throws {
        var process = TestProcess(Self.lab, ["hold", Self.plugin])
        process.signals = ([SIGKILL], after: "ready")
        let outcome = try await process.run()
        #expect(outcome.code == 128 + SIGKILL)
        let children = try #require(outcome.lines.first { $0.hasPrefix("children") })
            .split(separator: " ").dropFirst().compactMap { pid_t($0) }
        #expect(children.count == 1)
        for child in children { #expect(await eventually { kill(child, 0) == -1 && errno == ESRCH }) }
    }

    @Test("Twenty lives of an instance, most with a killed child, leave no descriptor and no process")
    func leaksNothing() async throws {
        let outcome = try await TestProcess(Self.lab, ["cycle", Self.plugin, "20"]).run()
        #expect(outcome.code == 0, "\(outcome)")
        let counts = outcome.lines.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
        let (before, after) = (try #require(counts.first), try #require(counts.last))
        #expect(counts.count == 2)
        // A leak would be one for each life; the runtime below may open one of its own meanwhile.
        #expect(try #require(after.first) < #require(before.first) + 5, "\(before) \(after)")
        #expect(after.last == 0)
    }
}
