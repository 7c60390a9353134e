import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// Bytes that a server may not send, and the close code that it is told.
struct HostileBytes: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var closeCode: UInt16
    var testDescription: String { name }

    static let all = [
        HostileBytes(name: "masked", bytes: [0x81, 0x82, 1, 2, 3, 4, 0x60, 0x60], closeCode: 1002),
        HostileBytes(name: "reserved bit", bytes: [0xC1, 1, 0x61], closeCode: 1002),
        HostileBytes(name: "unknown opcode", bytes: [0x83, 0], closeCode: 1002),
        HostileBytes(name: "fragmented ping", bytes: [0x09, 0], closeCode: 1002),
        HostileBytes(name: "long ping", bytes: [0x89, 126, 0, 126], closeCode: 1002),
        HostileBytes(name: "stray continuation", bytes: [0x80, 1, 0x61], closeCode: 1002),
        HostileBytes(name: "message in a message", bytes: [0x01, 1, 0x61, 0x81, 1, 0x62], closeCode: 1002),
        HostileBytes(name: "invalid UTF-8", bytes: [0x81, 2, 0xC3, 0x28], closeCode: 1007),
        HostileBytes(name: "text that ends in a character", bytes: [0x81, 1, 0xC3], closeCode: 1007),
        HostileBytes(name: "close with 1005", bytes: [0x88, 2, 0x03, 0xED], closeCode: 1002),
        HostileBytes(name: "length of 2^63", bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], closeCode: 1002),
        HostileBytes(name: "65 MiB announced", bytes: [0x82, 127, 0, 0, 0, 0, 4, 0x10, 0, 0], closeCode: 1009),
    ]
}

struct HostileFrameTests {
    @Test("A server that breaks the protocol is told so, and the connection ends once", arguments: HostileBytes.all)
    func violation(hostile: HostileBytes) async throws {
        let (told, tell) = AsyncStream.makeStream(of: WebSocketEvent?.self)
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            let socket = ScriptedWebSocket(peer)
            try socket.send(.text, Array("before".utf8))
            try peer.send(hostile.bytes)
            tell.yield(try socket.next())
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        let closure = try await receiver.closure()
        #expect(closure.closeCode == hostile.closeCode)
        #expect(receiver.messages == [.text("before")])
        #expect(opened.channel.send(.text("late"), lane: .control) == .refused)
        var answers = told.makeAsyncIterator()
        guard case .close(let code, _)?? = await answers.next() else {
            Issue.record("The server was not told.")
            return
        }
        #expect(code == hostile.closeCode)
        #expect(receiver.closures.count == 1)
    }

    @Test("A connection that breaks off inside a frame is lost with 1006", arguments: [false, true])
    func halfFrame(reset: Bool) async throws {
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            let socket = ScriptedWebSocket(peer)
            try socket.send(.text, Array("before".utf8))
            // The client has it before a reset throws away what is on the way.
            _ = try socket.next()
            try peer.send([0x81, 100, 0x61, 0x62])
            if reset { peer.reset() }
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(.to(server), receiver: receiver)
        _ = try await receiver.messages(1)
        _ = opened.channel.send(.text("seen"), lane: .control)
        let closure = try await receiver.closure()
        #expect(closure.closeCode == 1006)
        #expect(closure.code == "connection_lost")
        #expect(receiver.messages == [.text("before")])
    }

    @Test("The server's close code and reason are told, and answered")
    func serverCloses() async throws {
        let (told, tell) = AsyncStream.makeStream(of: WebSocketEvent?.self)
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            let socket = ScriptedWebSocket(peer)
            try socket.sendClose(4000, reason: "invalid_request_error.beta_api_shape_disabled")
            tell.yield(try socket.next())
        }
        defer { server.stop() }
        let receiver = TestReceiver()
        _ = try await WebSocketClient.open(.to(server), receiver: receiver)
        let closure = try await receiver.closure()
        #expect(closure.closeCode == 4000)
        #expect(closure.message.contains("beta_api_shape_disabled"))
        var answers = told.makeAsyncIterator()
        #expect(await answers.next() == .some(.close(code: 4000, reason: "")))
        try await eventually { server.openConnections == 0 }
    }
}
