import Foundation
import GlassesDomain
import Testing

@Suite struct ToolParametersTests {
    private enum Unit: String, Codable, Sendable { case minutes, hours }
    private struct Place: Codable, Sendable { var name: String }
    private struct Arguments: Codable, Sendable {
        var amount: Int
        var unit: Unit
        var label: String?
        var loud: Bool?
        var share: Double?
        var tags: [String]?
        var place: Place?
    }
    private struct Small: Codable, Sendable { var level: UInt8 }
    private struct Token: Codable, Sendable { var id: UUID }

    static let right: ToolParameters = [
        .integer("amount", "How many", in: 1...180),
        .choice("unit", "Of what", of: ["minutes", "hours"]),
        .string("label", "What for", length: 1...40).optional,
        .boolean("loud", "").optional,
        .number("share", "How much of it", in: 0...1).optional,
        .list("tags", "Words", of: .string(), count: 0...3).optional,
        .object("place", "Where", [.string("name", "Its name")]).optional,
    ]

    private func error<Args: Codable & Sendable>(
        _ parameters: ToolParameters, _ type: Args.Type
    ) -> ToolRegistrationError? {
        ToolDefinition(name: "work", description: "", parameters: parameters) { (_: Args) in .ok("") }.registrationError
    }

    @Test func aDescriptionThatFitsItsTypeIsRegisteredWithARealSchema() throws {
        let tool = ToolDefinition(name: "work", description: "", parameters: Self.right) { (arguments: Arguments) in
            .ok("\(arguments.amount)")
        }
        #expect(tool.registrationError == nil)
        let schema = try #require(tool.schema)
        #expect(schema["required"] == ["amount", "unit"])
        #expect(schema["additionalProperties"] == false)
        #expect(
            schema["properties"] == [
                "amount": ["type": "integer", "minimum": 1, "maximum": 180, "description": "How many"],
                "unit": ["type": "string", "enum": ["minutes", "hours"], "description": "Of what"],
                "label": ["type": "string", "minLength": 1, "maxLength": 40, "description": "What for"],
                "loud": ["type": "boolean"],
                "share": ["type": "number", "minimum": 0.0, "maximum": 1.0, "description": "How much of it"],
                "tags": [
                    "type": "array", "items": ["type": "string"], "minItems": 0, "maxItems": 3, "description": "Words",
                ],
                "place": [
                    "type": "object", "properties": ["name": ["type": "string", "description": "Its name"]],
                    "required": ["name"], "additionalProperties": false, "description": "Where",
                ],
            ])
    }

    struct Misfit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout ToolParameters) -> Void
        var detail: String
    }

    static let misfits = [
        Misfit(
            testDescription: "a member that the type does not have",
            change: { $0.parameters.append(.string("color", "")) },
            detail: #"its type Arguments has no "color", which its parameters describe"#),
        Misfit(
            testDescription: "a member of an inner object that the type does not have",
            change: { $0.parameters[6].kind = .object([.string("name", ""), .string("street", "")]) },
            detail: #"its type Arguments has no "place.street", which its parameters describe"#),
        Misfit(
            testDescription: "a member that the type cannot do without",
            change: { $0.parameters[0].isRequired = false },
            detail: #""amount" is missing"#),
        Misfit(
            testDescription: "a member that is not described", change: { $0.parameters.remove(at: 0) },
            detail: #""amount" is missing"#),
        Misfit(
            testDescription: "a choice that the type does not know",
            change: { $0.parameters[1].kind = .choice(["minutes", "days"]) },
            detail: #""unit" has a value that is not allowed"#),
        Misfit(
            testDescription: "any text where the type takes few", change: { $0.parameters[1].kind = .string() },
            detail: #""unit" has a value that is not allowed"#),
        Misfit(
            testDescription: "fractions where the type counts", change: { $0.parameters[0].kind = .number(0...1) },
            detail: "one of the values is not allowed"),
        Misfit(
            testDescription: "a number where the type takes a text", change: { $0.parameters[2].kind = .integer() },
            detail: #""label" must be a string"#),
        Misfit(
            testDescription: "elements of another kind", change: { $0.parameters[5].kind = .list(.integer()) },
            detail: #""tags[0]" must be a string"#),
        Misfit(
            testDescription: "the same member twice", change: { $0.parameters.append($0.parameters[0]) },
            detail: #"its parameters describe "amount" twice"#),
        Misfit(
            testDescription: "a choice of nothing", change: { $0.parameters[1].kind = .choice([]) },
            detail: #""unit" has nothing to choose from"#),
        Misfit(
            testDescription: "a length below nothing", change: { $0.parameters[2].kind = .string(length: -1...2) },
            detail: #""label" has a length below 0"#),
        Misfit(
            testDescription: "a bound without end", change: { $0.parameters[4].kind = .number(0...Double.infinity) },
            detail: #""share" has a bound that is not finite"#),
    ]

    @Test(arguments: misfits) func aDescriptionThatDoesNotFitItsTypeIsNamedWithItsMember(misfit: Misfit) throws {
        var parameters = Self.right
        misfit.change(&parameters)
        let error = try #require(self.error(parameters, Arguments.self))
        #expect(error.code == "parameters_mismatch")
        #expect(error.toolName == "work")
        #expect(error.description.contains(misfit.detail), "\(error)")
    }

    @Test func aNumberMustFitItsTypeAtBothBounds() {
        #expect(error([.integer("level", "", in: 0...255)], Small.self) == nil)
        #expect(error([.integer("level", "", in: 0...256)], Small.self) != nil)
        #expect(error([.integer("level", "")], Small.self) != nil)
    }

    @Test func anExampleStandsForTextsOfWhichFewAreRight() {
        #expect(error([.string("id", "")], Token.self) != nil)
        let example = ToolParameters.Parameter.string("id", "Which", example: "7F2A0A3E-8D65-4D1B-9C70-31B9C1E4F5A6")
        #expect(error([example], Token.self) == nil)
        #expect(
            ToolParameters([example]).schema["properties"]?["id"]?["description"]
                == "Which, for example 7F2A0A3E-8D65-4D1B-9C70-31B9C1E4F5A6")
    }

    @Test func everyFormOfTheBuilderTakesATimeoutAndAPolicy() {
        let builder = AssistantConfigBuilder(provider: .managed())
        let policy = ToolPolicy(interruption: .cancels, isCancellable: true, needsConfirmation: true)
        builder.tool("a", description: "", timeout: 1, policy: policy) { .ok("") }
        builder.tool("b", description: "", schema: [:], timeout: 2, policy: policy) { (_: JSONValue) in .ok("") }
        builder.tool("c", description: "", parameters: [], timeout: 3, policy: policy) { (_: JSONValue) in .ok("") }
        #expect(builder.tools.map(\.timeout) == [1, 2, 3])
        #expect(builder.tools.map(\.policy) == [policy, policy, policy])
        #expect(builder.tools.allSatisfy { $0.registrationError == nil })
    }
}
