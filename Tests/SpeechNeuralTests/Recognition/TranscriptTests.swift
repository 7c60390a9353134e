import Testing

@testable import SpeechNeuralEngines

@Suite struct TranscriptTests {
    private func part(spoken: Int, silent: Int) -> SpeechCollector {
        var part = SpeechCollector()
        let window = [Float](repeating: 0.5, count: SpeechCollector.windowFrames)
        for _ in 0..<spoken { _ = part.add(window, isSpeech: true) }
        for _ in 0..<silent { _ = part.add(window, isSpeech: false) }
        if silent > 0 { _ = part.add(window, isSpeech: true) }
        return part
    }

    @Test(arguments: [
        ("", ""), (" ", ""), ("♪♪♪", ""), (" ... ", ""), ("♪ Stop listening. ♪", "Stop listening."),
        (" Take  a\npicture. ", "Take a picture."), ("5", "5"),
    ])
    func onlyWordsAreText(written: String, text: String) {
        var transcript = Transcript()
        transcript.add(written, of: part(spoken: 10, silent: 0))
        #expect(transcript.text == text)
        #expect(transcript.confidence == (text.isEmpty ? 0 : 1))
    }

    @Test func confidenceIsTheShareOfSpeechInAllPartsWithWords() {
        var transcript = Transcript()
        transcript.add("One.", of: part(spoken: 5, silent: 4))
        transcript.add("♪", of: part(spoken: 50, silent: 0))
        transcript.add("Two.", of: part(spoken: 10, silent: 0))
        #expect(transcript.text == "One. Two.")
        #expect(transcript.confidence == 16.0 / 20.0)
    }

    @Test func anEndlessTextStaysBelowTheLimitOfTheABI() {
        var transcript = Transcript()
        for _ in 0..<10_000 { transcript.add("Nine bytes.", of: part(spoken: 1, silent: 0)) }
        #expect(transcript.text.utf8.count > 50_000)
        #expect(transcript.text.utf8.count < 65_536)
    }
}
