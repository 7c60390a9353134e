import MWDATCore
import Testing

@testable import MWDATBridge

@Suite struct HandshakeMachineTests {
    private static let host = HandshakeMachine.Host(
        name: "desk", identifier: "h", nonce: String(repeating: "bb", count: 32), heartbeat: 5)
    private static let secret = [UInt8](repeating: 7, count: 32)
    private static let nonce = String(repeating: "aa", count: 32)

    private static func hello(
        versions: [Int] = [1], peer: String = "p", nonce: String = nonce, secret: LinkSecret? = .code,
        name: String = "n"
    ) -> LinkMessage {
        .control(
            .hello(LinkHello(versions: versions, name: name, version: "1", peer: peer, nonce: nonce, secret: secret)))
    }

    private static var transcript: GreetingTranscript {
        GreetingTranscript(
            version: 1, offered: [1], peer: "p", host: "h", secret: .code, peerNonce: nonce, hostNonce: host.nonce)
    }

    private static var proof: LinkMessage {
        .control(.proof(Hexadecimal.text(transcript.phoneProof(secret))))
    }

    /// A machine to which these things happened.
    private func machine(_ inputs: HandshakeMachine.Input...) -> HandshakeMachine {
        var machine = HandshakeMachine(host: Self.host)
        for input in inputs { _ = machine.apply(input) }
        return machine
    }

    private func code(_ actions: [HandshakeMachine.Action]) -> LinkRefused.Code? {
        for case .send(.refused(let refused)) in actions { return refused.code }
        return nil
    }

