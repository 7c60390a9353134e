import Foundation
import GlassesServer
import NetworkLab
import Testing

@testable import MWDATBridge
@testable import MWDATCore

@Suite struct BridgeTests {
    @Test func aPhoneIsPairedByACodeAndCarriesCommandsAndEvents() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        #expect(key.count == 32)
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable() })
        for command in SampleMessages.commands { lab.bridge.link.send(command) }
        #expect(try await eventually { phone.commands == SampleMessages.commands })
        #expect(lab.bridge.pairedPhones == [PairedPhone(identifier: "phone-1", name: "Test phone")])
        #expect(lab.deliveries.refusals.map(\.check) == [.link], "the first event says that nobody is there")
        await phone.leave()
        await lab.stop()
    }

    @Test(arguments: [false, true])
    func aPhoneMayComeOverAWebSocketWithAndWithoutTLS(_ isSecure: Bool) async throws {
        let certificates = try await CertificateLab.shared()
        let tls = TLSFiles(certificate: certificates.server.certificate, key: certificates.server.key)
        let lab = try await BridgeLab(.listenWebSocket("127.0.0.1:0", tls: isSecure ? tls : nil))
        let url = "\(isSecure ? "wss" : "ws")://\(lab.address)/dat-bridge"
        let phone = try await ScriptedPhone.calling(webSocket: url, caFile: isSecure ? certificates.authority : nil)
        guard case .welcomed = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        phone.tell(BridgeLab.available)
        let photo = LinkEvent.photo(
            1, 2, LinkPhoto(format: .jpeg, bytes: Data((0..<3_000_000).map { UInt8($0 & 0xFF) })))
        phone.tell(photo)
        #expect(try await eventually { lab.deliveries.all.last == photo })
        lab.bridge.link.send(.showView(1, 2, tree: Data(count: 1_000_000)))
        #expect(try await eventually { phone.commands.count == 1 })
        await phone.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        await lab.stop()
    }

    @Test func aPairedPhoneComesBackWithItsKeyAndNoneOfTheCodes() async throws {
        let path = temporaryPath("dat.json")
        let lab = try await BridgeLab(pairingFile: path)
        let first = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(first) else {
            Issue.record("the phone was not let in")
            return
        }
        await first.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        let second = try ScriptedPhone.calling(lab.address)
        #expect(await second.enter(.key(key)) == .welcomed(key: key))
        await second.leave()
        await lab.stop()
        // The same in a later process.
        let later = try await BridgeLab(pairingFile: path)
        #expect(later.codesShown == 0, "a bridge that has a phone shows no code unasked")
        let third = try ScriptedPhone.calling(later.address)
        #expect(await third.enter(.key(key)) == .welcomed(key: key))
        await third.leave()
        await later.stop()
    }

    @Test func aCodeLetsInOnePhoneOnly() async throws {
        let lab = try await BridgeLab()
        let first = try ScriptedPhone.calling(lab.address)
        let code = lab.code
        _ = await lab.pair(first)
        await first.leave()
        let second = try ScriptedPhone.calling(lab.address, identifier: "phone-2")
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        guard case .refused(let refused) = await second.enter(.code(code)) else {
            Issue.record("the second phone was let in")
            return
        }
        #expect(refused.code == .noCode)
        await lab.stop()
    }

    @Test func aWrongCodeIsRefusedAndTheNextAttemptHasToWait() async throws {
        let lab = try await BridgeLab()
        let first = try ScriptedPhone.calling(lab.address)
        let wrong = lab.code.first == "A" ? "BBBBB-BBBBB" : "AAAAA-AAAAA"
        guard case .refused(let refused) = await first.enter(.code(wrong)) else {
            Issue.record("a wrong code let a phone in")
            return
        }
        #expect(refused.code == .proof)
        let second = try ScriptedPhone.calling(lab.address)
        guard case .refused(let slowed) = await second.enter(.code(lab.code)) else {
            Issue.record("the wait was not kept")
            return
        }
        #expect(slowed.code == .slowDown)
        let wait = try #require(slowed.retryAfter)
        #expect((1...1_001).contains(wait))
        try await Task.sleep(for: .milliseconds(wait))
        let third = try ScriptedPhone.calling(lab.address)
        guard case .welcomed = await lab.pair(third) else {
            Issue.record("after the wait the right code does not let a phone in")
            return
        }
        await third.leave()
        await lab.stop()
    }

    @Test func aWrongOrUnknownKeyLetsNobodyIn() async throws {
        let lab = try await BridgeLab()
        let stranger = try ScriptedPhone.calling(lab.address)
        guard case .refused(let unknown) = await stranger.enter(.key([UInt8](repeating: 1, count: 32))) else {
            Issue.record("an unknown phone was let in")
            return
        }
        #expect(unknown.code == .unknownPeer)
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone)
        await phone.leave()
        let thief = try ScriptedPhone.calling(lab.address)
        guard case .refused(let wrong) = await thief.enter(.key([UInt8](repeating: 1, count: 32))) else {
            Issue.record("a wrong key let a phone in")
            return
        }
        #expect(wrong.code == .proof)
        await lab.stop()
    }

    @Test func aRecordedGreetingLetsNobodyIn() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        await phone.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        let nonce = String(repeating: "0f", count: 32)
        let hello = LinkMessage.control(
            .hello(
                LinkHello(
                    versions: [1], name: "Test phone", version: "1", peer: "phone-1", nonce: nonce, secret: .key)))
        // What an eavesdropper has of a good greeting.
        let honest = try SocketWire.calling(lab.address)
        honest.send(hello)
        guard
            case .message(.control(.challenge(let challenge))) = await onThread({
                honest.receive(until: .now + .seconds(60))
            })
        else {
            Issue.record("no challenge came")
            return
        }
        let transcript = GreetingTranscript(
            version: 1, offered: [1], peer: "phone-1", host: challenge.host, secret: .key, peerNonce: nonce,
            hostNonce: challenge.nonce)
        let proof = LinkMessage.control(.proof(Hexadecimal.text(transcript.phoneProof(key))))
        honest.send(proof)
        guard case .message(.control(.welcome)) = await onThread({ honest.receive(until: .now + .seconds(60)) }) else {
            Issue.record("the honest phone was not let in")
            return
        }
        await onThread { honest.finish(within: .zero) }
        let replay = try SocketWire.calling(lab.address)
        replay.send(hello)
        _ = await onThread { replay.receive(until: .now + .seconds(60)) }
        replay.send(proof)
        guard
            case .message(.control(.refused(let refused))) = await onThread({
                replay.receive(until: .now + .seconds(60))
            })
        else {
            Issue.record("a replayed greeting was not refused")
            return
        }
        #expect(refused.code == .proof)
        await onThread { replay.finish(within: .zero) }
        await lab.stop()
    }

    @Test func aSecondPhoneHasToWaitUntilTheFirstIsGone() async throws {
        let path = temporaryPath("dat.json")
        let lab = try await BridgeLab(pairingFile: path)
        let first = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(first)
        first.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable() })
        lab.bridge.showPairingCode()
        let second = try ScriptedPhone.calling(lab.address, identifier: "phone-2")
        guard case .refused(let refused) = await lab.pair(second) else {
            Issue.record("two phones were let in")
            return
        }
        #expect(refused.code == .occupied)
        #expect(first.end == nil)
        await first.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        let again = try ScriptedPhone.calling(lab.address, identifier: "phone-2")
        guard case .welcomed = await lab.pair(again) else {
            Issue.record("the second phone was not let in")
            return
        }
        #expect(lab.bridge.pairedPhones.count == 2)
        await again.leave()
        await lab.stop()
    }

    @Test func aPhoneThatConnectsAnewTakesItsOwnPlace() async throws {
        let lab = try await BridgeLab()
        let first = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(first) else {
            Issue.record("the phone was not let in")
            return
        }
        first.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable() })
        let second = try ScriptedPhone.calling(lab.address)
        #expect(await second.enter(.key(key)) == .welcomed(key: key))
        second.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable(times: 2) })
        #expect(try await eventually { first.end != nil })
        #expect(lab.deliveries.refusals.count == 2)
        await second.leave()
        await lab.stop()
    }

    @Test func anotherVersionIsRefusedByName() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        let code = lab.code
        guard case .refused(let refused) = await onThread({ phone.greet(.code(code), versions: [2]) }) else {
            Issue.record("another version was let in")
            return
        }
        #expect(refused.code == .version)
        await lab.stop()
    }

    @Test func theStatesBeginWithNowAndEndWithTheBridge() async throws {
        let lab = try await BridgeLab()
        let states = lab.bridge.states
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone)
        #expect(try await eventually { phone.credit > 0 })
        await phone.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        await lab.stop()
        var seen: [DATBridgeState] = []
        for await state in states { seen.append(state) }
        let paired = PairedPhone(identifier: "phone-1", name: "Test phone")
        #expect(seen.first == .pairing)
        #expect(seen.contains(.connected(paired)))
        #expect(seen.last == .stopped)
        #expect(lab.deliveries.refusals.count == 2)
    }

    @Test func aForgottenPhoneIsDisconnectedAndHasToPairAgain() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        #expect(try await eventually { phone.credit > 0 })
        try lab.bridge.forget("phone-1")
        #expect(try await eventually { phone.end != nil })
        #expect(try await eventually { lab.deliveries.refusals.last?.check == .trust })
        let again = try ScriptedPhone.calling(lab.address)
        guard case .refused(let refused) = await again.enter(.key(key)) else {
            Issue.record("a forgotten phone was let in")
            return
        }
        #expect(refused.code == .unknownPeer)
        await lab.stop()
    }

    @Test func aBridgeThatIsStoppedTellsTheLinkWhy() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone)
        #expect(try await eventually { phone.credit > 0 })
        await lab.stop()
        #expect(try await eventually { lab.deliveries.refusals.last?.message.contains("stopped") == true })
        #expect(try await eventually { phone.end != nil })
        await phone.leave()
    }

    @Test(arguments: ["", "host:1", "1.2.3.4", "1.2.3.4:99999", "::1:80", "[::1]"])
    func anAddressThatIsNoneIsRefusedWithItsCode(_ address: String) {
        let error = #expect(throws: DATBridgeError.self) { try NumericAddress(address) }
        #expect(error?.code == "address")
    }

    @Test func aSetUpThatCannotWorkIsRefusedByName() async throws {
        func code(_ configuration: DATBridgeConfiguration) -> String? {
            do throws(DATBridgeError) {
                _ = try DATBridge(configuration, onPairingCode: { _ in })
                return nil
            } catch { return error.code }
        }
        let transport = DATBridgeConfiguration.Transport.listenTCP("127.0.0.1:0")
        #expect(code(.init(transport: transport, name: "", pairingFile: nil)) == "name")
        #expect(code(.init(transport: transport, name: "n", pairingFile: nil, heartbeat: .zero)) == "heartbeat")
        let url = try #require(URL(string: "https://127.0.0.1/"))
        #expect(code(.init(transport: .dialWebSocket(url), name: "n", pairingFile: nil)) == "url")
        let taken = try await BridgeLab()
        #expect(code(.init(transport: .listenTCP(taken.address), name: "n", pairingFile: nil)) == "listen")
        await taken.stop()
    }
}
