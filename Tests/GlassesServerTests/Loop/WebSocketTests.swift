import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Testing

/// One open WebSocket and its peer.
@Suite struct WebSocketTests {
    private static func socket(_ server: TestServer) throws -> EchoReceiver {
        try waitUntil("the socket") { !server.handler.sockets.isEmpty }
        return try #require(server.handler.sockets.first)
    }

    @Test func aClientThatSendsByteByByteIsEchoed() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            for byte in client.frame(.text(Array("slow café".utf8))) { try client.raw.send([byte]) }
            #expect(try client.nextText() == "slow café")
        }
    }

    @Test func controlFramesBetweenFragmentsAreAnsweredAtOnce() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            var bytes: [UInt8] = []
            let encoder = WebSocketEncoder(role: .client)
            encoder.append(.text, isFinal: false, Array("one ".utf8)[...], mask: 1, to: &bytes)
            encoder.appendPing([1, 2, 3], mask: 2, to: &bytes)
            try client.raw.send(bytes)
            #expect(try client.next() == .pong([1, 2, 3]))
            bytes = []
            encoder.append(.continuation, isFinal: true, Array("two".utf8)[...], mask: 4, to: &bytes)
            try client.raw.send(bytes)
            #expect(try client.nextText() == "one two")
        }
    }

    @Test func binaryAndEmptyMessagesAreEchoed() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            for message in [RealtimeMessage.binary([0, 255]), .binary([]), .text([])] {
                try client.raw.send(client.frame(message))
                #expect(try client.next() == .message(message))
            }
        }
    }

    @Test(arguments: [nil, 1000, 1001, 4999] as [UInt16?])
    func aCloseOfTheClientIsAnsweredAndReportedOnce(code: UInt16?) async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            try client.sendClose(code: code, reason: "bye")
            #expect(try client.next() == .close(code: code, reason: ""))
            #expect(try client.next() == nil)
            let socket = try Self.socket(server)
            try waitUntil("the report") { socket.closures.count == 1 }
            #expect(socket.closures.first?.closeCode == code ?? 1005)
            try waitUntil("no connection") { server.server.statistics.connections == 0 }
            #expect(socket.closures.count == 1)
            #expect(socket.channel.send(.text([1]), lane: .control) == .refused)
        }
    }

    @Test func aCloseOfTheServerComesAfterWhatWasSentBefore() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            let socket = try Self.socket(server)
            #expect(socket.channel.send(.text(Array("last".utf8)), lane: .control) == .accepted)
            socket.channel.close(code: 4001, reason: "done")
            #expect(socket.channel.send(.text([1]), lane: .control) == .refused)
            #expect(try client.nextText() == "last")
            #expect(try client.next() == .close(code: 4001, reason: "done"))
            try client.sendClose(code: 4001)
            #expect(try client.next() == nil)
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [4001] }
        }
    }

    @Test func aCloseThatIsNotAnsweredEndsWithinItsBound() async throws {
        try await TestServer.run(TestServer { $0.closeTime = .milliseconds(200) }) { server in
            let client = try WebSocketTestClient(port: server.port)
            let socket = try Self.socket(server)
            let start = Date()
            socket.channel.close(code: 1000, reason: "")
            #expect(try client.next() == .close(code: 1000, reason: ""))
            #expect(try client.next() == nil)
            #expect(Date().timeIntervalSince(start) < 2)
            try waitUntil("the report") { socket.closures.map(\.code) == ["close_unanswered"] }
        }
    }

    @Test func aSilentClientIsAskedAndThenDropped() async throws {
        let server = try TestServer { limits in
            limits.pingInterval = .milliseconds(300)
            limits.silence = .milliseconds(1_500)
        }
        try await TestServer.run(server) { server in
            let client = try WebSocketTestClient(port: server.port)
            let start = Date()
            // While it answers it lives, for longer than the bound of silence.
            while Date().timeIntervalSince(start) < 2 {
                #expect(try client.next() == .ping([]))
                try client.pong()
            }
            #expect(server.handler.sockets.first?.closures.isEmpty == true)
            #expect(try client.next() == .ping([]))
            #expect(try client.next() == nil)
            #expect(server.handler.sockets.first?.closures.map(\.code) == ["keep_alive_timeout"])
            #expect(server.server.statistics.silentPeers == 1)
        }
    }

    @Test(arguments: [true, false])
    func aLinkThatBreaksInMidFrameIsReportedOnce(isReset: Bool) async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            let frame = client.frame(.binary([UInt8](repeating: 1, count: 5_000)))
            try client.raw.send(Array(frame[..<2_000]))
            if isReset { client.raw.reset() } else { client.raw.close() }
            let socket = try Self.socket(server)
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [1006] }
            try waitUntil("no connection") { server.server.statistics.connections == 0 }
            #expect(socket.received == 0)
            #expect(server.server.statistics.webSockets == 0)
        }
    }

    @Test(
        arguments: [
            ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0x01, 0x41], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002),
            ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x88, 0x81, 0, 0, 0, 0, 0x03], 1002),
            ([0x47, 0x45, 0x54, 0x20], 1002),
        ] as [([UInt8], UInt16)])
    func aBrokenFrameIsAnsweredWithItsCode(bytes: [UInt8], code: UInt16) async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            try client.raw.send(bytes)
            guard case .close(code, _)? = try client.next() else {
                Issue.record("no close frame with \(code)")
                return
            }
            let socket = try Self.socket(server)
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [code] }
        }
    }

    @Test func aMessageOf21MiBIsTakenAndOneOf22IsRefusedWith1009() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            let socket = try Self.socket(server)
            socket.mute()
            try client.raw.send(client.frame(.binary([UInt8](repeating: 9, count: 21 << 20))))
            try waitUntil("the message") { socket.received == 1 }
            // The close frame arrives although the client has not read it when it sends, and sends more than anybody
            // reads.
            let large = client.frame(.binary([UInt8](repeating: 9, count: 22 << 20)))
            do { try client.raw.send(large) } catch {}
            guard case .close(1009, _)? = try client.next() else {
                Issue.record("no close frame with 1009")
                return
            }
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [1009] }
            #expect(socket.received == 1)
        }
    }

    @Test func aSlowReaderIsDroppedAtTheBoundAndCounted() async throws {
        try await TestServer.run(TestServer { $0.outboundQueue = 4 << 20 }) { server in
            let client = try WebSocketTestClient(port: server.port, receiveBuffer: 4_096)
            let socket = try Self.socket(server)
            let message = RealtimeMessage.binary([UInt8](repeating: 5, count: 256 << 10))
            var accepted = 0
            while socket.channel.send(message, lane: .control) == .accepted {
                accepted += 1
                try #require(accepted < 1_000)
                #expect(socket.channel.waitingBytes <= (4 << 20) + (1 << 20))
            }
            #expect(accepted >= 16)
            try waitUntil("the report") { socket.closures.map(\.code) == ["send_queue_full"] }
            #expect(server.server.statistics.slowReaders == 1)
            _ = client
        }
    }

    @Test func whatSeveralThreadsSendArrivesWholeAndInEachOnesOrderThoughTheClientReadsLate() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port, receiveBuffer: 4_096)
            let channel = try Self.socket(server).channel
            let (threads, count, size) = (4, 120, 16 << 10)
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in 0..<count {
                    var bytes = [UInt8](repeating: UInt8(thread ^ number), count: size)
                    (bytes[0], bytes[1]) = (UInt8(thread), UInt8(number))
                    #expect(channel.send(.binary(bytes), lane: .control) == .accepted)
                }
            }
            // The kernel holds less than all of it, so that both ways of writing were used.
            #expect(channel.waitingBytes > 0)
            var next = [Int](repeating: 0, count: threads)
            for _ in 0..<threads * count {
                guard case .message(.binary(let bytes))? = try client.next() else { throw ClientFailure("no message") }
                let thread = Int(bytes[0])
                #expect(bytes.count == size && Int(bytes[1]) == next[thread] && Set(bytes[2...]).count == 1)
                next[thread] += 1
            }
            try waitUntil("nothing to wait") { channel.waitingBytes == 0 }
        }
    }

    @Test func theReceiverHearsThatItsWaitIsOver() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port, receiveBuffer: 4_096)
            let socket = try Self.socket(server)
            for _ in 0..<48 {
                let outcome = socket.channel.send(.binary([UInt8](repeating: 5, count: 256 << 10)), lane: .control)
                #expect(outcome == .accepted)
            }
            // The kernel takes some of them, and the rest waits for the client.
            #expect(socket.channel.waitingBytes > 256 << 10)
            let before = socket.drainedCount
            for _ in 0..<48 {
                guard case .message(.binary(let bytes))? = try client.next() else { throw ClientFailure("no message") }
                #expect(bytes.count == 256 << 10)
            }
            try waitUntil("the notice") { socket.drainedCount == before + 1 }
            #expect(socket.channel.waitingBytes == 0)
        }
    }

    @Test func aPausedSocketIsNotReadUntilItIsResumed() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            try client.send("one")
            #expect(try client.nextText() == "one")
            let socket = try Self.socket(server)
            socket.channel.pauseReading()
            let sent = Flag()
            let total = 64
            let frame = client.frame(.binary([UInt8](repeating: 5, count: 256 << 10)))
            socket.mute()
            let raw = client.raw
            let sender = Thread {
                for _ in 0..<total where (try? raw.send(frame)) == nil { return }
                sent.set()
            }
            sender.start()
            // 16 MiB are more than the kernel holds for both ends.
            usleep(200_000)
            #expect(!sent.isSet)
            #expect(socket.received <= 1)
            socket.channel.resumeReading()
            try waitUntil("the rest") { socket.received == total + 1 && sent.isSet }
        }
    }

    @Test func aPausedSocketWhosePeerLeftEnds() async throws {
        try await TestServer.run(TestServer()) { server in
            let client = try WebSocketTestClient(port: server.port)
            let socket = try Self.socket(server)
            socket.channel.pauseReading()
            client.raw.reset()
            try waitUntil("the report") { socket.closures.map(\.closeCode) == [1006] }
        }
    }

    @Test func unfinishedMessagesCountTogether() async throws {
        let budget = InboundBudget(limit: 1 << 20)
        try await TestServer.run(TestServer(handler: TestHandler(budget: budget))) { server in
            let one = try WebSocketTestClient(port: server.port)
            let two = try WebSocketTestClient(port: server.port)
            let frame = one.frame(.binary([UInt8](repeating: 1, count: 700_000)))
            try one.raw.send(Array(frame[..<600_000]))
            try waitUntil("the bytes") { budget.bytesInUse >= 600_000 }
            try two.raw.send(Array(frame[..<600_000]))
            guard case .close(1009, _)? = try two.next() else {
                Issue.record("no close frame with 1009")
                return
            }
            try one.raw.send(Array(frame[600_000...]))
            guard case .message(.binary(let bytes))? = try one.next() else { throw ClientFailure("no message") }
            #expect(bytes.count == 700_000)
            try two.sendClose(code: 1009)
            try waitUntil("everything is given back") { budget.bytesInUse == 0 }
        }
    }
}
