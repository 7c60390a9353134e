import SeededRandom
import GlassesDomain
import GlassesWebSocket
import Testing

struct ClosingTests {
    @Test func aCloseThatThePeerAnswersEndsCleanly() throws {
        var link = TestLink()
        _ = link.endpoint.send(.binary([1]), lane: .control, at: .zero)
        link.endpoint.close(code: 1000, reason: "done", at: .zero)
        link.endpoint.close(code: 4000, reason: "again", at: .zero)
        #expect(link.endpoint.send(.binary([2]), lane: .control, at: .zero) == .refused)
        try link.write()
        #expect(link.sent == [.binary([1]), .close(code: 1000, reason: "done")])
        #expect(link.endpoint.wantsRead)
        #expect(!link.endpoint.isFinished)
        link.receive(Wire.frame(0x88, Wire.close(1000)))
        #expect(link.closure == ConnectionClosure(code: "closed", message: "done", closeCode: 1000))
        #expect(link.endpoint.isFinished)
        #expect(link.endpoint.deadline == nil)
    }

    @Test func waitingAudioIsGivenUpByAClose() throws {
        var link = TestLink()
        _ = link.endpoint.send(.binary([1]), lane: .audio, at: .zero)
        _ = link.endpoint.send(.binary([2]), lane: .control, at: .zero)
        link.endpoint.close(code: 1000, reason: "", at: .zero)
        try link.write()
        #expect(link.sent == [.binary([2]), .close(code: 1000, reason: "")])
    }

    @Test(arguments: [true, false])
    func aCloseThatThePeerDoesNotAnswerEndsAfterTwoSeconds(isWritten: Bool) throws {
        var link = TestLink()
        link.wait(.seconds(1))
        link.endpoint.close(code: 1000, reason: "", at: link.now)
        if isWritten { try link.write() }
        #expect(link.endpoint.deadline == .at(.seconds(3)))
        link.wait(.milliseconds(1_999))
        #expect(link.closure == nil)
        link.wait(.milliseconds(1))
        #expect(link.closure?.code == "close_unanswered")
        #expect(link.endpoint.isFinished)
    }

    @Test func messagesAfterOurCloseAreDropped() throws {
        var link = TestLink()
        link.endpoint.pauseReading(at: .zero)
        #expect(!link.endpoint.wantsRead)
        link.endpoint.close(code: 1000, reason: "", at: .zero)
        #expect(link.endpoint.wantsRead)
        link.receive(Wire.frame(0x81, [0x61]) + Wire.frame(0x89, [1]))
        #expect(link.notices.isEmpty)
        try link.write()
        #expect(link.sent == [.close(code: 1000, reason: "")])
    }

    @Test(
        arguments: [
            (Wire.frame(0x88, Wire.close(1001, "restart")), 1001, WebSocketEvent.close(code: 1001, reason: "")),
            (Wire.frame(0x88), 1005, WebSocketEvent.close(code: nil, reason: "")),
            (Wire.frame(0x88, Wire.close(4001)), 4001, WebSocketEvent.close(code: 4001, reason: "")),
        ] as [([UInt8], UInt16, WebSocketEvent)])
    func aPeersCloseIsToldAtOnceAndEchoed(bytes: [UInt8], code: UInt16, echo: WebSocketEvent) throws {
        var link = TestLink()
        _ = link.endpoint.send(.binary([1]), lane: .control, at: .zero)
        link.receive(Wire.frame(0x81, [0x61]) + bytes)
        #expect(link.notices.first == .message(.text([0x61])))
        #expect(link.closure?.closeCode == code)
        #expect(link.closure?.code == "closed_by_peer")
        #expect(!link.endpoint.isFinished)
        try link.write()
        #expect(link.sent == [echo])
        #expect(link.endpoint.isFinished)
    }

    @Test func closesThatCrossEndCleanlyOnceOursIsWritten() throws {
        var link = TestLink()
        link.endpoint.close(code: 1000, reason: "", at: .zero)
        link.receive(Wire.frame(0x88, Wire.close(1001)))
        #expect(link.closure?.code == "closed")
        #expect(!link.endpoint.isFinished)
        try link.write()
        #expect(link.sent == [.close(code: 1000, reason: "")])
        #expect(link.endpoint.isFinished)
    }

