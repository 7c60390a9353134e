import Foundation
import Glibc
import Testing

@testable import MWDATBridge
@testable import MWDATCore

/// What becomes of a phone's connection after its greeting.
@Suite struct BridgeConnectionTests {
    @Test func aLinkCutInMidPhotoEndsEverythingAndThePhoneMayComeBack() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        guard case .welcomed(let key) = await lab.pair(phone) else {
            Issue.record("the phone was not let in")
            return
        }
        phone.tell(BridgeLab.available)
        phone.tell(.sessionStarted(1))
        #expect(try await eventually { lab.deliveries.all.last == .sessionStarted(1) })
        await phone.leave()
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        // Once more, and now with half a photo.
        let descriptor = try #require(try NumericAddress(lab.address).beginConnecting())
        let second = ScriptedPhone(try #require(SocketWire(descriptor: dup(descriptor))))
        #expect(await onThread { second.greet(.key(key)) } == .welcomed(key: key))
        let photo = LinkMessage.event(.photo(1, 2, LinkPhoto(format: .jpeg, bytes: Data(count: 100_000))))
        let bytes = try photo.encoded().bytes
        #expect(write(descriptor, bytes, 40_000) == 40_000)
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        #expect(try await eventually { lab.deliveries.refusals.count == 3 })
        #expect(lab.deliveries.refusals.last?.check == .transport)
        #expect(!lab.deliveries.all.contains { if case .photo = $0 { true } else { false } })
        let third = try ScriptedPhone.calling(lab.address)
        #expect(await third.enter(.key(key)) == .welcomed(key: key))
        third.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable(times: 2) })
        await third.leave()
        await lab.stop()
    }

    @Test func aPhoneThatGivesNoSignOfLifeCountsAsGone() async throws {
        let lab = try await BridgeLab(heartbeat: .seconds(1))
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone, isMute: true)
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable() })
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        #expect(lab.deliveries.refusals.last?.check == .timeout)
        await phone.leave()
        await lab.stop()
    }

    @Test func halfAMessageIsNoSignOfLife() async throws {
        let lab = try await BridgeLab(heartbeat: .seconds(1))
        let descriptor = try #require(try NumericAddress(lab.address).beginConnecting())
        let phone = ScriptedPhone(try #require(SocketWire(descriptor: dup(descriptor))))
        let code = lab.code
        _ = await onThread { phone.greet(.code(code)) }
        let half = LinkPrefix.mark + [0, 0, 0, 50, 0, 0, 0, 0, 0x7B]
        #expect(write(descriptor, half, half.count) == half.count)
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        #expect(lab.deliveries.refusals.last?.check == .timeout)
        close(descriptor)
        await onThread { phone.wire.finish(within: .zero) }
        await lab.stop()
    }

    @Test func aPhoneThatAnswersIsLeftAlone() async throws {
        let lab = try await BridgeLab(heartbeat: .seconds(1))
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone)
        try await Task.sleep(for: .seconds(4))
        #expect(lab.deliveries.refusals.count == 1)
        await phone.leave()
        await lab.stop()
    }

    @Test func aPhoneThatReadsNothingIsGivenUpWhenTooMuchWaits() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        let code = lab.code
        _ = await onThread { phone.greet(.code(code)) }
        phone.tell(BridgeLab.available)
        #expect(try await eventually { lab.isAvailable() })
        for number in 0..<12 {
            lab.bridge.link.send(.showView(1, UInt64(number), tree: Data(count: 8 << 20)))
        }
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        await onThread { phone.wire.finish(within: .zero) }
        await lab.stop()
    }

    @Test(arguments: [
        LinkPrefix.mark + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], LinkPrefix.mark + [0, 0, 0, 2, 0xFF, 0, 0, 0],
        Array("HTTP/1.1 200 OK\r\n".utf8), LinkPrefix.mark + [0, 0, 0, 2, 0, 0, 0, 0, 0x7B, 0x7D],
    ])
    func bytesThatBreakTheProtocolEndTheLinkWithAReason(_ bytes: [UInt8]) async throws {
        let lab = try await BridgeLab()
        let descriptor = try #require(try NumericAddress(lab.address).beginConnecting())
        let phone = ScriptedPhone(try #require(SocketWire(descriptor: dup(descriptor))))
        let code = lab.code
        _ = await onThread { phone.greet(.code(code)) }
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        #expect(try await eventually { lab.deliveries.refusals.count == 2 })
        #expect(lab.deliveries.refusals.last?.message.contains("protocol") == true)
        close(descriptor)
        await onThread { phone.wire.finish(within: .zero) }
        await lab.stop()
    }

    @Test func picturesComeOnlyAsFastAsTheyAreTaken() async throws {
        let lab = try await BridgeLab()
        let phone = try ScriptedPhone.calling(lab.address)
        _ = await lab.pair(phone)
        #expect(try await eventually { phone.credit == RemoteLink.picturesUnderWay })
        for number in 0..<40 {
            let frame = LinkFrame(coding: .i420, width: 2, height: 2, time: UInt64(number), bytes: Data(count: 6))
            phone.tell(.frame(1, 2, frame))
        }
        #expect(
            try await eventually {
                lab.deliveries.all.contains { if case .frame(_, _, let frame) = $0 { frame.time == 39 } else { false } }
            })
        let frames = lab.deliveries.all.count - lab.deliveries.controls.count
        #expect(try await eventually { phone.credit == RemoteLink.picturesUnderWay + frames })
        #expect(frames + phone.wire.droppedMedia == 40)
        await phone.leave()
        await lab.stop()
    }
}
