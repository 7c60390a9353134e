import GlassesDomain

/// Fills integers, numbers and durations.
enum NumberSlots {
    private static let prepositions: Set<String> = [
        "for", "in", "to", "by", "at", "of", "after", "with", "on", "from", "and", "between", "until", "within", "as",
    ]

    static func fillDurations(_ parameters: [ParameterSpec], on board: inout SlotBoard) {
        let timed = parameters.filter { $0.timeUnit != nil && board.arguments[$0.name] == nil }
        guard !timed.isEmpty else { return }
        var open = timed
        var index = board.start
        while index < board.quoteStart, !open.isEmpty {
            guard let duration = DurationGrammar.duration(in: board.tokens, at: index),
                index + duration.count <= board.range.upperBound,
                board.allows(index..<index + duration.count)
            else {
                index += 1
                continue
            }
            assign(duration, at: index, to: &open, on: &board)
            index += duration.count
        }
    }

    /// "set the timer to ten": a number without a unit for the only duration that a tool takes.
    static func fillBareDuration(_ parameters: [ParameterSpec], on board: inout SlotBoard) {
        let timed = parameters.filter { $0.timeUnit != nil }
        guard timed.count == 1, board.arguments[timed[0].name] == nil, !board.outOfRange.contains(timed[0].name) else {
            return
        }
        fillBareAmount(timed[0], on: &board)
    }

    /// One parameter takes the whole length in its unit; several (hours, minutes, seconds) each take their part.
    private static func assign(
        _ duration: SpokenDuration, at index: Int, to open: inout [ParameterSpec], on board: inout SlotBoard
    ) {
        let span = index..<index + duration.count
        let units = Set(open.compactMap(\.timeUnit))
        if open.count > 1, units.count == open.count, duration.parts.allSatisfy({ units.contains($0.unit) }) {
            for part in duration.parts {
                guard let parameter = open.first(where: { $0.timeUnit == part.unit }) else { continue }
                store(part.amount, for: parameter, span, on: &board)
                open.removeAll { $0.name == parameter.name }
            }
            return
        }
        guard let parameter = best(open, near: index, board), let unit = parameter.timeUnit else { return }
        store(duration.amount(in: unit), for: parameter, span, on: &board)
        open.removeAll { $0.name == parameter.name }
    }

    private static func best(_ open: [ParameterSpec], near index: Int, _ board: SlotBoard) -> ParameterSpec? {
        guard open.count > 1, index > board.start else { return open.first }
        if let duration = DurationGrammar.duration(in: board.tokens, at: index) {
            let beside = [index + duration.count, index - 1, index - 2].filter { board.range.contains($0) }
            for place in beside {
                if let named = open.first(where: {
                    $0.nameWords.contains(board.tokens[place].lower) && TimeUnit(word: board.tokens[place].lower) == nil
                }) {
                    return named
                }
            }
        }
        let before = board.tokens[index - 1].lower
        let wanted: Set<String> =
            before == "in" || before == "after" ? ["delay", "wait", "in", "after"] : ["duration", "length", "for"]
        return open.first { !wanted.isDisjoint(with: $0.nameWords) } ?? open.first
    }

    /// "set the timer to ten" means ten of the unit that the parameter names.
    private static func fillBareAmount(_ parameter: ParameterSpec, on board: inout SlotBoard) {
        for index in board.start..<board.quoteStart {
            guard let number = NumberGrammar.number(in: board.tokens, at: index), !number.isOrdinal else { continue }
            let span = index..<index + number.count
            guard span.upperBound <= board.range.upperBound, board.allows(span), !isPronoun(span, board) else {
                continue
            }
            let next = span.upperBound < board.range.upperBound ? board.tokens[span.upperBound].lower : ""
            guard next.isEmpty || FunctionWords.all.contains(next) || board.mark(span.upperBound) != .open else {
                continue
            }
            let before = index > board.start ? board.tokens[index - 1].lower : ""
            guard parameter.isRequired || ["for", "to", "of"].contains(before) else { continue }
            store(number.value, for: parameter, span, on: &board)
            return
        }
    }

    static func fillNumbers(_ parameters: [ParameterSpec], on board: inout SlotBoard) {
        var open = parameters.filter {
            ($0.kind == .integer || $0.kind == .number) && $0.timeUnit == nil && board.arguments[$0.name] == nil
        }
        guard !open.isEmpty else { return }
        let found = spokenNumbers(board)
        for (span, value) in found where !open.isEmpty {
            let named = open.first { isNamed($0, span, board) }
            let alone = open.count == 1 || found.count <= open.filter(\.isRequired).count ? open.first : nil
            guard let parameter = named ?? alone ?? open.first(where: \.isRequired),
                named != nil || fits(parameter, span, board) && !countsSomethingElse(parameter, span, board)
            else { continue }
            let (said, whole) = measured(value, parameter, span, board) ?? (scaled(value, parameter, span, board), span)
            store(said, for: parameter, whole, on: &board)
            open.removeAll { $0.name == parameter.name }
        }
        for parameter in open { fillExtreme(parameter, on: &board) }
        for parameter in open where parameter.isRequired && parameter.kind == .integer {
            fillArticle(parameter, on: &board)
        }
    }

