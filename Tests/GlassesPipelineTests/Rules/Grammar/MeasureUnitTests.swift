import Testing

@testable import GlassesPipeline

@Suite struct MeasureUnitTests {
    @Test(
        "a value said in another unit is converted to the wanted one",
        arguments: [
            (68.0, "fahrenheit", "celsius", 20.0), (-40, "fahrenheit", "celsius", -40),
            (20, "celsius", "fahrenheit", 68),
            (0, "celsius", "kelvin", 273.15), (5, "miles", "kilometers", 8.05), (10, "inches", "cm", 25.4),
            (150, "pounds", "kilograms", 68.04), (2, "cups", "milliliters", 473.18), (1, "gallon", "liters", 3.79),
        ])
    func converts(value: Double, from: String, to: String, expected: Double) throws {
        let (said, wanted) = (try #require(MeasureUnit(word: from)), try #require(MeasureUnit(word: to)))
        #expect(said.convert(value, to: wanted) == expected)
    }

    @Test("a length is no weight")
    func keepsDimensions() throws {
        let (miles, grams) = (try #require(MeasureUnit(word: "miles")), try #require(MeasureUnit(word: "grams")))
        #expect(miles.convert(1, to: grams) == nil)
    }

    @Test(
        "the part of the day behind a clock time decides its half",
        arguments: [
            ("ten to eight tonight", "19:50"), ("quarter past seven in the evening", "19:15"), ("noon", "12:00"),
            ("half past six am", "06:30"), ("7 pm", "19:00"), ("eighteen thirty", "18:30"),
            ("six thirty tomorrow morning", "06:30"), ("nine this evening", "21:00"), ("seven tomorrow", "07:00"),
        ])
    func readsClock(said: String, clock: String) {
        #expect(CalendarGrammar.clock(in: Utterance(said).tokens, at: 0)?.clock?.text == clock)
    }
}
