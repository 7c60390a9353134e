/// A text as the words that are heard when it is read out: recognisers write "7:30", "Mr." and "to-morrow" for the same sounds.
enum SpokenWords {
    /// How a row of digits is read: "29" as twenty nine or as two nine.
    enum DigitReading: CaseIterable {
        case number, singleDigits
    }

    /// The words in lower case without signs, apostrophes inside a word kept.
    static func words(in text: String, digits reading: DigitReading) -> [String] {
        // A hyphen parts words, but these were one word a hundred years ago as now.
        var text = text.lowercased().replacing("’", with: "'").replacing("%", with: " percent ")
        for word in ["morrow", "day", "night"] { text = text.replacing("to-\(word)", with: "to\(word)") }
        return text.split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init).flatMap { word in
            word.allSatisfy { $0.isASCII && $0.isNumber } ? read(word, as: reading) : [abbreviations[word] ?? word]
        }
    }

    private static let abbreviations = [
        "mr": "mister", "mrs": "missus", "dr": "doctor", "ok": "okay", "metres": "meters",
    ]
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    private static func read(_ digits: String, as reading: DigitReading) -> [String] {
        let single = digits.compactMap(\.wholeNumberValue).map { small[$0] }
        guard reading == .number, let number = Int(digits), number < 1_000_000 else { return single }
        // Minutes, as in 12:05.
        if digits.count == 2, digits.hasPrefix("0") { return ["oh"] + single.dropFirst() }
        return read(number)
    }

    private static func read(_ number: Int) -> [String] {
        switch number {
        case 1_000...: read(number / 1_000) + ["thousand"] + rest(number % 1_000)
        case 100...: read(number / 100) + ["hundred"] + rest(number % 100)
        case 20...: [tens[number / 10 - 2]] + rest(number % 10)
        default: [small[max(number, 0)]]
        }
    }

    private static func rest(_ number: Int) -> [String] { number == 0 ? [] : read(number) }
}
