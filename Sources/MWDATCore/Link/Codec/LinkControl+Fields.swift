extension LinkControl {
    /// The name of the message.
    var kind: String {
        switch self {
        case .hello: "hello"
        case .challenge: "challenge"
        case .proof: "proof"
        case .welcome: "welcome"
        case .refused: "refused"
        case .ping: "ping"
        case .pong: "pong"
        case .credit: "credit"
        case .bye: "bye"
        }
    }

    var fields: [String: LinkJSON] {
        switch self {
        case .hello(let hello): hello.fields
        case .challenge(let challenge): challenge.fields
        case .proof(let proof): ["proof": .string(proof)]
        case .welcome(let welcome):
            [
                "version": .integer(Int64(welcome.version)), "name": .string(welcome.name),
                "proof": .string(welcome.proof), "heartbeat": .integer(Int64(welcome.heartbeat)),
            ]
        case .refused(let refused):
            [
                "code": .string(refused.code.rawValue), "message": .string(refused.message),
                "retryAfter": refused.retryAfter.map { .integer(Int64($0)) } ?? .null,
            ]
        case .ping, .pong: [:]
        case .credit(let frames): ["frames": .integer(Int64(frames))]
        case .bye(let refusal): refusal.map { ["refusal": $0.json] } ?? [:]
        }
    }

    /// Nil for a kind that is not about the connection.
    init?(kind: String, _ fields: LinkFields) throws {
        guard let read = Self.readers[kind] else { return nil }
        self = try read(fields)
    }

    private static let readers: [String: @Sendable (LinkFields) throws -> LinkControl] = [
        "hello": { .hello(try LinkHello($0)) },
        "challenge": {
            .challenge(
                LinkChallenge(
                    version: try $0.integer("version", in: versions), name: try $0.text("name"),
                    host: try $0.text("host"), nonce: try $0.text("nonce"),
                    rounds: try $0.optionalInteger("rounds", in: rounds)))
        },
        "proof": { .proof(try $0.text("proof")) },
        "welcome": {
            .welcome(
                LinkWelcome(
                    version: try $0.integer("version", in: versions), name: try $0.text("name"),
                    proof: try $0.optionalText("proof"),
                    heartbeat: try $0.integer("heartbeat", in: 0...3600)))
        },
        "refused": {
            .refused(
                LinkRefused(
                    try $0.choice("code", unknown: .closing), try $0.text("message"),
                    retryAfter: try $0.optionalInteger("retryAfter", in: 0...3_600_000)))
        },
        "ping": { _ in .ping },
        "pong": { _ in .pong },
        "credit": { .credit(frames: try $0.integer("frames", in: credits)) },
        "bye": { .bye(try $0.optionalRefusal()) },
    ]

    private static let versions = 1...65_535
    /// A phone refuses more, because a stranger could keep it busy for hours.
    private static let rounds = 1...5_000_000
    private static let credits = 1...1_024
}

extension LinkHello {
    fileprivate var fields: [String: LinkJSON] {
        [
            "versions": .array(versions.map { .integer(Int64($0)) }), "name": .string(name),
            "version": .string(version), "peer": .string(peer), "nonce": .string(nonce),
            "secret": secret.map { .string($0.rawValue) } ?? .null,
        ]
    }

    fileprivate init(_ fields: LinkFields) throws {
        let secret = try fields.optionalText("secret")
        self.init(
            versions: try fields.integers("versions"), name: try fields.text("name"),
            version: try fields.text("version"), peer: try fields.optionalText("peer"),
            nonce: try fields.optionalText("nonce"), secret: secret.isEmpty ? nil : try fields.choice("secret"))
    }
}

extension LinkChallenge {
    fileprivate var fields: [String: LinkJSON] {
        [
            "version": .integer(Int64(version)), "name": .string(name), "host": .string(host),
            "nonce": .string(nonce), "rounds": rounds.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}