    @Test func anEchoThatCannotBeWrittenIsGivenUpAfterTwoSeconds() {
        var link = TestLink()
        link.receive(Wire.frame(0x88))
        link.wait(.seconds(2))
        #expect(link.closure?.closeCode == 1005)
        #expect(link.endpoint.isFinished)
    }

    @Test func aViolationIsToldAtOnceAndThePeerIsReadToItsEnd() throws {
        var link = TestLink()
        link.receive(Wire.frame(0x81, [0x61]) + Wire.frame(0x82, announced: 1_001))
        #expect(link.notices.first == .message(.text([0x61])))
        #expect(link.closure?.closeCode == 1009)
        #expect(link.closure?.code == "message_too_big")
        try link.write()
        #expect(link.sent == [.close(code: 1009, reason: "message_too_big")])
        #expect(link.endpoint.wantsRead)
        #expect(!link.endpoint.isFinished)
        link.receive([UInt8](repeating: 0xFF, count: 1_001))
        #expect(link.notices.count == 2)
        link.endpoint.peerEnded(at: .zero)
        #expect(link.endpoint.isFinished)
    }

    @Test func aPeerThatGoesOnAfterItsViolationIsDroppedAfterTwoSeconds() throws {
        var link = TestLink()
        link.receive([0xFF])
        try link.write()
        for _ in 0..<3 {
            link.receive([0xFF])
            link.wait(.milliseconds(500))
        }
        #expect(!link.endpoint.isFinished)
        link.wait(.milliseconds(500))
        #expect(link.endpoint.isFinished)
        #expect(link.closure?.closeCode == 1002)
    }

    @Test func aLinkThatEndsWithoutACloseFrameIsLost() {
        var link = TestLink()
        link.endpoint.peerEnded(at: .zero)
        link.endpoint.peerEnded(at: .zero)
        link.endpoint.linkFailed(ConnectionClosure(code: "x", message: "x"), at: .zero)
        link.collect()
        #expect(link.closure?.closeCode == 1006)
        #expect(link.closure?.code == "connection_lost")
        #expect(!link.endpoint.wantsRead)
        #expect(!link.endpoint.wantsWrite)
    }

    @Test func aBrokenLinkEndsWithTheLoopsReason() {
        var link = TestLink()
        let closure = ConnectionClosure(code: "reset", message: "The network reset the connection.", closeCode: 1006)
        link.endpoint.linkFailed(closure, at: .zero)
        link.collect()
        #expect(link.closure == closure)
    }

    @Test func aLinkThatEndsDuringOurCloseCountsAsUnanswered() throws {
        var link = TestLink()
        link.endpoint.close(code: 1000, reason: "", at: .zero)
        try link.write()
        link.endpoint.peerEnded(at: .zero)
        link.collect()
        #expect(link.closure?.code == "close_unanswered")
        #expect(link.endpoint.isFinished)
    }

    @Test func everyOrderOfEventsEndsOnce() throws {
        for seed in UInt64(0)..<500 {
            var generator = SeededGenerator(seed: seed)
            var link = TestLink(seed % 2 == 0 ? .client : .server)
            let mask = seed % 2 == 0 ? nil : Wire.key
            for _ in 0..<30 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: link.endpoint.close(code: 1000, reason: "", at: link.now)
                case 1: link.receive(Wire.frame(0x88, Wire.close(1001), mask: mask))
                case 2: link.receive([0xFF])
                case 3: link.endpoint.peerEnded(at: link.now)
                case 4: link.wait(.seconds(Int.random(in: 0..<30, using: &generator)))
                case 5: link.endpoint.pauseReading(at: link.now)
                case 6: link.endpoint.resumeReading(at: link.now)
                case 7: _ = link.endpoint.send(.binary([1, 2]), lane: .audio, at: link.now)
                case 8: try link.write(Int.random(in: 0..<20, using: &generator))
                default: link.receive(Wire.frame(0x89, [1], mask: mask))
                }
            }
            link.endpoint.peerEnded(at: link.now)
            link.collect()
            #expect(link.closure != nil, "seed \(seed)")
            #expect(link.endpoint.isFinished, "seed \(seed)")
        }
    }
}
