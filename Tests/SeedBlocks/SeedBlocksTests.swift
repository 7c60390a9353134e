import Foundation
import TestProcess
import Testing

/// The 28 Swift blocks of the documents that the project was created from compile here as they stand, and do what they say.
@Suite("Seed blocks") struct SeedBlocksTests {
    private static let documents = [
        "000_901725b24d7152a2.txt", "001_0eb05eb6004281d0.txt", "002_9a145c60f87c3ae2.txt", "003_a11baec18cec067e.txt",
        "004_688ecfc504435686.txt",
    ]

    /// What the program of each document prints.
    private static let expected = [
        [
            "registration: registered", "permission: granted", "stream: streaming", "photos: 1", "stream: stopped",
            "registration: available",
        ],
        [
            "registration: registered", "devices: 1", "frame: 504 x 896", "photo: JPEG", "stream: stopped",
            "registration: available",
        ],
        ["session: started", "stream: streaming", "frame: 504 x 896", "photos: 1", "session: stopped"],
        [
            "active: true", "session: started", "stream: streaming", "session: paused",
            "session: stopped, active: false", "error: The session has ended: make a new one.",
        ],
        [
            "declared: microphone, speaker", "log: no camera on this transport:", "relay: stop", "assistant: dormant",
            "assistant: stopped",
        ],
    ]

    /// One test for all, so that one line tells that it was skipped.
    @Test(
        "A document's blocks are as listed, compile with the listed changes and no other, and do what they say",
        .enabled(if: Seeds.areThere, "no folder \(Seeds.documents.path): set EXTENTOS_SEEDS"),
        arguments: zip(documents, expected))
    func blocks(_ document: String, _ expected: [String]) async throws {
        let listed = try SeedBlock.all().filter { $0.document == document }
        let program = try SeedProgram(document: document)
        #expect(program.changes == listed.compactMap(\.changes).reduce(SeedChanges(), +))
        print("Seed blocks of \(document): \(program.blocks) of \(listed.count) compiled, \(program.changes)")
        let compiler = try SeedCompiler()
        for block in listed where block.frame == nil { try await explain(block, compiler) }
        let outcome = try await compiler.build(program)
        #expect(outcome.code == 0, "\(document): \(outcome.errors)")
        if outcome.code == 0 {
            let run = try await compiler.runProgram()
            #expect(run.lines == expected, "\(document): \(run.errors)")
            #expect(run.code == 0)
        }
        try compiler.remove()
    }

    /// A block that is left out needs something that is not there yet.
    private func explain(_ block: SeedBlock, _ compiler: SeedCompiler) async throws {
        let source = try #require(block.lacks, "\(block.document), lines \(block.lines): neither framed nor explained")
        let outcome = try await compiler.check(source)
        #expect(outcome.code != 0, "\(block.document), lines \(block.lines) can be framed now: `\(source)` compiles")
        print("Seed block left out: \(block.document), lines \(block.lines), until this compiles: \(source)")
    }
}
