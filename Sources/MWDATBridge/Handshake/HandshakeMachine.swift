import MWDATCore

/// The listening end's half of a greeting: hello, challenge, proof, welcome. Pure: the secret, the nonce and the
/// verdict on the phone come from outside.
struct HandshakeMachine: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case awaitingHello
        case lookingUp(LinkHello, GreetingTranscript)
        case awaitingProof(LinkHello, GreetingTranscript, secret: [UInt8])
        case admitting(GreetingTranscript, secret: [UInt8])
        case over
    }

    enum Input: Equatable, Sendable {
        case received(LinkMessage)
        /// What the phone has to know: the key, or what its code stands for.
        case secretFound([UInt8], rounds: Int?)
        case secretRefused(LinkRefused)
        case admitted
        case notAdmitted(LinkRefused)
        case timedOut
        case ended
    }

    enum Action: Equatable, Sendable {
        case send(LinkControl)
        case lookUp(LinkSecret, GreetingTranscript)
        /// The phone proved the secret: let it in if there is room; `key` is to be kept when it came of a code.
        case admit(PairedPhone, key: [UInt8]?)
        /// The proof was wrong.
        case reportWrongProof(LinkSecret)
        /// The greeting is over: messages follow, or nothing does.
        case finish(isAdmitted: Bool)
    }

    /// What the listening end says of itself.
    struct Host: Equatable, Sendable {
        var name: String
        var identifier: String
        var nonce: String
        var heartbeat: Int
    }

    private let host: Host
    private(set) var state = State.awaitingHello

    init(host: Host) { self.host = host }

    mutating func apply(_ input: Input) -> [Action] {
        switch (state, input) {
        // What a later version says besides; a greeting of its own it has to say in these words.
        case (.awaitingHello, .received(.unknown(let kind))) where kind != "hello": return []
        case (.awaitingProof, .received(.unknown(let kind))) where kind != "proof": return []
        case (.awaitingHello, .received(let message)): return greeted(message)
        case (.lookingUp(let hello, let transcript), .secretFound(let secret, let rounds)):
            state = .awaitingProof(hello, transcript, secret: secret)
            let challenge = LinkChallenge(
                version: transcript.version, name: host.name, host: host.identifier, nonce: host.nonce, rounds: rounds)
            return [.send(.challenge(challenge))]
        case (.lookingUp, .secretRefused(let refused)), (.admitting, .notAdmitted(let refused)):
            return refuse(refused)
        case (.awaitingProof(let hello, let transcript, let secret), .received(let message)):
            return proved(message, hello, transcript, secret)
        case (.admitting(let transcript, let secret), .admitted):
            state = .over
            let proof = Hexadecimal.text(transcript.hostProof(secret))
            let welcome = LinkWelcome(
                version: transcript.version, name: host.name, proof: proof, heartbeat: host.heartbeat)
            return [.send(.welcome(welcome)), .finish(isAdmitted: true)]
        case (.over, _): return []
        case (_, .timedOut), (_, .ended):
            state = .over
            return [.finish(isAdmitted: false)]
        case (.awaitingHello, .secretFound), (.awaitingHello, .secretRefused), (.awaitingHello, .admitted),
            (.awaitingHello, .notAdmitted), (.lookingUp, .admitted), (.lookingUp, .notAdmitted),
            (.awaitingProof, .secretFound), (.awaitingProof, .secretRefused), (.awaitingProof, .admitted),
            (.awaitingProof, .notAdmitted), (.admitting, .secretFound), (.admitting, .secretRefused):
            return []
        // The phone has to wait for its answer.
        case (.lookingUp, .received), (.admitting, .received): return refuse(Self.outOfOrder)
        }
    }

    private mutating func greeted(_ message: LinkMessage) -> [Action] {
        guard case .control(.hello(let hello)) = message, let secret = hello.secret else {
            return refuse(Self.outOfOrder)
        }
        guard hello.versions.contains(LinkLimits.version) else { return refuse(Self.noCommonVersion) }
        guard Self.isIdentifier(hello.peer), hello.name.utf8.count <= 128, hello.versions.count <= 16,
            Hexadecimal.bytes(hello.nonce, count: GreetingTranscript.nonceSize) != nil
        else { return refuse(Self.outOfOrder) }
        let transcript = GreetingTranscript(
            version: LinkLimits.version, offered: hello.versions, peer: hello.peer, host: host.identifier,
            secret: secret, peerNonce: hello.nonce, hostNonce: host.nonce)
        state = .lookingUp(hello, transcript)
        return [.lookUp(secret, transcript)]
    }

    private mutating func proved(
        _ message: LinkMessage, _ hello: LinkHello, _ transcript: GreetingTranscript, _ secret: [UInt8]
    ) -> [Action] {
        guard case .control(.proof(let text)) = message else { return refuse(Self.outOfOrder) }
        let expected = transcript.phoneProof(secret)
        guard let proof = Hexadecimal.bytes(text, count: MessageAuthentication.size),
            MessageAuthentication.areEqual(proof, expected)
        else { return [.reportWrongProof(transcript.secret)] + refuse(Self.wrongProof) }
        state = .admitting(transcript, secret: secret)
        let key = transcript.secret == .code ? transcript.pairingKey(secret) : nil
        return [.admit(PairedPhone(identifier: hello.peer, name: Self.printable(hello.name)), key: key)]
    }

    /// A name ends up on terminals, which obey control characters.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
                    default: true
                    }
                }))
    }

    private mutating func refuse(_ refused: LinkRefused) -> [Action] {
        state = .over
        return [.send(.refused(refused)), .finish(isAdmitted: false)]
    }

    /// Letters, digits, dots, hyphens and underscores, at most 64: nothing that could be taken for another field.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static let outOfOrder = LinkRefused(.order, "Another message was expected. Update the phone's app.")
    private static let noCommonVersion = LinkRefused(
        .version, "There is no common version; this end speaks 1. Update the older of the two programs.")
    private static let wrongProof = LinkRefused(.proof, "The code or key is wrong. Type the code again, or pair again.")
}
