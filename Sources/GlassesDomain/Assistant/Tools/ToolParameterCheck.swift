import Foundation

/// Holds a description of parameters against the type that their values are decoded as.
///
/// There is no way to ask a type for its members. So it is tried: arguments that the description allows are decoded and encoded
/// again. All of them must decode, or a model that obeys the schema would be refused; and every member must come back, or the type
/// does not know it.
enum ToolParameterCheck {
    /// What does not fit, as part of a sentence; nil when everything does.
    static func problem<Args: Codable>(with parameters: ToolParameters, for type: Args.Type) -> String? {
        if let problem = problem(in: parameters) { return problem }
        for sample in samples(of: parameters) {
            if let problem = problem(with: sample, for: type) { return problem }
        }
        return nil
    }

    private static func problem<Args: Codable>(with sample: JSONValue, for type: Args.Type) -> String? {
        do {
            let value = try JSONDecoder().decode(type, from: Data(sample.jsonText.utf8))
            let encoded = try JSONValue(jsonText: JSONEncoder().encode(value))
            guard let lost = missing(from: encoded, in: sample, at: "") else { return nil }
            return "its type \(type) has no \"\(lost)\", which its parameters describe"
        } catch let error as DecodingError {
            return
                "its parameters allow \(sample.jsonText), which is no \(type): \(ArgumentFault(error).sentence.dropLast())"
        } catch {
            return "its type \(type) cannot be encoded as JSON"
        }
    }

    /// The first member of `sample` that `encoded` lacks.
    private static func missing(from encoded: JSONValue, in sample: JSONValue, at path: String) -> String? {
        switch (sample, encoded) {
        case (.object(let wanted), .object(let found)):
            for key in wanted.keys.sorted() {
                let inner = path.isEmpty ? key : "\(path).\(key)"
                guard let value = found[key], let member = wanted[key] else { return inner }
                if let lost = missing(from: value, in: member, at: inner) { return lost }
            }
            return nil
        case (.array(let wanted), .array(let found)):
            for (index, pair) in zip(wanted, found).enumerated() {
                if let lost = missing(from: pair.1, in: pair.0, at: "\(path)[\(index)]") { return lost }
            }
            return nil
        default: return nil
        }
    }

    // MARK: - The description itself

    private static func problem(in parameters: ToolParameters) -> String? {
        var names: Set<String> = []
        for parameter in parameters.parameters {
            guard names.insert(parameter.name).inserted else {
                return "its parameters describe \"\(parameter.name)\" twice"
            }
            if let problem = problem(in: parameter.kind, of: parameter.name) { return problem }
        }
        return nil
    }

    private static func problem(in kind: ToolParameters.Kind, of name: String) -> String? {
        switch kind {
        case .choice(let choices) where choices.isEmpty: "\"\(name)\" has nothing to choose from"
        case .string(let length?, _) where length.lowerBound < 0: "\"\(name)\" has a length below 0"
        case .list(_, let count?) where count.lowerBound < 0: "\"\(name)\" has a count below 0"
        case .number(let range?) where !range.lowerBound.isFinite || !range.upperBound.isFinite:
            "\"\(name)\" has a bound that is not finite"
        case .list(let element, _): problem(in: element, of: name)
        case .object(let members): problem(in: members)
        case .string, .choice, .integer, .number, .boolean: nil
        }
    }

    // MARK: - Samples

    /// Longer texts and lists prove no more.
    private static let longestSample = 1024

    /// All parameters, each value of each with the first ones of the others, and only the required ones.
    private static func samples(of parameters: ToolParameters) -> [JSONValue] {
        let all = parameters.parameters.map { (name: $0.name, values: values(of: $0.kind)) }
        var full: [String: JSONValue] = [:]
        for (name, values) in all { full[name] = values.first }
        var found = [JSONValue.object(full)]
        for (name, values) in all {
            found += values.dropFirst().map { value in .object(full.merging([name: value]) { $1 }) }
        }
        let required = Set(parameters.parameters.filter(\.isRequired).map(\.name))
        return found + [.object(full.filter { required.contains($0.key) })]
    }

    private static func values(of kind: ToolParameters.Kind) -> [JSONValue] {
        switch kind {
        case .string(let length, let example): texts(length, example).map(JSONValue.string)
        case .choice(let choices): choices.map(JSONValue.string)
        case .integer(let range):
            range.map { [.int($0.lowerBound), .int($0.upperBound)] } ?? [.int(1), .int(.min), .int(.max)]
        case .number(let range):
            range.map {
                [.double($0.lowerBound), .double(($0.lowerBound + $0.upperBound) / 2), .double($0.upperBound)]
            }
                ?? [.double(1.5), .double(-1.5)]
        case .boolean: [true, false]
        case .list(let element, let count): lists(values(of: element), count)
        case .object(let members): samples(of: members)
        }
    }

    private static func texts(_ length: ClosedRange<Int>?, _ example: String?) -> [String] {
        if let example { return [example] }
        guard let length else { return ["text", ""] }
        return [length.lowerBound, min(length.upperBound, longestSample)].map { String(repeating: "x", count: $0) }
    }

    /// A list of each value, and the shortest and longest ones.
    private static func lists(_ elements: [JSONValue], _ count: ClosedRange<Int>?) -> [JSONValue] {
        guard let first = elements.first else { return [[]] }
        let low = count?.lowerBound ?? 0
        let high = min(count?.upperBound ?? longestSample, longestSample)
        let filled = elements.map { JSONValue.array(Array(repeating: $0, count: max(low, min(1, high)))) }
        return filled + [low, min(high, max(low, 2))].map { .array(Array(repeating: first, count: $0)) }
    }
}
