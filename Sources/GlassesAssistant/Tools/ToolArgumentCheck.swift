import GlassesDomain

/// Checks a call's arguments against the tool's JSON schema.
///
/// It knows `type` (one or several), `properties`, `required`, `additionalProperties`, `enum`, `const`, `items`, `minItems`,
/// `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, `anyOf`,
/// `oneOf` and `allOf`; keywords that it does not know restrict nothing.
public struct ToolArgumentCheck: Sendable {
    /// Deeper than any schema that ``ToolSchemaCheck`` accepts.
    static let maximumDepth = 40

    /// As many faults are told at once: a model corrects several in one go, and more would bury the first.
    static let toldProblems = 3
    /// As many choices are listed: an output is read by a model, not searched.
    static let listedChoices = 50

    /// What is wrong with the arguments, in words that name the fields, at most three faults of one object; nil when they fit.
    public static func problem(in arguments: JSONValue, schema: JSONValue) -> String? {
        problem(in: arguments, schema: schema, at: "", depth: 0)
    }

    private static func problem(in value: JSONValue, schema: JSONValue, at path: String, depth: Int) -> String? {
        guard depth < maximumDepth else { return "\(name(path)) is nested too deeply" }
        guard case .object(let rules) = schema else {
            return schema.boolValue == false ? "\(name(path)) is not allowed" : nil
        }
        return typeProblem(value, rules, path)
            ?? choiceProblem(value, rules, path)
            ?? numberProblem(value, rules, path)
            ?? textProblem(value, rules, path)
            ?? arrayProblem(value, rules, path, depth)
            ?? objectProblem(value, rules, path, depth)
            ?? combinationProblem(value, rules, path, depth)
    }

    private static func name(_ path: String) -> String { path.isEmpty ? "the arguments" : "\"\(path)\"" }

    private static func typeProblem(_ value: JSONValue, _ rules: [String: JSONValue], _ path: String) -> String? {
        let several = rules["type"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let types = rules["type"]?.stringValue.map { [$0] } ?? several
        guard !types.isEmpty, !types.contains(where: { fits(value, type: $0) }) else { return nil }
        let wanted = types.map(article).joined(separator: " or ")
        return "\(name(path)) must be \(wanted), not \(article(kind(of: value)))"
    }

    private static func fits(_ value: JSONValue, type: String) -> Bool {
        switch type {
        case "integer": value.intValue != nil
        case "number": value.doubleValue != nil
        case "string": value.stringValue != nil
        case "boolean": value.boolValue != nil
        case "array": value.arrayValue != nil
        case "object": value.objectValue != nil
        case "null": value.isNull
        default: true
        }
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .int: "integer"
        case .double: "number"
        case .bool: "boolean"
        case .null: "null"
        }
    }

    private static func article(_ type: String) -> String {
        switch type {
        case "null": "null"
        case "integer", "array", "object": "an \(type)"
        default: "a \(type)"
        }
    }

    private static func choiceProblem(_ value: JSONValue, _ rules: [String: JSONValue], _ path: String) -> String? {
        if let constant = rules["const"], !equal(constant, value) {
            return "\(name(path)) must be \(constant.jsonText)"
        }
        guard let choices = rules["enum"]?.arrayValue, !choices.contains(where: { equal($0, value) }) else {
            return nil
        }
        let listed = choices.prefix(listedChoices).map(\.jsonText).joined(separator: ", ")
        let rest = choices.count > listedChoices ? " or one of \(choices.count - listedChoices) others" : ""
        return "\(name(path)) must be one of \(listed)\(rest)"
    }

    /// 1 and 1.0 are the same number in JSON.
    private static func equal(_ a: JSONValue, _ b: JSONValue) -> Bool {
        if let a = a.doubleValue, let b = b.doubleValue { return a == b }
        return a == b
    }

