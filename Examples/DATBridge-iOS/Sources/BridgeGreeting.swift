import Foundation

/// Who this phone is, in the greeting.
struct PhoneIdentity: Sendable {
    var name: String
    var version: String
    /// Chosen at random once, kept for good.
    var peer: String
}

/// What the phone knows of the host.
enum PhoneSecret: Sendable {
    /// As the person typed it.
    case code(String)
    /// From an earlier pairing, with the identifier of the host that it belongs to.
    case key(Data, host: String)

    var name: String {
        switch self {
        case .code: "code"
        case .key: "key"
        }
    }
}

/// What a greeting led to: keep both in the key chain.
struct Pairing: Sendable, Equatable {
    var host: String
    var key: Data
    /// Seconds of silence after which the host is asked for a sign of life; 0 never.
    var heartbeat: Int
}

/// The phone's half of sections 3 and 4.
struct BridgeGreeting: Sendable {
    /// Fewer rounds would let a false host search for the code.
    private static let fewestRounds = 100_000
    /// More would keep the phone busy for whoever asks.
    private static let mostRounds = 5_000_000
    /// Seconds; a host that asks for a sign of life less often than hourly asks for none.
    private static let heartbeats = 0...3_600

    let identity: PhoneIdentity
    let hash: BridgeHash
    let secret: PhoneSecret

    /// Greets; `exchange` sends a message and returns the host's next one.
    func run(_ exchange: @Sendable (BridgeMessage) async throws -> BridgeMessage) async throws -> Pairing {
        let nonce = Self.hexadecimal(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
        let hello = BridgeMessage(
            kind: "hello",
            fields: [
                "versions": .list([.integer(1)]), "name": .text(identity.name), "version": .text(identity.version),
                "peer": .text(identity.peer), "nonce": .text(nonce), "secret": .text(secret.name),
            ])
        let challenge = try await exchange(hello)
        guard challenge.kind == "challenge", challenge.integer("version") == 1, let host = challenge.text("host"),
            Self.isIdentifier(host), let hostNonce = challenge.text("nonce"), let salt = Self.bytes(nonce + hostNonce),
            salt.count == 64
        else { throw Self.refusal(challenge) }
        let key = try self.key(host: host, salt: salt, rounds: challenge.integer("rounds"))
        let transcript = ["dat-bridge", "1", "1", identity.peer, host, secret.name, nonce, hostNonce]
            .joined(separator: "\n")
        func proof(_ purpose: String) -> Data { hash.hmac(Data("\(purpose)\n\(transcript)".utf8), key) }
        let welcome = try await exchange(
            BridgeMessage(kind: "proof", fields: ["proof": .text(Self.hexadecimal(proof("phone")))]))
        guard welcome.kind == "welcome" else { throw Self.refusal(welcome) }
        guard let answer = welcome.text("proof").flatMap(Self.bytes), Self.areEqual(answer, proof("host")) else {
            throw BridgeFault(description: "The host did not prove that it knows the code.")
        }
        let kept: Data = if case .code = secret { proof("key") } else { key }
        let heartbeat = welcome.integer("heartbeat") ?? 0
        guard Self.heartbeats.contains(heartbeat) else {
            throw BridgeFault(description: "The host's heartbeat is not from 0 to 3600 s.")
        }
        return Pairing(host: host, key: kept, heartbeat: heartbeat)
    }

    private func key(host: String, salt: Data, rounds: Int?) throws -> Data {
        switch secret {
        case .key(let key, let known):
            guard known == host else { throw BridgeFault(description: "This is another host: pair with its code.") }
            return key
        case .code(let typed):
            guard let rounds, rounds >= Self.fewestRounds, rounds <= Self.mostRounds else {
                throw BridgeFault(description: "The host asks for a weak proof of the code.")
            }
            let letters = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
            guard let key = hash.derive(Data(letters.utf8), salt, rounds) else {
                throw BridgeFault(description: "The code cannot be used: it has ten letters.")
            }
            return key
        }
    }

    /// Nothing that could be taken for another line of the transcript.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    private static func refusal(_ message: BridgeMessage) -> BridgeFault {
        BridgeFault(description: message.text("message") ?? "The host answered with something else.")
    }

    private static func areEqual(_ one: Data, _ other: Data) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ text: String) -> Data? {
        var digits = text[...]
        var bytes = Data()
        while !digits.isEmpty {
            guard digits.count > 1, let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        return bytes
    }
}
