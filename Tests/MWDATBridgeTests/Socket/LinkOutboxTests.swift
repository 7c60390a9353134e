import Foundation
import MWDATCore
import Testing

@Suite struct LinkOutboxTests {
    private func picture(_ number: UInt64, stream: LinkStream = 2, coding: LinkCoding = .i420, key: Bool = true)
        -> LinkMessage
    {
        .event(
            .frame(
                1, stream,
                LinkFrame(
                    coding: coding, width: 2, height: 2, time: number, isKeyFrame: key, bytes: Data(count: 6))))
    }

    private func sound(_ number: UInt64) -> LinkMessage {
        .event(.audio(1, 2, LinkAudio(sampleRate: 8_000, time: number, bytes: Data(count: 2))))
    }

    private func drain(_ outbox: inout LinkOutbox) throws -> [LinkMessage] {
        var messages: [LinkMessage] = []
        var decoder = LinkMessageDecoder()
        while let next = outbox.next() { try decoder.decode(next.bytes, into: &messages) }
        return messages
    }

    @Test func controlOvertakesPicturesAndKeepsItsOrder() throws {
        var outbox = LinkOutbox()
        outbox.grant(frames: 10)
        _ = outbox.add(picture(1))
        _ = outbox.add(.event(.sessionPaused(9)))
        _ = outbox.add(.control(.ping))
        #expect(try drain(&outbox) == [.event(.sessionPaused(9)), .control(.ping), picture(1)])
    }

    @Test func picturesWaitForCreditAndSoundDoesNot() throws {
        var outbox = LinkOutbox()
        for number in 1...3 { _ = outbox.add(picture(UInt64(number))) }
        _ = outbox.add(sound(4))
        #expect(try drain(&outbox) == [sound(4)])
        outbox.grant(frames: 2)
        #expect(try drain(&outbox) == [picture(1), picture(2)])
        #expect(!outbox.hasNext)
    }

    @Test func theOldestPicturesGoFirstWhenTooManyWait() throws {
        var outbox = LinkOutbox()
        let outcomes = (1...8).map { outbox.add(picture(UInt64($0))) }
        #expect(outcomes.prefix(6).allSatisfy { $0 == .accepted })
        #expect(outcomes[7] == .dropped(keyFrameNeeded: []))
        outbox.grant(frames: 100)
        #expect(try drain(&outbox) == (3...8).map { picture(UInt64($0)) })
        #expect(outbox.dropped == 2)
    }

    @Test func aLostCodedPictureTakesThoseAlongThatBuildOnIt() throws {
        var outbox = LinkOutbox()
        let stream = LinkOutbox.Stream(session: 1, stream: 2)
        for number in 1...6 { _ = outbox.add(picture(UInt64(number), coding: .hvc1, key: number == 1)) }
        #expect(outbox.add(picture(7, coding: .hvc1, key: false)) == .dropped(keyFrameNeeded: [stream]))
        #expect(outbox.add(picture(8, coding: .hvc1, key: false)) == .dropped(keyFrameNeeded: [stream]))
        #expect(outbox.add(picture(9, coding: .hvc1, key: true)) == .accepted)
        #expect(outbox.add(picture(10, coding: .hvc1, key: false)) == .accepted)
        outbox.grant(frames: 100)
        #expect(
            try drain(&outbox) == [picture(9, coding: .hvc1, key: true), picture(10, coding: .hvc1, key: false)])
        #expect(outbox.dropped == 8)
    }

    @Test func noPictureFollowsTheEndOfItsStream() throws {
        var outbox = LinkOutbox()
        _ = outbox.add(picture(1))
        _ = outbox.add(picture(2, stream: 3))
        _ = outbox.add(.event(.streamEnded(1, 2, nil)))
        outbox.grant(frames: 10)
        #expect(try drain(&outbox) == [.event(.streamEnded(1, 2, nil)), picture(2, stream: 3)])
    }

    @Test func aPeerThatLetsControlPileUpCountsAsGone() {
        var limits = LinkOutbox.Limits()
        limits.controlBytes = 100
        var outbox = LinkOutbox(limits: limits)
        let outcomes = (0..<5).map { _ in outbox.add(.control(.ping)) }
        #expect(outcomes.first == .accepted)
        #expect(outcomes.last == .ended)
    }

    @Test func soundIsBoundedToo() {
        var outbox = LinkOutbox()
        for number in UInt64(0)..<101 { _ = outbox.add(sound(number)) }
        #expect(outbox.dropped == 1)
    }
}
