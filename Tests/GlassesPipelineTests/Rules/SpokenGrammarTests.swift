import Testing

@testable import GlassesPipeline

@Suite struct SpokenGrammarTests {
    @Test(
        "a spoken number has one value and takes all its words",
        arguments: [
            ("5", 5.0, 1), ("2.5", 2.5, 1), ("1,000", 1000, 1), ("twenty-five", 25, 2), ("twenty five", 25, 2),
            ("a hundred", 100, 2), ("two hundred and six", 206, 4), ("three thousand four hundred", 3400, 4),
            ("a dozen", 12, 2), ("two dozen", 24, 2), ("half a dozen", 6, 3), ("a couple of", 2, 3), ("half", 0.5, 1),
            ("a quarter", 0.25, 2), ("three quarters", 0.75, 2), ("three and a half", 3.5, 4),
            ("two point five", 2.5, 3),
            ("minus five", -5, 2), ("nineteen", 19, 1), ("half a million", 500_000, 3),
        ])
    func numbers(text: String, value: Double, count: Int) throws {
        let number = try #require(NumberGrammar.number(in: Utterance(text).tokens, at: 0))
        #expect(abs(number.value - value) < 1e-9)
        #expect(number.count == count)
        #expect(!number.isOrdinal)
    }

    @Test(
        "an ordinal is a number that says so",
        arguments: [("third", 3.0), ("21st", 21), ("twenty first", 21), ("2nd", 2)])
    func ordinals(text: String, value: Double) throws {
        let number = try #require(NumberGrammar.number(in: Utterance(text).tokens, at: 0))
        #expect(number.value == value)
        #expect(number.isOrdinal)
    }

    @Test("a word that is no number gives none", arguments: ["a", "and five", "timer", "few", "", "hundredth"])
    func noNumber(text: String) { #expect(NumberGrammar.number(in: Utterance(text).tokens, at: 0) == nil) }

    @Test("seven thirty is two numbers, not thirty-seven")
    func unitBeforeTens() throws {
        let number = try #require(NumberGrammar.number(in: Utterance("seven thirty").tokens, at: 0))
        #expect(number.value == 7 && number.count == 1)
    }

    @Test(
        "a spoken duration has its length in seconds",
        arguments: [
            ("five minutes", 300.0), ("half an hour", 1800), ("an hour and a half", 5400),
            ("a quarter of an hour", 900),
            ("three quarters of an hour", 2700), ("two and a half minutes", 150), ("1 hour 30 minutes", 5400),
            ("one hour and ten minutes", 4200), ("90 seconds", 90), ("90s", 90), ("a minute", 60),
            ("an hour thirty", 5400),
            ("250 milliseconds", 0.25), ("a couple of minutes", 120), ("two days", 172_800),
            ("an hour and half a minute", 3630),
        ])
    func durations(text: String, seconds: Double) throws {
        let tokens = Utterance(text).tokens
        let duration = try #require(DurationGrammar.duration(in: tokens, at: 0))
        #expect(abs(duration.amount(in: .second) - seconds) < 1e-6)
        #expect(duration.count == tokens.count)
    }

    @Test(
        "a number without a unit of time is no duration", arguments: ["five", "five apples", "few minutes", "minutes"])
    func noDuration(text: String) { #expect(DurationGrammar.duration(in: Utterance(text).tokens, at: 0) == nil) }

    @Test(
        "a clock time is read as hour and minute",
        arguments: [
            ("7", 7, 0), ("7:30", 7, 30), ("seven thirty", 7, 30), ("half past six", 6, 30),
            ("quarter to eight", 7, 45),
            ("noon", 12, 0), ("7 pm", 19, 0), ("seven in the morning", 7, 0), ("five o'clock", 5, 0),
            ("seven p.m.", 19, 0),
            ("ten past one", 1, 10), ("midnight", 0, 0), ("12 am", 0, 0),
        ])
    func clocks(text: String, hour: Int, minute: Int) throws {
        let tokens = Utterance(text).tokens
        let moment = try #require(CalendarGrammar.clock(in: tokens, at: 0))
        #expect(moment.clock == .init(hour: hour, minute: minute))
        #expect(moment.count == tokens.count)
    }

    @Test(
        "a date takes all its words",
        arguments: [
            "tomorrow", "next friday", "june 5th", "the fifth of may", "this evening", "tomorrow morning",
            "day after tomorrow",
            "monday", "next week",
        ])
    func dates(text: String) {
        let tokens = Utterance(text).tokens
        #expect(CalendarGrammar.date(in: tokens, at: 0)?.count == tokens.count)
    }

    @Test(
        "contractions, hyphens and missing apostrophes end in the same words",
        arguments: [
            ("don't", ["do", "not"]), ("dont", ["do", "not"]), ("what's", ["what", "is"]), ("whats", ["what", "is"]),
            ("won’t", ["will", "not"]), ("I'm", ["i", "am"]), ("wi-fi", ["wifi"]), ("twenty-five", ["twenty", "five"]),
            ("Luigi's", ["luigi's"]), ("5min", ["5", "min"]), ("7pm", ["7", "pm"]), ("7 p.m.", ["7", "pm"]),
        ])
    func words(text: String, expected: [String]) { #expect(Utterance(text).tokens.map(\.lower) == expected) }

    @Test(
        "forms of a word have one stem",
        arguments: [
            ("pictures", "picture"), ("reminder", "remind"), ("navigation", "navigate"), ("took", "take"),
            ("translation", "translate"), ("running", "run"), ("cities", "city"), ("converted", "convert"),
        ])
    func stems(form: String, base: String) { #expect(Lemma.stem(form) == Lemma.stem(base)) }
}
