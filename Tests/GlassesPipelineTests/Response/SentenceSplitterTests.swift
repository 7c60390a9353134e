import Testing

@testable import GlassesPipeline

@Suite("Cutting an answer into sentences")
struct SentenceSplitterTests {
    @Test(
        "ends a piece where a sentence ends",
        arguments: [
            ("It is five.", ["It is five."]),
            ("It is five. Good evening!", ["It is five.", " Good evening!"]),
            ("Pi is 3.14, see example.com.", ["Pi is 3.14, see example.com."]),
            ("He said \"stop.\" Then he left.", ["He said \"stop.\"", " Then he left."]),
            ("Really?! Yes…", ["Really?!", " Yes…"]),
            ("one\ntwo", ["one\n", "two"]),
            ("... well. Fine. ...", ["... well.", " Fine. ..."]),
            ("今日は。元気？", ["今日は。", "元気？"]),
            ("no end", ["no end"]),
            ("!", ["!"]),
            ("", []),
        ])
    func sentences(text: String, pieces: [String]) {
        #expect(SentenceSplitter.pieces(of: text) == pieces)
    }

    @Test(
        "cuts what is too long, and the pieces together are the text",
        arguments: [
            String(repeating: "word, ", count: 200) + "end", String(repeating: "word ", count: 200) + "end",
            String(repeating: "x", count: 1_000), String(repeating: "é\n. ", count: 300),
        ])
    func longText(text: String) {
        let pieces = SentenceSplitter.pieces(of: text)
        #expect(pieces.joined() == text)
        #expect(pieces.allSatisfy { $0.count <= SentenceSplitter.maximumLength })
        #expect(pieces.count > 1)
    }
}
