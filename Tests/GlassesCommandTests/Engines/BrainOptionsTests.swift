import Foundation
import Testing

@testable @_spi(ExtentosTools) import GlassesCore
@testable import glasses

@Suite("Options that choose the brain")
struct BrainOptionsTests {
    private func options(_ arguments: [String], _ environment: [String: String] = [:]) throws -> BrainOptions {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: TalkCommand.spec) else {
            throw UsageError("help")
        }
        return try BrainOptions(parsed, environment: environment)
    }

    @Test("the option wins over the environment, and the key comes from there only")
    func choice() throws {
        let environment = ["EXTENTOS_BRAIN_URL": "unix:/run/a", "EXTENTOS_BRAIN_KEY": "k", "EXTENTOS_BRAIN_MODEL": "m"]
        #expect(try options([]).choice == .rules)
        let socket = try #require(URL(string: "unix:/run/a"))
        #expect(try options([], environment).choice == .chat(url: socket, model: "m", key: "k"))
        #expect(try options(["--brain", "rules"], environment).choice == .rules)
        let other = try #require(URL(string: "http://127.0.0.1:1"))
        #expect(
            try options(["--brain", "http://127.0.0.1:1", "--brain-model", "n"], environment).choice
                == .chat(url: other, model: "n", key: "k"))
    }

    @Test("what cannot be used is refused: an option at once, a variable when something is to run")
    func refused() throws {
        #expect(throws: UsageError.self) { try options(["--brain", "ftp://a"]) }
        #expect(throws: UsageError.self) { try options(["--brain", ""]) }
        #expect(throws: UsageError.self) { try options(["--brain-model", "m"]) }
        #expect(throws: UsageError.self) { try options(["--brain", "http://a.example"], ["EXTENTOS_BRAIN_KEY": "k"]) }
        let unusable = try options([], ["EXTENTOS_BRAIN_URL": "ftp://a"])
        #expect(unusable.choice == .rules)
        #expect(throws: Problem.self) { try unusable.selection() }
        #expect(throws: UsageError.self) {
            try TalkOptions(
                ParsedArguments.of(["--gateway", "wss://gateway.example/v1", "--brain", "rules"], TalkCommand.spec))
        }
    }
}

extension ParsedArguments {
    fileprivate static func of(_ arguments: [String], _ spec: CommandSpec) throws -> ParsedArguments {
        guard case .run(let parsed) = try ArgumentParser.parse(arguments, for: spec) else { throw UsageError("help") }
        return parsed
    }
}
