import Testing

@testable import GlassesServer

@Suite struct OriginRuleTests {
    private func rule() throws -> OriginRule {
        OriginRule(
            allowed: try ["https://app.example", "http://localhost:3000", "https://[fd00::1]:8443"].map {
                try #require(OriginRule.Origin($0))
            })
    }

    @Test func aRequestWithoutAnOriginIsNoPages() throws {
        #expect(try rule().judge([]) == .absent)
    }

    @Test(arguments: [
        "https://app.example", "https://app.example:443", "HTTPS://App.Example", "http://localhost:3000",
        "https://[FD00::1]:8443",
    ])
    func anOriginOnTheListIsAllowed(origin: String) throws {
        #expect(try rule().judge([origin]) == .allowed(origin))
    }

    @Test(arguments: [
        "null", "", "https://evil.example", "http://app.example", "https://app.example:8443",
        "https://app.example.evil.example",
        "https://app.example/", "https://app.example/path", "app.example", "https://", "file://",
        "https://user@app.example",
        "http://localhost", "http://localhost:3001", "*", "https://app.example https://evil.example",
    ])
    func anyOtherOriginIsForeign(origin: String) throws {
        #expect(try rule().judge([origin]) == .foreign)
    }

    @Test func twoOriginsAreForeignEvenWhenBothAreOnTheList() throws {
        #expect(try rule().judge(["https://app.example", "https://app.example"]) == .foreign)
    }
}
