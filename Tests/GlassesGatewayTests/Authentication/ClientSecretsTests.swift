import GlassesRealtime
import Testing

@testable import GlassesGateway

@Suite("Client secrets")
struct ClientSecretsTests {
    private func grant(expiresAt: Int, instructions: String? = nil) -> ClientSecrets.Grant {
        var update = SessionUpdate()
        update.instructions = instructions
        return ClientSecrets.Grant(owner: .token(3), update: update, expiresAt: expiresAt)
    }

    private func random(_ seed: UInt8) -> [UInt8] { (0..<24).map { seed &+ UInt8($0) &* 37 } }

    @Test("a secret is a token of HTTP, and stands for its grant until it expires")
    func life() throws {
        var secrets = ClientSecrets()
        let value = try secrets.make(grant(expiresAt: 100, instructions: "Be brief."), random: random(251), now: 40)
        #expect(value.hasPrefix("ek_"))
        #expect(value.count == 35)
        #expect(
            value.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == 0x5F || $0 == 0x2D
            })
        let found = try #require(secrets.grant(of: value, now: 99))
        #expect(found.owner == .token(3))
        #expect(found.update?.instructions == "Be brief.")
        #expect(secrets.grant(of: value, now: 100) == nil)
    }

    @Test("a secret that differs in its last character is no secret")
    func wrong() throws {
        var secrets = ClientSecrets()
        let value = try secrets.make(grant(expiresAt: 100), random: random(1), now: 0)
        let other = value.dropLast() + (value.hasSuffix("A") ? "B" : "A")
        #expect(secrets.grant(of: String(other), now: 0) == nil)
        #expect(secrets.grant(of: value + "A", now: 0) == nil)
        #expect(secrets.grant(of: "ek_", now: 0) == nil)
    }

    @Test("configurations are bounded together, and room comes back when they expire")
    func bound() throws {
        var secrets = ClientSecrets()
        let large = String(repeating: "x", count: GatewayLimits.clientSecretBytes / 2)
        _ = try secrets.make(grant(expiresAt: 10, instructions: large), random: random(1), now: 0)
        #expect(throws: ClientSecrets.Refusal.full) {
            _ = try secrets.make(grant(expiresAt: 20, instructions: large), random: random(2), now: 5)
        }
        _ = try secrets.make(grant(expiresAt: 20, instructions: large), random: random(3), now: 10)
    }
}
