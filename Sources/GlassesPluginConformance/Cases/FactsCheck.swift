import GlassesDomain

/// The facts that describe has to tell.
enum FactsCheck {
    /// What any device or engine has; anything else would break every computation behind it.
    private static let rates: ClosedRange<Int64> = 4_000...384_000

    /// Of a transport.
    static func transport(_ facts: JSONValue) throws(CaseEnd) {
        try text(facts["name"], "name")
        try text(facts["device"]?["id"], "device.id")
        for key in ["modelName", "firmwareVersion", "deviceType", "vendor"] {
            try expect(facts["device"]?[key]?.stringValue != nil, "describe's device.\(key) is no text.")
        }
        for key in ["camera", "microphone", "speaker", "display"] {
            try expect(facts["capabilities"]?[key]?.boolValue != nil, "describe's capabilities.\(key) is no Boolean.")
        }
        for stream in ["microphone", "speaker"] where facts["capabilities"]?[stream]?.boolValue == true {
            try rate(facts[stream + "Rate"], stream + "Rate")
        }
    }

    /// Of a recogniser.
    static func recogniser(_ facts: JSONValue) throws(CaseEnd) {
        try text(facts["name"], "name")
        try rate(facts["sampleRate"], "sampleRate")
        try texts(facts["languages"], "languages")
    }

    /// Of a detector of voice activity.
    static func detector(_ facts: JSONValue) throws(CaseEnd) {
        try text(facts["name"], "name")
        try rate(facts["sampleRate"], "sampleRate")
    }

    /// Of a synthesiser.
    static func synthesiser(_ facts: JSONValue) throws(CaseEnd) {
        try recogniser(facts)
        try texts(facts["voices"], "voices")
    }

    private static func text(_ value: JSONValue?, _ key: String) throws(CaseEnd) {
        try expect(value?.stringValue?.isEmpty == false, "describe's \(key) is no text, or empty.")
    }

    private static func texts(_ value: JSONValue?, _ key: String) throws(CaseEnd) {
        let list = value?.arrayValue
        try expect(list?.allSatisfy { $0.stringValue != nil } == true, "describe's \(key) is no list of texts.")
    }

    private static func rate(_ value: JSONValue?, _ key: String) throws(CaseEnd) {
        guard let rate = value?.intValue, rates.contains(rate) else {
            throw .failed("describe's \(key) is no rate from \(rates.lowerBound) to \(rates.upperBound) Hz.")
        }
    }
}