    private static func numberProblem(_ value: JSONValue, _ rules: [String: JSONValue], _ path: String) -> String? {
        guard let number = value.doubleValue else { return nil }
        if let low = rules["minimum"]?.doubleValue, number < low {
            return "\(name(path)) must be at least \(text(low))"
        }
        if let high = rules["maximum"]?.doubleValue, number > high {
            return "\(name(path)) must be at most \(text(high))"
        }
        if let low = rules["exclusiveMinimum"]?.doubleValue, number <= low {
            return "\(name(path)) must be more than \(text(low))"
        }
        if let high = rules["exclusiveMaximum"]?.doubleValue, number >= high {
            return "\(name(path)) must be less than \(text(high))"
        }
        if let step = rules["multipleOf"]?.doubleValue, step > 0 {
            let quotient = number / step
            let isMultiple = abs(quotient - quotient.rounded()) <= 1e-9
            if !isMultiple { return "\(name(path)) must be a multiple of \(text(step))" }
        }
        return nil
    }

    private static func text(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? String(number) }

    private static func textProblem(_ value: JSONValue, _ rules: [String: JSONValue], _ path: String) -> String? {
        guard let length = value.stringValue?.unicodeScalars.count else { return nil }
        if let low = rules["minLength"]?.intValue, length < low {
            return "\(name(path)) must have at least \(low) characters"
        }
        if let high = rules["maxLength"]?.intValue, length > high {
            return "\(name(path)) must have at most \(high) characters"
        }
        return nil
    }

    private static func arrayProblem(
        _ value: JSONValue, _ rules: [String: JSONValue], _ path: String, _ depth: Int
    ) -> String? {
        guard let elements = value.arrayValue else { return nil }
        if let low = rules["minItems"]?.intValue, elements.count < low {
            return "\(name(path)) must have at least \(low) elements"
        }
        if let high = rules["maxItems"]?.intValue, elements.count > high {
            return "\(name(path)) must have at most \(high) elements"
        }
        guard let items = rules["items"] else { return nil }
        for (index, element) in elements.enumerated() {
            if let problem = problem(in: element, schema: items, at: "\(path)[\(index)]", depth: depth + 1) {
                return problem
            }
        }
        return nil
    }

    private static func objectProblem(
        _ value: JSONValue, _ rules: [String: JSONValue], _ path: String, _ depth: Int
    ) -> String? {
        guard let members = value.objectValue else { return nil }
        func inner(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        let required = rules["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var problems = required.filter { members[$0] == nil }.map { "\(name(inner($0))) is missing" }
        let properties = rules["properties"]?.objectValue ?? [:]
        for (key, member) in members.sorted(by: { $0.key < $1.key }) {
            guard problems.count < toldProblems else { break }
            guard let schema = properties[key] ?? rules["additionalProperties"] else { continue }
            if properties[key] == nil, schema.boolValue == false {
                problems.append("\(name(inner(key))) is not a parameter of this tool, \(known(properties))")
            } else if let problem = problem(in: member, schema: schema, at: inner(key), depth: depth + 1) {
                problems.append(problem)
            }
        }
        return problems.isEmpty ? nil : problems.prefix(toldProblems).joined(separator: "; ")
    }

    private static func known(_ properties: [String: JSONValue]) -> String {
        guard !properties.isEmpty else { return "which takes none" }
        return "which takes \(properties.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    private static func combinationProblem(
        _ value: JSONValue, _ rules: [String: JSONValue], _ path: String, _ depth: Int
    ) -> String? {
        func problems(_ key: String) -> [String?]? {
            rules[key]?.arrayValue?.map { problem(in: value, schema: $0, at: path, depth: depth + 1) }
        }
        if let all = problems("allOf"), let first = all.compactMap({ $0 }).first { return first }
        if let any = problems("anyOf"), !any.isEmpty, !any.contains(nil) { return any.compactMap { $0 }.first }
        if let one = problems("oneOf"), !one.isEmpty {
            let fitting = one.count { $0 == nil }
            if fitting == 0 { return one.compactMap { $0 }.first }
            if fitting > 1 { return "\(name(path)) fits more than one of its alternatives" }
        }
        return nil
    }
}
