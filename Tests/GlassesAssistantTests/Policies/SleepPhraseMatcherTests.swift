import GlassesAssistant
import Testing

@Suite struct SleepPhraseMatcherTests {
    @Test(arguments: [
        ("café menu", "Café, menu!"), ("café menu", "CAFE\u{301}  menu"), ("café menu", "the cafe\u{301}-menu"),
        ("café menu", "cafe menu please"), ("stop", "Stop."), ("stop", "please STOP now"),
        ("that's all", "That’s all."),
        ("that's all", "thats all"), ("thats all", "that´s all, thanks"), ("go to sleep", "Go\tto\nsleep!"),
        ("über uns", "Uber uns"), ("route 66", "take Route 66"),
    ])
    func aPhraseIsFoundWhateverItsForm(phrase: String, text: String) {
        #expect(SleepPhraseMatcher(phrases: ["never said", phrase]).matches(text))
    }

    @Test(arguments: [
        ("stop", "nonstop"), ("stop", "stopping"), ("stop", "bus-stops"), ("go to sleep", "go sleep"),
        ("go to sleep", "sleep to go"), ("go to sleep", "go to"), ("stop", ""), ("!?", "anything"), ("", "anything"),
    ])
    func aPhraseIsFoundOnlyInWholeWordsOfItsOrder(phrase: String, text: String) {
        #expect(!SleepPhraseMatcher(phrases: [phrase]).matches(text))
    }
}
