import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import NetworkLab
import Testing

/// Connections through a real `tinyproxy` that wants a name and a password.
struct ProxyTests {
    @Test("A connection goes through a proxy with authentication", arguments: LinkKind.allCases)
    func throughProxy(kind: LinkKind) async throws {
        let proxy = try await ProxyProcess()
        defer { proxy.stop() }
        let (server, lab) = try await kind.server { peer in
            let head = try peer.acceptUpgrade()
            try peer.sendMessage(head.lowercased().contains("proxy-auth") ? "credentials leaked" : "hello")
            try peer.echo()
        }
        defer { server.stop() }
        var request = WebSocketRequest.to(server, lab: lab)
        request.settings.proxy = .fixed(
            Proxy(url: proxy.url, user: ProxyProcess.user, password: ProxyProcess.password))
        let receiver = TestReceiver()
        let opened = try await WebSocketClient.open(request, receiver: receiver)
        let block = RealtimeMessage.binary([UInt8](repeating: 3, count: 300_000))
        _ = opened.channel.send(block, lane: .audio)
        #expect(try await receiver.messages(2) == [.text("hello"), block])
        opened.channel.close(code: 1000, reason: "")
        #expect(try await receiver.closure().closeCode == 1000)
    }

    @Test("The credentials may stand in the proxy's URL")
    func credentialsInURL() async throws {
        let proxy = try await ProxyProcess()
        defer { proxy.stop() }
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        var request = WebSocketRequest.to(server)
        request.settings.proxy = .fixed(
            Proxy(url: "http://\(ProxyProcess.user):\(ProxyProcess.password)@127.0.0.1:\(proxy.port)"))
        let opened = try await WebSocketClient.open(request, receiver: TestReceiver())
        opened.channel.close(code: 1000, reason: "")
    }

    @Test(
        "A proxy that wants other credentials, or is not there, is told as the proxy's fault", arguments: [true, false])
    func refused(isThere: Bool) async throws {
        let proxy = try await ProxyProcess()
        defer { proxy.stop() }
        let server = try ScriptedServer { $0.hang() }
        defer { server.stop() }
        var request = WebSocketRequest.to(server)
        let url = isThere ? proxy.url : "http://proxy.invalid:3128"
        request.settings.proxy = .fixed(Proxy(url: url, user: "glasses", password: "SECRET"))
        let failure = try await RefusalTests.failure(request)
        #expect(failure.closure.code == "proxy_failed")
        #expect(failure.closure.httpStatus == (isThere ? 407 : nil))
        #expect(!failure.closure.message.contains("SECRET"))
        #expect(server.connections == 0)
    }

    @Test(
        "Through a link that is cut after random times every attempt ends once, and the next one works",
        arguments: [1, 2, 3] as [UInt64])
    func cut(seed: UInt64) async throws {
        let server = try ScriptedServer { peer in
            try peer.acceptUpgrade()
            try peer.echo()
        }
        defer { server.stop() }
        let proxy = try CuttingProxy(target: server.port, seed: seed, lifetimes: 1...150)
        defer { proxy.stop() }
        let url = try #require(URL(string: "ws://127.0.0.1:\(proxy.port)"))
        let request = WebSocketRequest(url: url, settings: NetworkSettings(proxy: .none))
        var ended = 0
        while ended < 20 {
            let receiver = TestReceiver()
            do {
                let opened = try await WebSocketClient.open(request, receiver: receiver)
                let block = RealtimeMessage.binary([UInt8](repeating: 1, count: 4_000))
                while opened.channel.send(block, lane: .audio) == .accepted {
                    try await Task.sleep(for: .milliseconds(1))
                }
                let closure = try await receiver.closure()
                #expect(closure.closeCode == 1006 && closure.code == "connection_lost")
                #expect(receiver.messages.allSatisfy { $0 == block })
                #expect(receiver.closures.count == 1)
            } catch let failure as WebSocketOpenFailure {
                #expect(["connection_lost", "handshake_ended"].contains(failure.closure.code))
                #expect(receiver.closures.isEmpty)
            }
            ended += 1
        }
        #expect(proxy.cuts >= 20)
    }
}
