import GlassesDomain
import GlassesWebSocket
import Testing

struct KeepAliveTests {
    @Test func aSilentPeerIsAskedOnceAndThenLost() throws {
        var link = TestLink()
        #expect(link.endpoint.deadline == .at(.seconds(20)))
        link.wait(.seconds(20))
        link.wait(.seconds(5))
        try link.write()
        #expect(link.sent == [.ping([])])
        #expect(link.endpoint.deadline == .at(.seconds(40)))
        link.wait(.seconds(15))
        #expect(link.closure?.code == "keep_alive_timeout")
        #expect(link.closure?.closeCode == 1006)
    }

    @Test(arguments: [Wire.frame(0x8A), Wire.frame(0x89), Wire.frame(0x81, [0x61]), [0x81]])
    func anyTrafficIsASignOfLife(bytes: [UInt8]) throws {
        var link = TestLink()
        link.wait(.seconds(39))
        link.receive(bytes)
        #expect(link.endpoint.deadline == .at(.seconds(59)))
        link.wait(.seconds(19))
        #expect(link.closure == nil)
        link.wait(.seconds(1))
        link.wait(.seconds(20))
        #expect(link.closure?.code == "keep_alive_timeout")
    }

    @Test func aPeerThatWeDoNotReadIsNotCalledSilent() {
        var link = TestLink()
        link.wait(.seconds(10))
        link.endpoint.pauseReading(at: link.now)
        #expect(link.endpoint.deadline == nil)
        link.wait(.seconds(100))
        #expect(link.closure == nil)
        link.endpoint.resumeReading(at: link.now)
        #expect(link.endpoint.deadline == .at(.seconds(130)))
    }

    @Test func aConnectionWithoutAnIntervalIsNeverAsked() throws {
        var link = TestLink(limits: .test { $0.pingInterval = nil })
        link.wait(.seconds(100_000))
        try link.write()
        #expect(link.sent.isEmpty)
        #expect(link.notices.isEmpty)
        #expect(link.endpoint.deadline == nil)
    }
}