    /// "log a glass of water" is one glass, where the parameter counts glasses.
    private static func fillArticle(_ parameter: ParameterSpec, on board: inout SlotBoard) {
        guard board.arguments[parameter.name] == nil, !board.outOfRange.contains(parameter.name) else { return }
        let counted = Set(parameter.nameWords.map(Lemma.stem)).subtracting(["number", "count", "amount"])
        for index in board.start..<max(board.start, board.quoteStart - 1)
        where ["a", "an", "another"].contains(board.tokens[index].lower) {
            let next = index + 2 < board.range.upperBound ? board.tokens[index + 2] : nil
            let endsThere = next.map { FunctionWords.contains($0) } ?? true
            guard counted.contains(board.tokens[index + 1].stem), endsThere, board.mark(index) == .open else {
                continue
            }
            return store(1, for: parameter, index..<index + 1, on: &board)
        }
    }

    private static func spokenNumbers(_ board: SlotBoard) -> [(Range<Int>, Double)] {
        var found: [(Range<Int>, Double)] = []
        var index = board.start
        while index < board.quoteStart {
            guard let number = NumberGrammar.number(in: board.tokens, at: index) else {
                index += 1
                continue
            }
            let span = index..<index + number.count
            if span.upperBound <= board.range.upperBound, board.allows(span), !isPronoun(span, board) {
                found.append((span, number.value))
            }
            index = span.upperBound
        }
        return found
    }

    /// "this one", "another one" name a thing.
    private static func isPronoun(_ span: Range<Int>, _ board: SlotBoard) -> Bool {
        guard span.count == 1, board.tokens[span.lowerBound].lower == "one" else { return false }
        if span.lowerBound > board.range.lowerBound {
            let before = board.tokens[span.lowerBound - 1].lower
            if ["this", "that", "another", "which", "the", "no", "any", "every", "new", "next", "last"].contains(before)
            {
                return true
            }
        }
        return span.upperBound < board.range.upperBound
            && ["of", "please"].contains(board.tokens[span.upperBound].lower)
    }

    /// Whether the words beside a number are the parameter's own.
    private static func isNamed(_ parameter: ParameterSpec, _ span: Range<Int>, _ board: SlotBoard) -> Bool {
        let names = Set(parameter.nameWords.map(Lemma.stem))
        let near = [span.upperBound, span.lowerBound - 1, span.lowerBound - 2].filter { board.range.contains($0) }
        if near.contains(where: { names.contains(board.tokens[$0].stem) }) { return true }
        let before = span.lowerBound - 1
        if board.range.contains(before) {
            let word = board.tokens[before].lower
            if ["from", "between"].contains(word) {
                return !names.isDisjoint(with: ["min", "minimum", "low", "from", "start", "lower", "begin", "a"])
            }
            if ["to", "and"].contains(word), !names.isDisjoint(with: ["max", "maximum", "high", "end", "upper", "b"]) {
                return true
            }
        }
        guard board.range.contains(span.upperBound) else { return false }
        let after = board.tokens[span.upperBound]
        return parameter.descriptionWords.map(Lemma.stem).contains(after.stem) && board.isContent(span.upperBound)
    }

    /// "at 5 market street": an optional number is not the one before another word.
    private static func countsSomethingElse(_ parameter: ParameterSpec, _ span: Range<Int>, _ board: SlotBoard) -> Bool
    {
        guard !parameter.isRequired, board.range.contains(span.upperBound) else { return false }
        let units: Set<String> = ["percent", "%", "degrees", "degree", "times", "people", "persons", "guests"]
        return board.mark(span.upperBound) == .open && board.isContent(span.upperBound)
            && !units.contains(board.tokens[span.upperBound].lower)
    }

    /// A number with a unit of time is no plain number, unless the parameter counts that.
    private static func fits(_ parameter: ParameterSpec, _ span: Range<Int>, _ board: SlotBoard) -> Bool {
        guard board.range.contains(span.upperBound) else { return true }
        let next = board.tokens[span.upperBound]
        guard TimeUnit(word: next.lower) != nil, next.lower.count > 2 else { return true }
        return parameter.stems.contains(next.stem)
    }

