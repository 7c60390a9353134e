/// The dates of HTTP (RFC 9110 section 5.6.7), read without locale or time zone data.
enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    static func secondsSince1970(_ text: String) -> Double? {
        let words = text.lowercased().split(whereSeparator: { " ,-".contains($0) }).map(String.init)
        switch words.count {
        case 6 where words[5] == "gmt" || words[5] == "utc":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 5: return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(day: String, month: String, year: String, time: String) -> Double? {
        let clock = time.split(separator: ":").map { Int($0) }
        guard let day = Int(day), (1...31).contains(day), let index = months.firstIndex(of: month),
            let year = Int(year), (0...9999).contains(year),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Two digits are of the obsolete form; years before the web are of the next century.
        let fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        let days = daysSince1970(year: fullYear, month: index + 1, day: day)
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// Days of the Gregorian calendar, with years that begin in March so that the leap day is the last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
