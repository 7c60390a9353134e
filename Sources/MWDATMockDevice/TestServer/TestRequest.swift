import GlassesDomain
import GlassesServer
import MWDATCore

/// The body of a request to the test server: a JSON object, read with reasons.
struct TestRequest {
    private let body: JSONValue

    init(_ request: HTTPRequest) throws(TestServerFailure) {
        guard !request.body.isEmpty else {
            body = [:]
            return
        }
        do {
            body = try JSONValue(jsonText: String(decoding: request.body, as: UTF8.self))
        } catch {
            throw TestServerFailure(400, "json", "The body is no JSON. Send an object, such as {\"deviceId\": \"…\"}.")
        }
        guard body.objectValue != nil else {
            throw TestServerFailure(400, "json", "The body is no JSON object. Send one, such as {\"deviceId\": \"…\"}.")
        }
    }

    /// A member of any kind; nil when it is absent or null.
    func value(_ name: String) -> JSONValue? { body[name].flatMap { $0.isNull ? nil : $0 } }

    /// A text; nil when it is absent.
    func text(_ name: String) throws(TestServerFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else { throw Self.wrong(name, "a text") }
        return text
    }

    /// A text that has to be there.
    func required(_ name: String) throws(TestServerFailure) -> String {
        guard let text = try text(name) else { throw Self.wrong(name, "a text") }
        return text
    }

    /// A whole number that has to be there.
    func integer(_ name: String, in range: ClosedRange<Int64>) throws(TestServerFailure) -> Int {
        guard let number = value(name)?.intValue, range.contains(number) else {
            throw Self.wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    /// A Boolean; `fallback` when it is absent.
    func flag(_ name: String, or fallback: Bool) throws(TestServerFailure) -> Bool {
        guard let value = value(name) else { return fallback }
        guard let flag = value.boolValue else { throw Self.wrong(name, "true or false") }
        return flag
    }

    /// One of the names of a type's cases.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, or fallback: Choice? = nil
    ) throws(TestServerFailure) -> Choice where Choice.RawValue == String {
        guard let text = try text(name) else {
            guard let fallback else { throw Self.wrong(name, Self.names(type)) }
            return fallback
        }
        guard let choice = Choice(rawValue: text) else { throw Self.wrong(name, Self.names(type)) }
        return choice
    }

    static func names<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) -> String
    where Choice.RawValue == String { "one of " + type.allCases.map(\.rawValue).joined(separator: ", ") }

    static func wrong(_ name: String, _ expected: String) -> TestServerFailure {
        TestServerFailure(400, "invalid_field", "\"\(name)\" has to be \(expected). Correct the request.")
    }
}
