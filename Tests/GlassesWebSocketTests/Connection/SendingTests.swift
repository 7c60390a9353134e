import GlassesDomain
import GlassesWebSocket
import Testing

struct SendingTests {
    static func text(_ text: String) -> RealtimeMessage { .text(Array(text.utf8)) }

    @Test(arguments: [WebSocketRole.client, .server])
    func controlMessagesOvertakeAudioAndEachLaneKeepsItsOrder(role: WebSocketRole) throws {
        var link = TestLink(role)
        for (name, lane) in [("a1", UplinkLane.audio), ("c1", .control), ("a2", .audio), ("c2", .control)] {
            #expect(link.endpoint.send(Self.text(name), lane: lane, at: .zero) == .accepted)
        }
        try link.write()
        #expect(link.sent == [.text("c1"), .text("c2"), .text("a1"), .text("a2")])
        #expect(link.endpoint.waitingBytes == 0)
        #expect(!link.endpoint.wantsWrite)
    }

    @Test func aControlMessageWaitsForTheMessageThatHasBegun() throws {
        var link = TestLink(
            limits: .test {
                $0.framePayload = 100
                $0.audioBytes = 500_000
            })
        let long = RealtimeMessage.binary([UInt8](repeating: 7, count: 200_000))
        _ = link.endpoint.send(long, lane: .audio, at: .zero)
        try link.write(10)
        _ = link.endpoint.send(Self.text("c"), lane: .control, at: .zero)
        try link.write()
        #expect(link.sent == [.message(long), .text("c")])
    }

    @Test func aPongGoesBetweenTheFramesOfALongMessage() throws {
        var link = TestLink(limits: .test { $0.controlBytes = 4 << 20 })
        let long = RealtimeMessage.text([UInt8](repeating: 0x61, count: 2 << 20))
        _ = link.endpoint.send(long, lane: .control, at: .zero)
        var pings = 0
        while !link.sent.contains(.message(long)) {
            try link.write(50_000)
            pings += 1
            try #require(pings < 100)
            link.receive(Wire.frame(0x89, [UInt8(truncatingIfNeeded: pings)]))
        }
        let message = try #require(link.sent.firstIndex(of: .message(long)))
        #expect(message >= 10)
        #expect(link.sent[..<message].allSatisfy { if case .pong = $0 { true } else { false } })
    }

    @Test func onlyTheNewestPingThatWaitsIsAnswered() throws {
        var link = TestLink()
        for number in 1...100 { link.receive(Wire.frame(0x89, [UInt8(number)])) }
        #expect(link.endpoint.waitingBytes == 0)
        try link.write()
        #expect(link.sent == [.pong([100])])
    }

    @Test func moreControlBytesThanTheBoundEndTheConnection() {
        var link = TestLink()
        let message = RealtimeMessage.binary([UInt8](repeating: 0, count: 5_000))
        #expect(link.endpoint.send(message, lane: .control, at: .zero) == .accepted)
        #expect(link.endpoint.send(message, lane: .control, at: .zero) == .accepted)
        #expect(link.endpoint.send(.binary([1]), lane: .control, at: .zero) == .refused)
        link.collect()
        #expect(link.closure?.code == "send_queue_full")
        #expect(link.closure?.closeCode == 1006)
        #expect(link.endpoint.isFinished)
        #expect(link.endpoint.waitingBytes == 0)
    }

    @Test func moreAudioBytesThanTheBoundEndTheConnection() {
        var link = TestLink()
        let message = RealtimeMessage.binary([UInt8](repeating: 0, count: 600))
        #expect(link.endpoint.send(message, lane: .audio, at: .zero) == .accepted)
        #expect(link.endpoint.send(message, lane: .audio, at: .zero) == .refused)
        link.collect()
        #expect(link.closure?.code == "uplink_stalled")
    }

    @Test func audioThatWaitsFiveSecondsEndsTheConnection() throws {
        var link = TestLink()
        link.wait(.seconds(1))
        _ = link.endpoint.send(.binary([1]), lane: .audio, at: link.now)
        #expect(link.endpoint.deadline == .at(.seconds(6)))
        link.wait(.milliseconds(4_999))
        #expect(link.closure == nil)
        link.wait(.milliseconds(1))
        #expect(link.closure?.code == "uplink_stalled")
    }

    @Test func audioThatWasTakenDoesNotAge() throws {
        var link = TestLink()
        _ = link.endpoint.send(.binary([1]), lane: .audio, at: .zero)
        try link.write()
        link.wait(.seconds(19))
        #expect(link.closure == nil)
    }

    @Test func theEndOfALongWaitIsToldOnce() throws {
        var link = TestLink()
        _ = link.endpoint.send(.binary([UInt8](repeating: 0, count: 501)), lane: .control, at: .zero)
        try link.write(400)
        #expect(link.notices.isEmpty)
        #expect(link.endpoint.waitingBytes > 0)
        try link.write()
        #expect(link.notices == [.drained])
        _ = link.endpoint.send(.binary([1]), lane: .control, at: .zero)
        try link.write()
        #expect(link.notices == [.drained])
    }

    @Test func aClientMasksEachFrameWithAnotherKey() throws {
        var link = TestLink(limits: .test { $0.framePayload = 4 })
        _ = link.endpoint.send(.binary([UInt8](repeating: 0, count: 40)), lane: .control, at: .zero)
        try link.write()
        let keys = Set(stride(from: 2, to: link.wire.count, by: 10).map { Array(link.wire[$0..<$0 + 4]) })
        #expect(keys.count == 10)
    }

    @Test func manyWaitingMessagesLeaveInOrder() throws {
        var link = TestLink(.server, limits: .test { $0.controlBytes = 1 << 20 })
        for round in 0..<10 {
            for number in 0..<200 {
                _ = link.endpoint.send(Self.text("\(round * 200 + number)"), lane: .control, at: .zero)
            }
            try link.write(300)
        }
        try link.write()
        #expect(link.sent == (0..<2_000).map { .text("\($0)") })
    }
}
