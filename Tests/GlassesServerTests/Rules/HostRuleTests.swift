import Testing

@testable import GlassesServer

@Suite struct HostRuleTests {
    /// A server at 127.0.0.1:8080 with a name of its own, one with a port, and an IPv6 address.
    private func rule(listening: String = "127.0.0.1", port: UInt16 = 8080, isTLS: Bool = false) throws -> HostRule {
        let names = try ["gateway.example", "other.example:9000", "[fd00::1]"].map { try #require(Authority($0)) }
        return HostRule(listening: try #require(IPAddress(listening)), port: port, isTLS: isTLS, names: names)
    }

    private func loopback() throws -> IPAddress { try #require(IPAddress("127.0.0.1")) }

    @Test(arguments: [
        "127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "localhost.:8080", "gateway.example",
        "gateway.example:8080",
        "Gateway.Example.:8080", "gateway.example:", "other.example:9000", "[fd00::1]:8080", "[FD00:0:0::1]",
        "[::ffff:127.0.0.1]:8080",
    ])
    func aHostThatNamesTheServerIsAllowed(host: String) throws {
        #expect(try rule().allows([host], reachedAt: loopback()))
    }

    @Test(arguments: [
        "", " ", "evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8081", "127.0.0.2:8080",
        "localhost",
        "localhost.evil.example:8080", "127.0.0.1.evil.example:8080", "127.1:8080", "0x7f.0.0.1:8080",
        "2130706433:8080",
        "0177.0.0.1:8080", "0.0.0.0:8080", "[::1]:8080", "::1", "[::1", "[127.0.0.1]:8080", "user@127.0.0.1:8080",
        "127.0.0.1:8080/", "127.0.0.1:8080 ", "127.0.0.1:+8080", "127.0.0.1:08080x", "127.0.0.1:65536", "127.0.0.1:-1",
        "gateway.example:9000", "other.example", "other.example:8080", "gateway.example..", ".gateway.example",
        "gateway..example",
        "gateway.example,127.0.0.1:8080", "gatew\u{E4}y.example", "\u{212A}.example", "gateway.example\u{0}",
    ])
    func anyOtherHostIsRefused(host: String) throws {
        #expect(try !rule().allows([host], reachedAt: loopback()))
    }

    @Test func aMissingOrRepeatedHostIsRefused() throws {
        #expect(try !rule().allows([], reachedAt: loopback()))
        #expect(try !rule().allows(["gateway.example", "gateway.example"], reachedAt: loopback()))
    }

    @Test func theUsualPortNeedsNoMention() throws {
        #expect(try rule(port: 80).allows(["127.0.0.1"], reachedAt: loopback()))
        #expect(try rule(port: 443, isTLS: true).allows(["127.0.0.1"], reachedAt: loopback()))
        #expect(try !rule(port: 443).allows(["127.0.0.1"], reachedAt: loopback()))
    }

    @Test func listeningOnAllAddressesAllowsTheOneThatWasReached() throws {
        for wildcard in ["0.0.0.0", "::"] {
            let rule = try rule(listening: wildcard)
            let lan = try #require(IPAddress("192.168.1.7"))
            #expect(rule.allows(["192.168.1.7:8080"], reachedAt: lan))
            #expect(!rule.allows(["192.168.1.8:8080"], reachedAt: lan))
            #expect(!rule.allows(["localhost:8080"], reachedAt: lan))
            #expect(rule.allows(["localhost:8080"], reachedAt: try loopback()))
            #expect(!rule.allows(["rebound.example:8080"], reachedAt: lan))
        }
    }

    @Test func anIPv6AddressIsNamedInBrackets() throws {
        let rule = try rule(listening: "::1")
        let one = try #require(IPAddress("::1"))
        #expect(rule.allows(["[::1]:8080"], reachedAt: one))
        #expect(rule.allows(["[0:0:0:0:0:0:0:1]:8080"], reachedAt: one))
        #expect(rule.allows(["localhost:8080"], reachedAt: one))
        #expect(!rule.allows(["::1:8080"], reachedAt: one))
        #expect(!rule.allows(["127.0.0.1:8080"], reachedAt: one))
    }
}
