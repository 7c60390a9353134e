import Testing

@testable import GlassesPipeline

@Suite struct SelfCorrectionTests {
    @Test(
        "what was taken back is gone and the repair stands in its place",
        arguments: [
            ("set a timer for five, no, ten minutes", "set a timer for ten minutes"),
            ("set a timer for five no ten minutes", "set a timer for ten minutes"),
            ("set a timer for five minutes, no, ten", "set a timer for ten minutes"),
            ("call mom, sorry, dad", "call dad"),
            ("call Anna Smith, I mean Peter", "call Peter"),
            ("wake me at six, I mean seven", "wake me at seven"),
            ("set an alarm for six am, no, make that half past six am", "set an alarm for half past six am"),
            ("turn on the kitchen, no, the bedroom light", "turn on the bedroom light"),
            ("take a video, no wait, take a picture", "take a picture"),
            ("set it to ten, no, twenty, no, thirty percent", "set it to thirty percent"),
        ])
    func corrects(said: String, meant: String) {
        #expect(SelfCorrection.apply(to: said) == meant)
    }

    @Test(
        "words that only look like a correction take nothing back",
        arguments: [
            "text mom, sorry, I'm late", "no pictures please", "tell Anna there is no milk", "say no wait for me",
            "do you know what i mean", "play sorry by Justin Bieber", "sorry", "no", "", "I mean", "call mom, sorry",
        ])
    func leavesAlone(said: String) {
        #expect(SelfCorrection.apply(to: said) == said)
    }

    @Test("an utterance of corrections only ends")
    func isBounded() {
        let said = String(repeating: "five no ", count: 400)
        #expect(SelfCorrection.apply(to: said).count <= said.count)
    }
}