    @Test func aRightProofIsAnsweredByAWelcomeWithAProofOfOurs() {
        var machine = machine()
        #expect(machine.apply(.received(Self.hello())) == [.lookUp(.code, Self.transcript)])
        let challenge = LinkChallenge(version: 1, name: "desk", host: "h", nonce: Self.host.nonce, rounds: 9)
        #expect(machine.apply(.secretFound(Self.secret, rounds: 9)) == [.send(.challenge(challenge))])
        let phone = PairedPhone(identifier: "p", name: "n")
        #expect(
            machine.apply(.received(Self.proof)) == [.admit(phone, key: Self.transcript.pairingKey(Self.secret))])
        let welcome = LinkWelcome(
            version: 1, name: "desk", proof: Hexadecimal.text(Self.transcript.hostProof(Self.secret)), heartbeat: 5)
        #expect(machine.apply(.admitted) == [.send(.welcome(welcome)), .finish(isAdmitted: true)])
        #expect(machine.state == .over)
    }

    @Test func aNameIsKeptWithoutWhatATerminalWouldObey() {
        var machine = machine(
            .received(Self.hello(name: "A\u{1B}[2Jna\n\u{202E}é")), .secretFound(Self.secret, rounds: 9))
        let phone = PairedPhone(identifier: "p", name: "A[2Jnaé")
        #expect(
            machine.apply(.received(Self.proof)) == [.admit(phone, key: Self.transcript.pairingKey(Self.secret))])
    }

    @Test func aKeyThatWasProvedIsNotKeptAgain() {
        var machine = machine(.received(Self.hello(secret: .key)), .secretFound(Self.secret, rounds: nil))
        var transcript = Self.transcript
        transcript.secret = .key
        let proof = LinkMessage.control(.proof(Hexadecimal.text(transcript.phoneProof(Self.secret))))
        #expect(machine.apply(.received(proof)) == [.admit(PairedPhone(identifier: "p", name: "n"), key: nil)])
    }

    @Test(arguments: [
        hello(secret: nil), hello(peer: ""), hello(peer: "a\nb"), hello(peer: String(repeating: "a", count: 65)),
        hello(nonce: ""), hello(nonce: String(repeating: "AA", count: 32)), hello(nonce: "aa"),
        hello(name: String(repeating: "n", count: 129)), .control(.ping), .control(.proof("")),
        .event(.sessionStarted(1)), .command(.unregister), .unknown(kind: "hello"),
    ])
    func whatIsNoGreetingIsRefused(_ message: LinkMessage) {
        var machine = machine()
        let actions = machine.apply(.received(message))
        #expect(code(actions) == .order)
        #expect(actions.last == .finish(isAdmitted: false))
    }

    @Test func aMessageOfALaterVersionIsSkippedDuringTheGreeting() {
        let later = HandshakeMachine.Input.received(.unknown(kind: "mood"))
        var machine = machine(later, .received(Self.hello()), .secretFound(Self.secret, rounds: 9), later)
        let phone = PairedPhone(identifier: "p", name: "n")
        #expect(
            machine.apply(.received(Self.proof)) == [.admit(phone, key: Self.transcript.pairingKey(Self.secret))])
        var hasty = self.machine(.received(Self.hello()))
        #expect(code(hasty.apply(later)) == .order)
    }

    @Test(arguments: [[], [2], [0, 3]])
    func anEndWithoutACommonVersionIsRefused(_ versions: [Int]) {
        var machine = machine()
        #expect(code(machine.apply(.received(Self.hello(versions: versions)))) == .version)
    }

    @Test(arguments: ["", "00", String(repeating: "00", count: 32), "zz"])
    func aWrongProofIsReportedBeforeItIsRefused(_ proof: String) {
        var machine = machine(.received(Self.hello()), .secretFound(Self.secret, rounds: 9))
        let actions = machine.apply(.received(.control(.proof(proof))))
        #expect(actions.first == .reportWrongProof(.code))
        #expect(code(actions) == .proof)
        #expect(actions.last == .finish(isAdmitted: false))
    }

    @Test func aProofOfAnotherGreetingIsWrong() {
        var other = Self.host
        other.nonce = String(repeating: "cc", count: 32)
        var machine = HandshakeMachine(host: other)
        _ = machine.apply(.received(Self.hello()))
        _ = machine.apply(.secretFound(Self.secret, rounds: 9))
        #expect(machine.apply(.received(Self.proof)).first == .reportWrongProof(.code))
    }

    @Test func whoDoesNotWaitForItsAnswerIsRefused() {
        var early = machine(.received(Self.hello()))
        #expect(code(early.apply(.received(Self.proof))) == .order)
        var impatient = machine(
            .received(Self.hello()), .secretFound(Self.secret, rounds: 9), .received(Self.proof))
        #expect(code(impatient.apply(.received(.event(.sessionStarted(1))))) == .order)
        var mistaken = machine(.received(Self.hello()), .secretFound(Self.secret, rounds: 9))
        #expect(code(mistaken.apply(.received(.control(.ping)))) == .order)
    }

    @Test func aRefusalFromTheReceptionIsPassedOn() {
        let refused = LinkRefused(.occupied, "Another phone.", retryAfter: 1)
        var early = machine(.received(Self.hello()))
        #expect(
            early.apply(.secretRefused(refused)) == [.send(.refused(refused)), .finish(isAdmitted: false)])
        var late = machine(.received(Self.hello()), .secretFound(Self.secret, rounds: 9), .received(Self.proof))
        #expect(late.apply(.notAdmitted(refused)) == [.send(.refused(refused)), .finish(isAdmitted: false)])
    }

    @Test func inEveryStateAnEndOrATimeoutFinishesOnce() {
        let steps: [HandshakeMachine.Input] = [
            .received(Self.hello()), .secretFound(Self.secret, rounds: 9), .received(Self.proof),
        ]
        for count in 0...steps.count {
            for input in [HandshakeMachine.Input.timedOut, .ended] {
                var machine = HandshakeMachine(host: Self.host)
                for step in steps.prefix(count) { _ = machine.apply(step) }
                #expect(machine.apply(input) == [.finish(isAdmitted: false)])
                #expect(machine.apply(input).isEmpty)
                #expect(machine.apply(.received(Self.hello())).isEmpty)
            }
        }
    }

    @Test func inputsThatHaveNoPlaceChangeNothing() {
        let strays: [(HandshakeMachine, [HandshakeMachine.Input])] = [
            (machine(), [.admitted, .secretFound([], rounds: nil), .notAdmitted(LinkRefused(.order, ""))]),
            (machine(.received(Self.hello())), [.admitted, .notAdmitted(LinkRefused(.order, ""))]),
            (
                machine(.received(Self.hello()), .secretFound(Self.secret, rounds: 9)),
                [.admitted, .secretFound([], rounds: nil), .secretRefused(LinkRefused(.order, ""))]
            ),
        ]
        for (before, inputs) in strays {
            for input in inputs {
                var machine = before
                #expect(machine.apply(input).isEmpty)
                #expect(machine == before)
            }
        }
    }
}
