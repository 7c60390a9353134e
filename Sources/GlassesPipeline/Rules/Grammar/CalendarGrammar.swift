/// A point in time as it was said, and how many tokens it took.
struct SpokenMoment: Equatable {
    enum Kind { case clock, date }

    var kind: Kind
    var count: Int
    /// Hour and minute of a clock time, 24-hour when the speaker said which half of the day.
    var clock: Clock?

    struct Clock: Equatable {
        var hour: Int
        var minute: Int

        /// `HH:MM`.
        var text: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
    }
}

/// Reads clock times and dates where they stand in a sentence, without knowing what day it is.
enum CalendarGrammar {
    private static let days = FunctionWords.words(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays "
            + "fridays saturdays sundays weekend weekends weekdays weekday"
    )
    private static let months = FunctionWords.words(
        "january february march april may june july august september october november december jan feb "
            + "aug sept oct nov dec"
    )
    private static let relativeDays = FunctionWords.words("today tomorrow tonight yesterday")
    private static let dayParts = FunctionWords.words("morning afternoon evening night lunchtime noon midnight")
    private static let periods = FunctionWords.words("week month year weekend quarter")

    /// The date that begins at `start`: "tomorrow", "next friday", "on june 5th", "the fifth of may", "this evening".
    static func date(in tokens: [Token], at start: Int) -> SpokenMoment? {
        guard start < tokens.count else { return nil }
        let words = tokens[start...].prefix(6).map(\.lower)
        var count = 0
        if words[0] == "day", words.starts(with: ["day", "after", "tomorrow"]) {
            return SpokenMoment(kind: .date, count: 3)
        }
        if words.starts(with: ["the", "day", "after", "tomorrow"]) { return SpokenMoment(kind: .date, count: 4) }
        if relativeDays.contains(words[0]) || days.contains(words[0]) {
            count = 1
        } else if ["this", "next", "last", "coming", "every"].contains(words[0]), words.count > 1,
            days.contains(words[1]) || periods.contains(words[1]) || dayParts.contains(words[1]) || words[1] == "day"
        {
            count = 2
        } else if months.contains(words[0]), let day = NumberGrammar.number(in: tokens, at: start + 1), day.value <= 31
        {
            count = 1 + day.count
        } else {
            count = dayOfMonth(in: tokens, at: start) ?? 0
        }
        guard count > 0 else { return nil }
        if count < words.count, dayParts.contains(words[count]), words[count] != "noon", words[count] != "midnight" {
            count += 1
        }
        return SpokenMoment(kind: .date, count: count)
    }

    /// "the fifth of may", "5 june", "the 3rd".
    private static func dayOfMonth(in tokens: [Token], at start: Int) -> Int? {
        let hasArticle = tokens[start].lower == "the"
        let index = hasArticle ? start + 1 : start
        guard let day = NumberGrammar.number(in: tokens, at: index), (1...31).contains(day.value) else { return nil }
        var end = index + day.count
        if end < tokens.count, tokens[end].lower == "of" { end += 1 }
        if end < tokens.count, months.contains(tokens[end].lower),
            tokens[end].lower != "may" || end > index + day.count || hasArticle
        {
            return end + 1 - start
        }
        guard hasArticle, day.isOrdinal, index + day.count == tokens.count else { return nil }
        return index + day.count - start
    }

    /// The clock time that begins at `start`: "7", "7:30 pm", "seven thirty", "half past six", "quarter to eight",
    /// "noon".
    static func clock(in tokens: [Token], at start: Int) -> SpokenMoment? {
        guard start < tokens.count else { return nil }
        if let named = ["noon": 12, "midday": 12, "midnight": 0][tokens[start].lower] {
            return SpokenMoment(kind: .clock, count: 1, clock: .init(hour: named, minute: 0))
        }
        guard var moment = relativeClock(in: tokens, at: start) ?? absoluteClock(in: tokens, at: start) else {
            return nil
        }
        applyDayHalf(&moment, tokens, start)
        return moment
    }

