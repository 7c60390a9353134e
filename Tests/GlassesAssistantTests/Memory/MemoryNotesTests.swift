import GlassesDomain
import Testing

@testable import GlassesAssistant

@Suite struct MemoryNotesTests {
    @Test func anAnswerThatIsBeingSaidWaitsForItsLastWord() {
        var history = ConversationHistory(cap: 100)
        var notes = MemoryNotes(isOn: true, cap: 100)
        history.append(.userText(text: "tell me", timestampMs: 1), id: "u")
        history.append(.assistantText(text: "Once", timestampMs: 2), id: "a")
        #expect(notes.take(from: history, least: 1, live: ["a"]) == [.userText(text: "tell me", timestampMs: 1)])
        var verdicts = TextVerdicts()
        history.setAssistantText(
            "a", words: "Once upon a time", heard: "Once upon a time", wasCut: false, &verdicts)
        let rest = notes.take(from: history, least: 1, live: [])
        #expect(rest == [.assistantText(text: "Once upon a time", timestampMs: 2)])
    }

    @Test(arguments: [(1, 1), (8, 2), (20, 5), (100, 8)])
    func aPortionIsSmallerThanWhatTheHistoryHolds(cap: Int, portion: Int) {
        #expect(MemoryNotes(isOn: true, cap: cap).portion == portion)
    }
}
