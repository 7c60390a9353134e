import GlassesDomain

/// Mends the faults of a JSON schema that providers refuse, and notes what it did.
struct ToolSchemaMender {
    struct Fault: Error, Hashable {
        var code: String
        var detail: String
    }

    private(set) var repairs: [String] = []

    mutating func mend(_ schema: JSONValue?) -> Result<JSONValue, Fault> {
        let empty = JSONValue.object(["type": "object", "properties": [:]])
        guard let schema, !schema.isNull else { return .success(empty) }
        guard case .object(var root) = schema else {
            return .failure(Fault(code: "schema_not_object", detail: "its schema is not a JSON object"))
        }
        if root["type"] == nil || root["type"]?.isNull == true {
            root["type"] = "object"
            if !root.isEmpty, schema != .object([:]) { repairs.append("the schema had no type; \"object\" was added") }
        }
        guard root["type"] == "object" else {
            return .failure(Fault(code: "schema_not_object", detail: "its schema is not of type \"object\""))
        }
        if root["properties"] == nil { root["properties"] = [:] }
        do {
            return .success(try mendNode(.object(root), path: "", depth: 0))
        } catch {
            return .failure(error)
        }
    }

    private mutating func mendNode(_ node: JSONValue, path: String, depth: Int) throws(Fault) -> JSONValue {
        guard depth < ToolSchemaCheck.maximumDepth else {
            throw Fault(code: "schema_too_deep", detail: "its schema is nested too deeply")
        }
        if node.boolValue != nil { return node }
        guard case .object(var rules) = node else {
            repairs.append("\(place(path)) was not a schema; it accepts anything now")
            return [:]
        }
        mendRequired(&rules, path: path)
        mendEnum(&rules, path: path)
        try mendProperties(&rules, path: path, depth: depth)
        try mendItems(&rules, path: path, depth: depth)
        for key in ["anyOf", "oneOf", "allOf"] {
            guard let alternatives = rules[key]?.arrayValue else { continue }
            var mended: [JSONValue] = []
            for alternative in alternatives { mended.append(try mendNode(alternative, path: path, depth: depth + 1)) }
            rules[key] = .array(mended)
        }
        return .object(rules)
    }

    private func place(_ path: String) -> String { path.isEmpty ? "the schema" : "\"\(path)\"" }

    private mutating func mendRequired(_ rules: inout [String: JSONValue], path: String) {
        guard let required = rules["required"] else { return }
        guard let names = required.arrayValue?.compactMap(\.stringValue), names.count == required.arrayValue?.count
        else {
            rules["required"] = nil
            repairs.append("\"required\" of \(place(path)) was not a list of names; it was left out")
            return
        }
        guard let properties = rules["properties"]?.objectValue else { return }
        let known = names.filter { properties[$0] != nil }
        guard known.count < names.count else { return }
        rules["required"] = .array(known.map(JSONValue.string))
        repairs.append("\"required\" of \(place(path)) named parameters that do not exist; they were left out")
    }

    private mutating func mendEnum(_ rules: inout [String: JSONValue], path: String) {
        guard let choices = rules["enum"], choices.arrayValue?.isEmpty ?? true else { return }
        rules["enum"] = nil
        repairs.append("\"enum\" of \(place(path)) was not a list of values; it was left out")
    }

    private mutating func mendProperties(
        _ rules: inout [String: JSONValue], path: String, depth: Int
    ) throws(Fault) {
        guard let properties = rules["properties"] else { return }
        guard case .object(let members) = properties else {
            rules["properties"] = [:]
            repairs.append("\"properties\" of \(place(path)) was not an object; it is empty now")
            return
        }
        var mended: [String: JSONValue] = [:]
        for key in members.keys.sorted() {
            let inner = path.isEmpty ? key : "\(path).\(key)"
            mended[key] = try mendNode(members[key] ?? .null, path: inner, depth: depth + 1)
        }
        rules["properties"] = .object(mended)
    }

    private mutating func mendItems(_ rules: inout [String: JSONValue], path: String, depth: Int) throws(Fault) {
        let isArray =
            rules["type"] == "array" || rules["type"]?.arrayValue?.contains("array") == true
        guard isArray || rules["items"] != nil else { return }
        guard let items = rules["items"] else {
            rules["items"] = [:]
            repairs.append("the array \(place(path)) had no \"items\"; it accepts any element now")
            return
        }
        rules["items"] = try mendNode(items, path: "\(path)[]", depth: depth + 1)
    }
}
