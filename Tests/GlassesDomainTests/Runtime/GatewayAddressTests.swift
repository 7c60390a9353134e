import Foundation
import GlassesDomain
import Testing

@Suite struct GatewayAddressTests {
    @Test(arguments: [
        ("wss://gateway.example/v1", "wss://gateway.example/v1/realtime"),
        ("wss://gateway.example/v1/", "wss://gateway.example/v1/realtime"),
        ("https://gateway.example/v1/realtime", "wss://gateway.example/v1/realtime"),
        ("http://127.0.0.1:8080", "ws://127.0.0.1:8080/realtime"),
        ("WSS://gateway.example/v1/realtime/", "wss://gateway.example/v1/realtime"),
        ("wss://gateway.example/v1?model=a%20b", "wss://gateway.example/v1/realtime?model=a%20b"),
        ("ws://[::1]:9/a%2Fb", "ws://[::1]:9/a%2Fb/realtime"),
    ])
    func aBaseURLLeadsToItsRealtimeEndpoint(base: String, endpoint: String) throws {
        #expect(try GatewayAddress(text: base).url.absoluteString == endpoint)
        #expect(try GatewayAddress(#require(URL(string: base))).url.absoluteString == endpoint)
    }

    @Test(arguments: [
        ("wss://gateway.example/v1", "gateway.example", 443, true, false, "gateway.example"),
        ("ws://gateway.example/v1", "gateway.example", 80, false, false, "gateway.example"),
        ("ws://localhost:8080/v1", "localhost", 8080, false, true, "localhost:8080"),
        ("wss://[::1]:1/v1", "::1", 1, true, true, "[::1]:1"),
        ("ws://127.3.2.1", "127.3.2.1", 80, false, true, "127.3.2.1"),
        ("ws://127.example", "127.example", 80, false, false, "127.example"),
        ("ws://127.0.0.1.example", "127.0.0.1.example", 80, false, false, "127.0.0.1.example"),
        ("ws://localhost.example", "localhost.example", 80, false, false, "localhost.example"),
    ])
    func hostPortAndProtectionComeFromTheURL(
        text: String, host: String, port: Int, isEncrypted: Bool, isLoopback: Bool, name: String
    ) throws {
        let address = try GatewayAddress(text: text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isEncrypted == isEncrypted)
        #expect(address.isLoopback == isLoopback)
        #expect(address.displayName == name)
    }

    @Test(arguments: [
        "", "gateway.example:8080/v1", "ftp://gateway.example", "wss://", "wss:///v1", "wss://a b/", "ws://h:0/",
        "ws://h:65536/",
        "wss://h/#part", "wss://user:secret-word@h/v1", "wss://secret-word@h/v1", "embedded", "\u{0}",
    ])
    func anUnusableURLIsRefusedWithoutRepeatingIt(text: String) {
        do throws(ConnectionClosure) {
            _ = try GatewayAddress(text: text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.code == "invalid_url")
            #expect(error.message.hasSuffix("wss://gateway.example/v1."))
            #expect(!error.message.contains("secret-word"))
        }
    }
}

@Suite struct GatewayEndpointTests {
    @Test func aDescriptionNamesHostsAndNoSecret() throws {
        let proxy = GatewayProxy.url(try #require(URL(string: "http://user:secret-word@proxy.example:1")))
        let url = try #require(URL(string: "wss://gateway.example/v1?key=secret-word"))
        let endpoint = GatewayEndpoint(url: url, token: { "secret-word" }, proxy: proxy)
        #expect("\(proxy)" == "the proxy at proxy.example")
        #expect("\(endpoint)" == "the gateway at gateway.example")
        #expect("\([GatewayChoice.remote(endpoint)])".contains("secret-word") == false)
    }
}

@Suite struct AudioDestinationTests {
    @Test(arguments: [
        ("wss://gateway.example/v1", "Audio goes to gateway.example over TLS.", true),
        ("wss://localhost:1/v1", "Audio goes to a gateway on this machine, localhost:1, over TLS.", true),
        ("ws://127.0.0.1:1/v1", "Audio goes to a gateway on this machine, 127.0.0.1:1, unencrypted.", false),
        (
            "ws://gateway.example/v1",
            "Audio goes to gateway.example unencrypted: whoever is on the way can listen. Use wss://.", false
        ),
    ])
    func aGatewayIsNamedWithItsProtection(text: String, sentence: String, isEncrypted: Bool) throws {
        let destination = AudioDestination.gateway(try GatewayAddress(text: text))
        #expect(destination.sentence == sentence)
        #expect(destination.payload["message"] == .string(sentence))
        #expect(destination.payload["encrypted"] == .bool(isEncrypted))
        #expect(destination.payload["gateway"] == "remote")
    }

    @Test func audioThatGoesToNoGatewayHasNoHost() {
        #expect(
            AudioDestination.thisMachine.payload == [
                "message": "Audio stays on this machine.", "gateway": "embedded", "host": nil, "port": nil,
                "encrypted": nil, "textHost": nil, "textEncrypted": nil,
            ])
        #expect(AudioDestination.nowhere.payload["gateway"] == "none")
        #expect(AudioDestination.nowhere.payload["host"] == .null)
    }
}
