/// One message between the two ends of a link that are not in one process.
package enum LinkMessage: Sendable, Equatable {
    /// From the toolkit to the glasses' end.
    case command(LinkCommand)
    /// From the glasses' end to the toolkit.
    case event(LinkEvent)
    /// About the connection itself, either way.
    case control(LinkControl)
    /// A kind, or a value of a known kind, that this version does not know; whoever receives it goes on without it.
    case unknown(kind: String)

    /// Whether a slow receiver may miss it: pictures and sound, which newer ones replace.
    package var isMedia: Bool {
        switch self {
        case .event(.frame), .event(.audio): true
        case .command, .event, .control, .unknown: false
        }
    }
}

/// A message about the connection itself.
package enum LinkControl: Sendable, Equatable {
    /// The first message of the end that asks to be let in.
    case hello(LinkHello)
    /// The answer on a bridge: prove that you know the code or the key.
    case challenge(LinkChallenge)
    /// The proof.
    case proof(String)
    /// The caller is let in; everything after it is commands and events.
    case welcome(LinkWelcome)
    /// The caller is not let in; nothing follows.
    case refused(LinkRefused)
    /// Asks for a sign of life.
    case ping
    /// Gives it.
    case pong
    /// The receiver has room for that many further pictures.
    case credit(frames: Int)
    /// Nothing follows: the end closes the connection on purpose.
    case bye(Refusal?)
}

/// What the end says that asks to be let in.
package struct LinkHello: Sendable, Equatable {
    /// The versions of the protocol that it speaks.
    package var versions: [Int]
    /// Who it is: a program's name that a person reads.
    package var name: String
    /// That program's version.
    package var version: String
    /// On a bridge: the installation's identifier, chosen by it once; empty on a mock link.
    package var peer: String
    /// On a bridge: 32 random bytes in hexadecimal; empty on a mock link.
    package var nonce: String
    /// On a bridge: which secret it is going to prove; nil on a mock link.
    package var secret: LinkSecret?

    /// A greeting with the given values.
    package init(
        versions: [Int], name: String, version: String, peer: String = "", nonce: String = "",
        secret: LinkSecret? = nil
    ) {
        self.versions = versions
        self.name = name
        self.version = version
        self.peer = peer
        self.nonce = nonce
        self.secret = secret
    }
}

/// What the two ends of a bridge have in common.
package enum LinkSecret: String, Sendable, CaseIterable {
    /// The code that is shown once.
    case code
    /// The key that came of the code.
    case key
}

/// What has to be proved, on a bridge.
package struct LinkChallenge: Sendable, Equatable {
    /// The version of the protocol that both ends go on with.
    package var version: Int
    /// Who asks: a name that a person reads.
    package var name: String
    /// The asking installation's identifier, chosen by it once.
    package var host: String
    /// 32 random bytes in hexadecimal.
    package var nonce: String
    /// How often the code is hashed; nil for a key.
    package var rounds: Int?

    /// A challenge with the given values.
    package init(version: Int, name: String, host: String, nonce: String, rounds: Int?) {
        self.version = version
        self.name = name
        self.host = host
        self.nonce = nonce
        self.rounds = rounds
    }
}

/// What an end hears that was let in.
package struct LinkWelcome: Sendable, Equatable {
    /// The version of the protocol that both ends go on with.
    package var version: Int
    /// Who lets it in.
    package var name: String
    /// On a bridge: the proof that the other end knows the secret too; empty on a mock link.
    package var proof: String
    /// Seconds of silence after which an end asks for a sign of life; 0 never asks.
    package var heartbeat: Int

    /// A welcome with the given values.
    package init(version: Int, name: String, proof: String = "", heartbeat: Int) {
        self.version = version
        self.name = name
        self.proof = proof
        self.heartbeat = heartbeat
    }
}

/// What an end hears that was not let in.
package struct LinkRefused: Sendable, Equatable {
    /// Why, for a program.
    package enum Code: String, Sendable, CaseIterable {
        /// No common version.
        case version
        /// The first message was no greeting, or the answer no proof.
        case order
        /// The secret is not the right one.
        case proof
        /// No code is shown, or it is over.
        case noCode = "no_code"
        /// The key is not known here: pair again.
        case unknownPeer = "unknown_peer"
        /// Wrong proofs came: wait.
        case slowDown = "slow_down"
        /// Another one is connected.
        case occupied
        /// This end is ending.
        case closing
    }

    /// Why, for a program.
    package var code: Code
    /// Why, for a person.
    package var message: String
    /// Milliseconds before another attempt makes sense; nil when a person has to do something first.
    package var retryAfter: Int?

    /// A refusal with the given values.
    package init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
