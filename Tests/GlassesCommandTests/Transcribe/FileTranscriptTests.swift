import GlassesAudio
import GlassesCore
import Testing

@testable import glasses

@Suite("Transcripts of files")
struct FileTranscriptTests {
    private func transcript(_ utterances: [(String, Double, Int64, Int64)]) -> FileTranscript {
        var transcript = FileTranscript(file: "a.wav", engine: "engine")
        transcript.utterances = utterances.map { .init(text: $0, confidence: $1, startMs: $2, endMs: $3) }
        return transcript
    }

    @Test("the text is that of all utterances, and a long one counts more in the confidence")
    func sums() {
        let two = transcript([("one two", 0.9, 0, 3_000), ("", 0, 3_000, 3_000), ("three", 0.1, 4_000, 5_000)])
        #expect(two.text == "one two three")
        #expect(abs((two.confidence ?? 0) - 0.7) < 1e-9)
    }

    @Test("a file without speech has no confidence and says so once it was read to its end")
    func silence() {
        var silent = transcript([])
        #expect(silent.confidence == nil)
        #expect(silent.note == nil)
        silent.extent = .init(seconds: 2, ending: .complete)
        #expect(silent.note == "no speech was found in a.wav")
        #expect(silent.json(nil)["confidence"] == .null)
        #expect(silent.json(nil)["seconds"] == 2.0)
    }

    @Test("a file that ends early is told of, with what it says")
    func truncated() {
        var cut = transcript([("hello", 1, 0, 10)])
        cut.extent = .init(seconds: 1, ending: .truncated(missingFrames: 3))
        #expect(cut.note == "a.wav ends early; what was there is recognised")
        #expect(cut.json(nil)["truncated"] == true)
        #expect(cut.json(nil)["text"] == "hello")
    }

    @Test("a failure stands beside what was understood until then")
    func failure() {
        let json = transcript([("hello", 1, 0, 10)]).json(Problem(code: "engine_failed", "It failed."))
        #expect(json["error"]?["code"] == "engine_failed")
        #expect(json["text"] == "hello")
        #expect(json["seconds"] == nil)
    }

    @Test("control characters of a file's name do not reach the terminal")
    func hostileName() {
        #expect(FileTranscript(file: "a\u{1B}[2J.wav", engine: "engine").name == "a[2J.wav")
    }
}
