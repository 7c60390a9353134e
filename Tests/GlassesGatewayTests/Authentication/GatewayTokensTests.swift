import Foundation
import Testing

@testable import GlassesGateway

@Suite("Gateway tokens")
struct GatewayTokensTests {
    private let folder: PrivateFolder

    init() throws { folder = try PrivateFolder() }

    @Test("a file gives one token a line and skips empty lines and comments")
    func file() throws {
        let path = try folder.write("# for the kitchen\nfirst-token\n\n  second-token\t\r\n", to: "tokens")
        let tokens = try GatewayTokens(file: path)
        #expect(tokens.count == 2)
        #expect(tokens.index(of: "first-token") == 0)
        #expect(tokens.index(of: "second-token") == 1)
    }

    @Test(
        "a key that differs anywhere is none of the tokens",
        arguments: ["", "first-toke", "first-tokeN", "First-token", "first-token2", "first-token ", "second"])
    func wrong(_ key: String) throws {
        let tokens = try #require(try GatewayTokens(variable: "first-token second-token"))
        #expect(tokens.index(of: key) == nil)
    }

    @Test(
        "a file that others can read is refused with the command that mends it",
        arguments: [0o644, 0o640, 0o604, 0o620])
    func exposed(_ mode: Int) throws {
        let path = try folder.write("first-token\n", to: "tokens", mode: mode)
        let error = try #require(throws: GatewayError.self) { try GatewayTokens(file: path) }
        #expect(error.code == "file_not_private")
        #expect(error.message.contains("chmod 600 \(path)"))
    }

    @Test(
        "a file that cannot be a token file is refused with its name",
        arguments: ["missing", "folder", "empty", "long"])
    func unusable(_ kind: String) throws {
        let path =
            switch kind {
            case "missing": folder.url.path + "/nothing"
            case "folder": folder.url.path
            case "empty": try folder.write("# nothing\n", to: "empty")
            default: try folder.write(String(repeating: "a", count: 70_000), to: "long")
            }
        let error = try #require(throws: GatewayError.self) { try GatewayTokens(file: path) }
        #expect(error.message.contains(path))
    }

    @Test("a token that no header can carry is refused by its line and not quoted")
    func unusableToken() throws {
        let path = try folder.write("good-token\nsecret \u{E4}\n", to: "tokens")
        let error = try #require(throws: GatewayError.self) { try GatewayTokens(file: path) }
        #expect(error.message.contains("line 2"))
        #expect(!error.message.contains("secret"))
    }

    @Test("the variable holds tokens between spaces and commas, or none at all")
    func variable() throws {
        #expect(try GatewayTokens(variable: "a-token,b-token  c-token\n")?.count == 3)
        #expect(try GatewayTokens(variable: " , ") == nil)
    }
}
