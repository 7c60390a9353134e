/// A unit of temperature, length, weight or volume, which a parameter wants and a speaker may say another of.
struct MeasureUnit: Equatable, Sendable {
    enum Dimension: Equatable, Sendable { case temperature, length, weight, volume }

    var dimension: Dimension
    /// One of this unit in the dimension's base unit: kelvins, metres, grams, litres.
    var factor: Double
    /// The base unit's value at zero; other than zero for temperatures only.
    var offset = 0.0

    /// The unit that a word names, in full or abbreviated.
    init?(word: String) {
        guard let unit = Self.names[word] else { return nil }
        self = unit
    }

    private init(_ dimension: Dimension, _ factor: Double, _ offset: Double = 0) {
        self.dimension = dimension
        self.factor = factor
        self.offset = offset
    }

    /// `value` of this unit in `target`, to two decimals; nil between dimensions.
    func convert(_ value: Double, to target: MeasureUnit) -> Double? {
        guard dimension == target.dimension else { return nil }
        let converted = (value * factor + offset - target.offset) / target.factor
        return (converted * 100).rounded() / 100
    }

    /// The unit said at `index`, behind "degrees" or "fluid", and how many tokens it takes.
    static func unit(in tokens: [Token], at index: Int) -> (unit: MeasureUnit, count: Int)? {
        guard index < tokens.count else { return nil }
        let isLed = ["degrees", "degree", "°"].contains(tokens[index].lower)
        guard index + (isLed ? 1 : 0) < tokens.count else { return nil }
        let word = tokens[index + (isLed ? 1 : 0)].lower
        if tokens[index].lower == "fluid", index + 1 < tokens.count, tokens[index + 1].lower.hasPrefix("ounce") {
            return (fluidOunce, 2)
        }
        guard let unit = MeasureUnit(word: word) else { return nil }
        return (unit, isLed ? 2 : 1)
    }

    private static let fluidOunce = MeasureUnit(.volume, 0.029_573_529_6)

    private static let names: [String: MeasureUnit] = {
        let forms: [(MeasureUnit, String)] = [
            (.init(.temperature, 1, 273.15), "celsius centigrade"),
            (.init(.temperature, 5.0 / 9, 459.67 * 5 / 9), "fahrenheit"), (.init(.temperature, 1), "kelvin kelvins"),
            (.init(.length, 0.001), "millimeter millimeters millimetre millimetres mm"),
            (.init(.length, 0.01), "centimeter centimeters centimetre centimetres cm"),
            (.init(.length, 1), "meter meters metre metres"),
            (.init(.length, 1_000), "kilometer kilometers kilometre kilometres km kms"),
            (.init(.length, 0.0254), "inch inches"), (.init(.length, 0.3048), "foot feet ft"),
            (.init(.length, 0.9144), "yard yards"), (.init(.length, 1_609.344), "mile miles"),
            (.init(.weight, 0.001), "milligram milligrams mg"), (.init(.weight, 1), "gram grams gramme grammes"),
            (.init(.weight, 1_000), "kilogram kilograms kilo kilos kg kgs"),
            (.init(.weight, 28.349_523_1), "ounce ounces oz"), (.init(.weight, 453.592_37), "pound pounds lb lbs"),
            (.init(.weight, 6_350.293_18), "stone stones"),
            (.init(.volume, 0.001), "milliliter milliliters millilitre millilitres ml"),
            (.init(.volume, 0.01), "centiliter centiliters centilitre centilitres cl"),
            (.init(.volume, 1), "liter liters litre litres"), (.init(.volume, 0.236_588_237), "cup cups"),
            (.init(.volume, 0.473_176_473), "pint pints"), (.init(.volume, 0.946_352_946), "quart quarts"),
            (.init(.volume, 3.785_411_784), "gallon gallons"),
            (.init(.volume, 0.014_786_765), "tablespoon tablespoons tbsp"),
            (.init(.volume, 0.004_928_922), "teaspoon teaspoons tsp"),
        ]
        var table: [String: MeasureUnit] = [:]
        for (unit, words) in forms { for word in words.split(separator: " ") { table[String(word)] = unit } }
        return table
    }()
}