    /// "half past six", "quarter to eight", "ten to five".
    private static func relativeClock(in tokens: [Token], at start: Int) -> SpokenMoment? {
        guard let number = NumberGrammar.number(in: tokens, at: start) else { return nil }
        var index = start + number.count
        if index < tokens.count, ["minutes", "minute"].contains(tokens[index].lower) { index += 1 }
        guard index + 1 < tokens.count,
            let sign = ["past": 1, "after": 1, "to": -1, "till": -1, "before": -1][tokens[index].lower],
            let hour = NumberGrammar.number(in: tokens, at: index + 1), let whole = Int(exactly: hour.value),
            (1...12).contains(whole)
        else { return nil }
        let minutes = number.value < 1 ? number.value * 60 : number.value
        guard minutes > 0, minutes < 60, let offset = Int(exactly: minutes.rounded()) else { return nil }
        let total = (whole % 12 * 60 + sign * offset + 720) % 720
        let clock = SpokenMoment.Clock(hour: total / 60 == 0 ? 12 : total / 60, minute: total % 60)
        return SpokenMoment(kind: .clock, count: index + 1 + hour.count - start, clock: clock)
    }

    private static func absoluteClock(in tokens: [Token], at start: Int) -> SpokenMoment? {
        let parts = tokens[start].lower.split(separator: ":")
        if parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute)
        {
            return SpokenMoment(kind: .clock, count: 1, clock: .init(hour: hour, minute: minute))
        }
        guard let number = NumberGrammar.number(in: tokens, at: start), !number.isOrdinal,
            let hour = Int(exactly: number.value),
            (0...24).contains(hour), number.count == 1
        else { return nil }
        let next = start + 1
        var skipped = 0
        if next < tokens.count, ["oh", "o"].contains(tokens[next].lower),
            NumberGrammar.number(in: tokens, at: next + 1) != nil
        {
            skipped = 1
        }
        if let minute = NumberGrammar.number(in: tokens, at: next + skipped), !minute.isOrdinal,
            let whole = Int(exactly: minute.value), (skipped == 1 ? 0 : 10)..<60 ~= whole, hour < 24
        {
            return SpokenMoment(
                kind: .clock, count: 1 + skipped + minute.count, clock: .init(hour: hour, minute: whole))
        }
        return SpokenMoment(kind: .clock, count: 1, clock: .init(hour: hour % 24, minute: 0))
    }

    /// The half of the day that a date behind a clock time names, which stays a date: "tonight", "tomorrow morning".
    private static func halfOfDate(in tokens: [Token], at index: Int) -> Bool? {
        guard let date = date(in: tokens, at: index) else { return nil }
        switch tokens[index + date.count - 1].lower {
        case "tonight", "evening", "afternoon", "night": return true
        case "morning": return false
        default: return nil
        }
    }

    /// "am", "p m", "o'clock", "in the morning", "at night" after a clock time.
    private static func applyDayHalf(_ moment: inout SpokenMoment, _ tokens: [Token], _ start: Int) {
        var index = start + moment.count
        let words = { (offset: Int) in index + offset < tokens.count ? tokens[index + offset].lower : "" }
        if ["o'clock", "oclock"].contains(words(0)) { index += 1 }
        var isAfternoon: Bool?
        if ["am", "pm"].contains(words(0)) {
            isAfternoon = words(0) == "pm"
            index += 1
        } else if ["a", "p"].contains(words(0)), words(1) == "m" {
            isAfternoon = words(0) == "p"
            index += 2
        } else if words(0) == "in", words(1) == "the", dayParts.contains(words(2)) {
            isAfternoon = words(2) != "morning"
            index += 3
        } else if words(0) == "at", words(1) == "night" {
            isAfternoon = true
            index += 2
        } else {
            isAfternoon = halfOfDate(in: tokens, at: index)
        }
        moment.count = index - start
        guard let isAfternoon, let clock = moment.clock, clock.hour <= 12 else { return }
        moment.clock?.hour = clock.hour % 12 + (isAfternoon ? 12 : 0)
    }
}
