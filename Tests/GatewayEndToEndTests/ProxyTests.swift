import Foundation
import GlassesDomain
import NetworkLab
import Testing

@_spi(ExtentosTools) @testable import GlassesCore

/// Conversations through HTTP proxies.
@Suite(.serialized) struct ProxyTests {
    private static func url(of proxy: ProxyProcess, password: String) -> URL? {
        URL(string: "http://\(ProxyProcess.user):\(password)@127.0.0.1:\(proxy.port)")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func aConversationGoesThroughAProxyThatWantsAPassword(isEncrypted: Bool) async throws {
        let lab = try await CertificateLab.shared()
        let gateway = try GatewayProcess(
            isEncrypted ? ["--tls-cert", lab.server.certificate, "--tls-key", lab.server.key] : [])
        let url = try await gateway.start()
        let proxy = try await ProxyProcess()
        let tools = ConversationTools()
        let endpoint = GatewayEndpoint(
            url: url, authorities: lab.authority,
            proxy: .url(try #require(Self.url(of: proxy, password: ProxyProcess.password))))
        let live = try await LiveSession(Extentos.connector(to: endpoint)) { tools.add(to: $0) }
        let script = try ConversationScript(resource: "conversation.txt")
        let speech = Speech()
        try await Conversation(script: script, live: live, speech: speech).hold()
        #expect(tools.bodiesRun.count == script.steps.count)
        #expect(live.losses == 0)
        await live.end()
        await speech.shutdown()
        proxy.stop()
    }

    @Test(.timeLimit(.minutes(1)))
    func aWrongProxyPasswordIsSaidToBeOneWithoutRepeatingIt() async throws {
        let proxy = try await ProxyProcess()
        let url = try #require(URL(string: "ws://127.0.0.1:9/v1"))
        let endpoint = GatewayEndpoint(url: url, proxy: .url(try #require(Self.url(of: proxy, password: "wr0ng"))))
        do {
            _ = try await Extentos.connector(to: endpoint).connect(RealtimeRequest())
            Issue.record("the proxy let it through")
        } catch let closure as ConnectionClosure {
            #expect(closure.code == "proxy_failed")
            #expect(!closure.message.contains("wr0ng"))
        }
        proxy.stop()
    }

    @Test(.timeLimit(.minutes(6)))
    func aConversationCompletesThroughAProxyThatCutsEveryConnection() async throws {
        let gateway = try GatewayProcess()
        try await gateway.start()
        let proxy = try CuttingProxy(target: gateway.port, seed: 7, lifetimes: 1_000...6_000)
        // Who comes through a forwarder calls the gateway by the forwarder's address.
        gateway.kill()
        try await gateway.start(["--host", "127.0.0.1:\(proxy.port)"])
        let tools = ConversationTools()
        let endpoint = GatewayEndpoint(url: try #require(URL(string: "ws://127.0.0.1:\(proxy.port)/v1")))
        let live = try await LiveSession(Extentos.connector(to: endpoint)) { tools.add(to: $0) }
        let script = try ConversationScript(resource: "conversation.txt")
        let speech = Speech()
        try await Conversation(script: script, live: live, speech: speech).hold()
        #expect(tools.bodiesRun == ["get_time", "set_timer", "take_picture", "get_time"])
        print("the proxy has cut \(proxy.cuts) connections")
        #expect(proxy.cuts > 1)
        await live.end()
        await speech.shutdown()
        proxy.stop()
    }
}
