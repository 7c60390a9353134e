import GlassesDomain

/// One line of JSON output: the time and the name first, then the fields in alphabetical order.
struct JSONLine: Sendable, Hashable {
    /// Seconds since the program began.
    let seconds: Double
    /// The event's name.
    let event: String
    /// Its fields.
    let fields: [String: JSONValue]

    /// The line without its end.
    var text: String {
        let time = JSONValue.double((max(0, seconds) * 1_000).rounded() / 1_000).jsonText
        let members = fields.sorted { $0.key < $1.key }.map {
            "\(JSONValue.string($0.key).jsonText):\($0.value.jsonText)"
        }
        return "{"
            + (["\"t\":\(time)", "\"event\":\(JSONValue.string(event).jsonText)"] + members).joined(separator: ",")
            + "}"
    }
}
