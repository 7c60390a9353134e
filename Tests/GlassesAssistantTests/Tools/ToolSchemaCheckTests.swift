import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ToolSchemaCheckTests {
    private func check(_ name: String, _ schema: JSONValue?) -> (JSONValue?, String?, String?) {
        let checked = ToolSchemaCheck.check([.init(name: name, schema: schema)])
        return (checked.accepted.first?.schema, checked.problems.first?.code, checked.problems.first?.detail)
    }

    @Test(arguments: [
        ("", "invalid_name"), (String(repeating: "a", count: 65), "invalid_name"), ("set timer", "invalid_name"),
        ("größe", "invalid_name"), ("a.b", "invalid_name"),
    ])
    func aBadNameLeavesTheToolOut(name: String, code: String) {
        let (schema, problem, _) = check(name, [:])
        #expect(schema == nil)
        #expect(problem == code)
    }

    @Test func ofTwoToolsWithOneNameTheFirstStays() {
        let first: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]]]
        let checked = ToolSchemaCheck.check([.init(name: "t", schema: first), .init(name: "t", schema: nil)])
        #expect(checked.accepted.map(\.schema) == [first])
        #expect(checked.problems.map(\.code) == ["duplicate_name"])
    }

    @Test(arguments: [nil, .null, [:]] as [JSONValue?]) func aMissingSchemaMeansNoArguments(schema: JSONValue?) {
        let (accepted, problem, _) = check("t", schema)
        #expect(accepted == ["type": "object", "properties": [:]])
        #expect(problem == nil)
    }

    @Test(arguments: [["type": "string"], [1], "x", ["type": ["object", "null"]]] as [JSONValue])
    func aSchemaThatIsNotAnObjectsLeavesTheToolOut(schema: JSONValue) {
        #expect(check("t", schema).0 == nil)
        #expect(check("t", schema).1 == "schema_not_object")
    }

    struct Repair: CustomTestStringConvertible {
        var before: JSONValue
        var after: JSONValue
        var detail: String
        var testDescription: String { detail }
    }

    static let repairs = [
        Repair(
            before: ["properties": ["a": ["type": "string"]]],
            after: ["type": "object", "properties": ["a": ["type": "string"]]],
            detail: #"the schema had no type; "object" was added"#),
        Repair(
            before: ["type": "object", "properties": nil], after: ["type": "object", "properties": [:]],
            detail: #""properties" of the schema was not an object; it is empty now"#),
        Repair(
            before: ["type": "object", "properties": ["a": ["type": "string"]], "required": "a"],
            after: ["type": "object", "properties": ["a": ["type": "string"]]],
            detail: #""required" of the schema was not a list of names; it was left out"#),
        Repair(
            before: ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a", "b"]],
            after: ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]],
            detail: #""required" of the schema named parameters that do not exist; they were left out"#),
        Repair(
            before: ["type": "object", "properties": ["a": ["type": "array", "items": ["type": "array"]]]],
            after: [
                "type": "object",
                "properties": ["a": ["type": "array", "items": ["type": "array", "items": [:]]]],
            ],
            detail: #"the array "a[]" had no "items"; it accepts any element now"#),
        Repair(
            before: ["type": "object", "properties": ["a": ["enum": []], "b": 5]],
            after: ["type": "object", "properties": ["a": [:], "b": [:]]],
            detail: #""enum" of "a" was not a list of values; it was left out; "#
                + #""b" was not a schema; it accepts anything now"#),
    ]

    @Test(arguments: repairs) func aFaultThatProvidersRefuseIsMendedAndTold(row: Repair) {
        let (schema, code, detail) = check("t", row.before)
        #expect(schema == row.after)
        #expect(code == "schema_repaired")
        #expect(detail == row.detail)
    }

    @Test func aSchemaNestedTooDeeplyLeavesTheToolOut() {
        var schema: JSONValue = ["type": "object", "properties": [:]]
        for _ in 0..<40 { schema = ["type": "object", "properties": ["a": schema]] }
        #expect(check("t", schema).1 == "schema_too_deep")
    }
}
