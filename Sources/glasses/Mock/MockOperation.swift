import Foundation
import GlassesDomain

/// One thing that `glasses mock` does, and how it is asked of the app's test server.
struct MockOperation: Sendable {
    /// What is sent.
    struct Request: Sendable, Equatable {
        var method = "POST"
        var path: String
        var body: JSONValue?
        /// Where the answer, a picture, is saved; nil for an answer in JSON.
        var file: String?
    }

    /// What follows the operation's name.
    private enum Value: Sendable {
        case none
        /// A word that goes into the field; it may be left out if it `isOptional`.
        case field(String, placeholder: String, isOptional: Bool = false)
        case number(String, placeholder: String, ClosedRange<Int>)
        /// `pattern`, `front`, `back`, or a file.
        case feed
        case file
        /// A new file for the picture that comes back.
        case target
        case permission
    }

    let name: String
    private let path: String
    private let value: Value

    private init(_ name: String, _ path: String, _ value: Value = .none) {
        (self.name, self.path, self.value) = (name, path, value)
    }

    static let all = [
        MockOperation("pair", "/device/pair", .field("model", placeholder: "MODEL", isOptional: true)),
        MockOperation("unpair", "/device/unpair"),
        MockOperation("power-on", "/device/power-on"), MockOperation("power-off", "/device/power-off"),
        MockOperation("unfold", "/device/unfold"), MockOperation("fold", "/device/fold"),
        MockOperation("don", "/device/don"), MockOperation("doff", "/device/doff"),
        MockOperation("tap", "/captouch/tap"), MockOperation("hold", "/captouch/tap-and-hold"),
        MockOperation("battery", "/device/battery", .number("level", placeholder: "PERCENT", 0...100)),
        MockOperation("charging", "/device/charging", .field("state", placeholder: "STATE")),
        MockOperation("thermal", "/device/thermal", .field("level", placeholder: "LEVEL")),
        MockOperation("feed", "/camera/set-feed", .feed),
        MockOperation("image", "/camera/set-captured-image", .file),
        MockOperation("photo", "/camera/photo", .target),
        MockOperation("permission", "/permissions/set", .permission),
        MockOperation("state", "/device/state"),
    ]

    /// The name with what follows it.
    var usage: String {
        switch value {
        case .none: name
        case .field(_, let placeholder, let isOptional): name + (isOptional ? " [\(placeholder)]" : " " + placeholder)
        case .number(_, let placeholder, _): name + " " + placeholder
        case .feed: name + " pattern|front|back|FILE"
        case .file, .target: name + " FILE"
        case .permission: name + " camera|microphone granted|denied"
        }
    }

    /// Why these words cannot follow the name; nil when they can.
    func objection(to words: [String]) -> String? {
        let range =
            switch value {
            case .none: 0...0
            case .field(_, _, let isOptional): (isOptional ? 0 : 1)...1
            case .number, .feed, .file, .target: 1...1
            case .permission: 2...2
            }
        guard range.contains(words.count) else { return "it is written: mock \(usage)" }
        guard case .number(_, let placeholder, let numbers) = value, let word = words.first else { return nil }
        if let number = Int(word), numbers.contains(number) { return nil }
        return "\(placeholder) is a whole number from \(numbers.lowerBound) to \(numbers.upperBound), not '\(word)'"
    }

    /// The request with words that ``objection(to:)`` has no objection to.
    func request(_ words: [String], glasses: String?) -> Request {
        var body: [String: JSONValue] = glasses.map { ["deviceId": .string($0)] } ?? [:]
        let word = words.first ?? ""
        switch value {
        case .none: break
        case .field(let field, _, _): if !words.isEmpty { body[field] = .string(word) }
        case .number(let field, _, _): body[field] = Int64(word).map(JSONValue.int)
        case .feed where word == "pattern": body["pattern"] = true
        case .feed where ["front", "back"].contains(word): body["facing"] = .string(word)
        case .feed, .file: body["path"] = .string(AbsolutePath.of(word))
        case .target:
            let query = glasses.flatMap { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) }
            return Request(
                method: "GET", path: path + (query.map { "?deviceId=\($0)" } ?? ""), file: AbsolutePath.of(word))
        case .permission: (body["permission"], body["status"]) = (.string(word), .string(words[words.count - 1]))
        }
        guard name != "state" else { return Request(method: "GET", path: path) }
        return Request(path: path, body: .object(body))
    }
}
