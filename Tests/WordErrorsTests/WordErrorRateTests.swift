import Testing
import WordErrors

@Suite struct WordErrorRateTests {
    @Test(arguments: [
        ("what do you see", "What do you see?", 0, 4), ("take a picture", "take the picture", 1, 3),
        ("stop listening", "", 2, 2), ("stop", "please stop it", 2, 1), ("it's five", "its five", 1, 2),
        ("", "", 0, 0), ("", "word", 1, 0),
    ])
    func substitutedMissingAndAddedWordsCountOnce(reference: String, heard: String, errors: Int, words: Int) {
        let rate = WordErrorRate(reference: reference, heard: heard)
        #expect(rate.errors == errors)
        #expect(rate.words == words)
    }

    @Test(arguments: [
        ("set a timer for five minutes", "Set a timer for 5 minutes."), ("thirty three", "33"),
        ("thirty three", "Thirty-three"), ("two nine three four zero", "29340"), ("two nine", "2-9"),
        ("seven thirty", "7:30"), ("twelve oh five", "12:05"), ("one thousand two hundred six", "1206"),
        ("will it rain tomorrow", "Will it rain to-morrow?"), ("mister dashwood", "Mr. Dashwood"),
        ("it is what it's", "It is what it’s"), ("ninety percent", "90%"), ("set it to 20", "set it to twenty"),
    ])
    func whatIsOnlySpelledInAnotherWayIsRight(reference: String, heard: String) {
        #expect(WordErrorRate(reference: reference, heard: heard).errors == 0)
    }

    @Test(arguments: [
        ("set a timer for five minutes", "Set a timer for 9 minutes."), ("thirty three", "34"), ("ten", "to"),
        ("what day is it", "What today is it?"),
    ])
    func anotherNumberOrWordIsWrong(reference: String, heard: String) {
        #expect(WordErrorRate(reference: reference, heard: heard).errors == 1)
    }

    @Test func theErrorsOfUtterancesAddUp() {
        var total = WordErrorRate(reference: "stop listening", heard: "stop")
        total += WordErrorRate(reference: "take a picture", heard: "take a picture")
        #expect(total == WordErrorRate(errors: 1, words: 5))
        #expect(total.fraction == 0.2)
        #expect(WordErrorRate().fraction == 0)
    }
}
