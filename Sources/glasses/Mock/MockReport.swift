import GlassesDomain

/// What a person reads of the test server's answer.
struct MockReport {
    let operation: String
    let answer: JSONValue

    var lines: [String] {
        guard operation == "state" else { return [answer["deviceId"]?.stringValue ?? "done"] }
        guard answer["isEnabled"]?.boolValue == true else { return ["The app's mock device kit is not enabled."] }
        let devices = answer["devices"]?.arrayValue ?? []
        let permissions = (answer["permissions"]?.objectValue ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value.stringValue ?? "")" }
        let app = "app: \(answer["registrationState"]?.stringValue ?? ""), \(permissions.joined(separator: ", "))"
        return [app] + (devices.isEmpty ? ["No glasses are paired. Try: glasses mock pair"] : devices.map(Self.line))
    }

    private static func line(_ device: JSONValue) -> String {
        func text(_ name: String) -> String { device[name]?.stringValue ?? "" }
        func word(_ name: String, _ yes: String, _ no: String) -> String { device[name]?.boolValue == true ? yes : no }
        let facts = [
            word("isPoweredOn", "on", "off"), word("isUnfolded", "unfolded", "folded"),
            word("isDonned", "worn", "not worn"), "link \(text("linkState"))",
            "battery \(device["batteryLevel"]?.intValue ?? 0) % \(text("chargingState"))",
            "thermal \(text("thermalLevel"))", "session \(text("session"))",
            word("isStreaming", "streaming", "no stream"), "feed \(text("feed"))",
        ]
        return "\(text("deviceId"))  \(text("name"))\n  " + facts.joined(separator: ", ")
    }
}
