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
        try pictures(facts)
    }

    private static let shapes: Set = ["rect", "circle"]
    private static let inputs: Set = ["neuralBand", "templeTouchpad", "singleButton", "headTap"]
    private static let pixels: Set = ["i420", "nv12", "yuyv", "jpeg"]

    /// Of a transport's camera and display, where it has them.
    private static func pictures(_ facts: JSONValue) throws(CaseEnd) {
        if facts["capabilities"]?["camera"]?.boolValue == true {
            _ = try CameraUnderTest.configuration(facts)
            for format in facts["camera"]?["formats"]?.arrayValue ?? [] {
                let name = format["format"]?.stringValue ?? ""
                try expect(pixels.contains(name), "describe's camera.formats has the unknown format \"\(name)\".")
            }
        }
        guard facts["capabilities"]?["display"]?.boolValue == true else { return }
        let display = facts["display"]
        for key in ["widthPx", "heightPx"] {
            try expect((display?[key]?.intValue ?? 0) > 0, "describe's display.\(key) is no number of pixels.")
        }
        try expect(shapes.contains(display?["shape"]?.stringValue ?? ""), "describe's display.shape is unknown.")
        try expect(inputs.contains(display?["input"]?.stringValue ?? ""), "describe's display.input is unknown.")
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