    /// "68 degrees fahrenheit" for a parameter in Celsius is 20, and takes the unit with it.
    private static func measured(
        _ value: Double, _ parameter: ParameterSpec, _ span: Range<Int>, _ board: SlotBoard
    ) -> (value: Double, span: Range<Int>)? {
        guard let wanted = parameter.measureUnit else { return nil }
        // "half a liter", "a quarter of a mile"
        var unitStart = span.upperBound
        while value < 1, board.range.contains(unitStart), ["a", "an", "of"].contains(board.tokens[unitStart].lower) {
            unitStart += 1
        }
        guard let (unit, count) = MeasureUnit.unit(in: board.tokens, at: unitStart),
            unitStart + count <= board.range.upperBound, let converted = unit.convert(value, to: wanted)
        else { return nil }
        let result = parameter.kind == .integer ? converted.rounded() : converted
        return (result, span.lowerBound..<unitStart + count)
    }

    /// "fifty percent" of a range from 0 to 1 is 0.5; "half" of a range from 0 to 100 is 50.
    private static func scaled(_ value: Double, _ parameter: ParameterSpec, _ span: Range<Int>, _ board: SlotBoard)
        -> Double
    {
        let next = board.range.contains(span.upperBound) ? board.tokens[span.upperBound].lower : ""
        if ["percent", "%", "per"].contains(next), let maximum = parameter.maximum, maximum <= 1 { return value / 100 }
        let isHalf = board.tokens[span].contains { ["half", "quarter", "quarters"].contains($0.lower) }
        if isHalf, value < 1, let maximum = parameter.maximum ?? percentMaximum(parameter), maximum >= 10 {
            return value * maximum
        }
        return value
    }

    /// What is full, for a parameter in percent whose schema gives no range.
    private static func percentMaximum(_ parameter: ParameterSpec) -> Double? {
        (parameter.nameWords + parameter.descriptionWords).contains { ["percent", "percentage"].contains($0) }
            ? 100 : nil
    }

    /// "full brightness", "volume to max", "all the way down": the ends of the schema's range.
    private static func fillExtreme(_ parameter: ParameterSpec, on board: inout SlotBoard) {
        let top: Set<String> = ["max", "maximum", "full", "highest", "loudest", "brightest", "maximal"]
        let bottom: Set<String> = ["min", "minimum", "lowest", "zero", "minimal"]
        for index in board.start..<max(board.start, board.quoteStart - 3)
        where board.tokens[index..<index + 3].map(\.lower) == ["all", "the", "way"] {
            let isUp = ["up", "on", "open"].contains(board.tokens[index + 3].lower)
            let isDown = ["down", "off"].contains(board.tokens[index + 3].lower)
            guard let value = isUp ? parameter.maximum ?? percentMaximum(parameter) : isDown ? parameter.minimum : nil
            else { continue }
            return store(value, for: parameter, index..<index + 3, on: &board)
        }
        for index in board.start..<board.quoteStart where board.allows(index..<index + 1) {
            let word = board.tokens[index].lower
            if top.contains(word), let value = parameter.maximum {
                return store(value, for: parameter, index..<index + 1, on: &board)
            }
            if bottom.contains(word), let value = parameter.minimum {
                return store(value, for: parameter, index..<index + 1, on: &board)
            }
        }
    }

    /// Keeps a value that the schema allows; another is remembered, so that the question is asked.
    private static func store(
        _ value: Double, for parameter: ParameterSpec, _ span: Range<Int>, on board: inout SlotBoard
    ) {
        var end = span.upperBound
        let units: Set<String> = [
            "percent", "%", "degrees", "degree", "celsius", "fahrenheit", "times", "dollars", "bucks", "euros", "°",
        ]
        while board.range.contains(end), board.mark(end) == .open,
            units.contains(board.tokens[end].lower)
                || parameter.stems.contains(board.tokens[end].stem) && board.isContent(end)
        {
            end += 1
        }
        var start = span.lowerBound
        let names = Set(parameter.nameWords)
        while start - 1 > board.start, board.mark(start - 1) == .open, names.contains(board.tokens[start - 1].lower) {
            start -= 1
        }
        guard let json = NumberSlots.json(value, for: parameter) else {
            board.outOfRange.insert(parameter.name)
            board.setMark(.slot, start..<end)
            return
        }
        board.take(start..<end, for: parameter, json, prepositions: prepositions)
    }

    /// The JSON number, or nil when it is fractional for an integer or outside the schema's range.
    static func json(_ value: Double, for parameter: ParameterSpec) -> JSONValue? {
        if let minimum = parameter.minimum, value < minimum { return nil }
        if let maximum = parameter.maximum, value > maximum { return nil }
        if let whole = Int64(exactly: value) { return .int(whole) }
        return parameter.kind == .number ? .double(value) : nil
    }
}
