import GlassesDomain

/// What on_power may tell.
enum PowerCheck {
    private static let charging: Set = ["charging", "notCharging", "full"]
    private static let thermal: Set = ["none", "light", "moderate", "severe", "critical", "emergency", "shutdown"]
    private static let hinges: Set = ["open", "closed"]

    /// Fails for a member with a value that version 1.0 does not have; what is absent is not known.
    static func check(_ power: JSONValue) throws(CaseEnd) {
        if let battery = power["battery"] {
            let isPercent = battery.intValue.map { (0...100).contains($0) } ?? false
            try expect(isPercent, "on_power's battery is no whole number from 0 to 100.")
        }
        try word(power, "charging", charging)
        try word(power, "thermal", thermal)
        try word(power, "hinges", hinges)
        if let worn = power["worn"] { try expect(worn.boolValue != nil, "on_power's worn is no Boolean.") }
    }

    private static func word(_ power: JSONValue, _ key: String, _ known: Set<String>) throws(CaseEnd) {
        guard let value = power[key] else { return }
        try expect(known.contains(value.stringValue ?? ""), "on_power's \(key) is unknown.")
    }
}
