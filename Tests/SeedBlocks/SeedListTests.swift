import Foundation
import Testing

@Suite("The list of seed blocks")
struct SeedListTests {
    @Test("28 blocks are listed, 7, 3, 6, 5 and 7 of the five documents")
    func counts() throws {
        let blocks = try SeedBlock.all()
        let counts = ["000", "001", "002", "003", "004"].map { number in
            blocks.count { $0.document.hasPrefix(number) }
        }
        #expect(counts == [7, 3, 6, 5, 7])
        #expect(blocks.count == 28)
    }

    @Test("Every frame has one place for its block, and belongs to one")
    func frames() throws {
        let frames = try SeedBlock.all().compactMap(\.frame)
        #expect(Set(frames).count == frames.count)
        for frame in frames {
            let text = try String(contentsOf: Seeds.frames.appendingPathComponent(frame), encoding: .utf8)
            #expect(try SeedProgram.fill(text, frame, with: "let block = 1").contains("let block = 1"))
        }
    }

    @Test(
        "A change is made where it is needed, and counted",
        arguments: [
            ("a()\n...\nb()", "a()\nb()", "1 × lines `...` dropped"),
            ("import SwiftUI\nimport MWDATCore", "import AppleShims\nimport MWDATCore", "1 × imports of the shims"),
            (".onOpenURL { _ in }", "EmptyView().onOpenURL { _ in }", "1 × modifiers attached to a view"),
            ("view\n    .onOpenURL { _ in }", "view\n    .onOpenURL { _ in }", "no change"),
            (
                "switch a {\n  case .one:\n    // nothing\n  case .two:\n    b()\n  case .three:\n}",
                "switch a {\n  case .one:\n      break\n    // nothing\n  case .two:\n    b()\n  case .three:\n      break\n}",
                "2 × breaks in empty cases"
            ),
        ])
    func changes(_ text: String, _ changed: String, _ told: String) {
        let outcome = SeedChanges.apply(to: text)
        #expect(outcome.text == changed)
        #expect(outcome.changes.description == told)
    }

    @Test("A digest is that of the standard's example")
    func digest() {
        #expect(SeedBlock.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("A range that the document does not have is no block")
    func range() {
        var block = SeedBlock(document: "", lines: [2, 3], sha256: "", frame: nil, changes: nil, lacks: nil)
        #expect(block.text(in: "a\nb\nc") == "b\nc")
        for lines in [[2, 4], [0, 1], [3, 2], [1]] {
            block.lines = lines
            #expect(block.text(in: "a\nb\nc") == nil)
        }
    }
}
