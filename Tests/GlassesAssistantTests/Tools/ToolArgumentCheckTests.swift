import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ToolArgumentCheckTests {
    struct Case: CustomTestStringConvertible {
        var arguments: JSONValue
        var schema: JSONValue
        var problem: String?
        var testDescription: String { "\(arguments.jsonText) in \(schema.jsonText)" }
        init(_ arguments: JSONValue, _ schema: JSONValue, _ problem: String?) {
            self.arguments = arguments
            self.schema = schema
            self.problem = problem
        }
    }

    private static func field(_ rules: JSONValue) -> JSONValue { ["type": "object", "properties": ["f": rules]] }

    static let cases = [
        Case([:], [:], nil),
        Case([:], ["type": "object"], nil),
        Case("x", ["type": "object"], "the arguments must be an object, not a string"),
        Case(["f": 5], field(["type": "integer"]), nil),
        Case(["f": 5.0], field(["type": "integer"]), nil),
        Case(["f": 5.5], field(["type": "integer"]), #""f" must be an integer, not a number"#),
        Case(["f": "5"], field(["type": "number"]), #""f" must be a number, not a string"#),
        Case(["f": 1], field(["type": "boolean"]), #""f" must be a boolean, not an integer"#),
        Case(["f": nil], field(["type": ["string", "null"]]), nil),
        Case(["f": 1], field(["type": ["string", "null"]]), #""f" must be a string or null, not an integer"#),
        Case(["f": "c"], field(["enum": ["a", "b"]]), #""f" must be one of "a", "b""#),
        Case(["f": 1.0], field(["enum": [1, 2]]), nil),
        Case(["f": 2], field(["const": 1]), #""f" must be 1"#),
        Case(["f": 0], field(["minimum": 1]), #""f" must be at least 1"#),
        Case(["f": 11], field(["maximum": 10]), #""f" must be at most 10"#),
        Case(["f": 1], field(["exclusiveMinimum": 1]), #""f" must be more than 1"#),
        Case(["f": 2.5], field(["exclusiveMaximum": 2.5]), #""f" must be less than 2.5"#),
        Case(["f": 7], field(["multipleOf": 5]), #""f" must be a multiple of 5"#),
        Case(["f": 0.3], field(["multipleOf": 0.1]), nil),
        Case(["f": ""], field(["minLength": 1]), #""f" must have at least 1 characters"#),
        Case(["f": "abc"], field(["maxLength": 2]), #""f" must have at most 2 characters"#),
        Case(["f": []], field(["type": "array", "minItems": 1]), #""f" must have at least 1 elements"#),
        Case(["f": [1, 2]], field(["maxItems": 1]), #""f" must have at most 1 elements"#),
        Case(
            ["f": ["a", 1]], field(["type": "array", "items": ["type": "string"]]),
            #""f[1]" must be a string, not an integer"#),
        Case([:], ["type": "object", "required": ["f"]], #""f" is missing"#),
        Case(
            ["g": 1], ["properties": ["f": [:]], "additionalProperties": false],
            #""g" is not a parameter of this tool, which takes "f""#),
        Case(
            ["g": 1], ["properties": [:], "additionalProperties": false],
            #""g" is not a parameter of this tool, which takes none"#),
        Case(
            ["f": 1, "g": 1, "h": 1],
            [
                "properties": ["f": ["type": "string"], "g": ["type": "string"], "h": ["type": "string"]],
                "required": ["e"],
            ],
            #""e" is missing; "f" must be a string, not an integer; "g" must be a string, not an integer"#),
        Case(
            ["g": 1], ["additionalProperties": ["type": "string"]], #""g" must be a string, not an integer"#),
        Case(
            ["f": ["g": ["h": 1]]],
            field(["properties": ["g": ["properties": ["h": ["type": "string"]]]]]),
            #""f.g.h" must be a string, not an integer"#),
        Case(["f": 1], field(["anyOf": [["type": "string"], ["type": "integer"]]]), nil),
        Case(["f": true], field(["anyOf": [["type": "string"]]]), #""f" must be a string, not a boolean"#),
        Case(
            ["f": 1], field(["oneOf": [["minimum": 0], ["minimum": 1]]]),
            #""f" fits more than one of its alternatives"#),
        Case(["f": 1], field(["allOf": [["minimum": 0], ["maximum": 0]]]), #""f" must be at most 0"#),
        Case(["f": 1], field(false), #""f" is not allowed"#),
        Case(["f": 1], field(["type": "unheard_of", "format": "x"]), nil),
    ]

    @Test(arguments: cases) func theFirstProblemsAreToldInWordsThatNameTheFields(row: Case) {
        #expect(ToolArgumentCheck.problem(in: row.arguments, schema: row.schema) == row.problem)
    }

    @Test func ofManyChoicesTheFirstOnesAreListedAndTheOthersCounted() throws {
        let choices = JSONValue.array((1...60).map { .string("choice \($0)") })
        let found = try #require(ToolArgumentCheck.problem(in: ["f": "x"], schema: Self.field(["enum": choices])))
        #expect(found.hasSuffix(#""choice 50" or one of 10 others"#))
    }

    @Test func aSchemaThatIsNestedWithoutEndIsNoDanger() {
        var schema: JSONValue = ["type": "object"]
        var value: JSONValue = [:]
        for _ in 0..<60 {
            schema = ["properties": ["f": schema]]
            value = ["f": value]
        }
        #expect(ToolArgumentCheck.problem(in: value, schema: schema)?.hasSuffix("is nested too deeply") == true)
    }
}
