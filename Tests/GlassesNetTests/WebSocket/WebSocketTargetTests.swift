import Foundation
import Testing

@testable import GlassesNet

struct WebSocketTargetTests {
    @Test(
        "A URL becomes the parts that the connection needs",
        arguments: [
            ("ws://host/a/b?c=d%20e#f", "http://host/", "host", "/a/b?c=d%20e"),
            ("WSS://Host:8443", "https://Host:8443/", "Host:8443", "/"),
            ("wss://[::1]:9/x", "https://[::1]:9/", "[::1]:9", "/x"), ("ws://[::1]/x", "http://[::1]/", "[::1]", "/x"),
        ])
    func parts(text: String, connect: String, authority: String, path: String) throws {
        let target = try WebSocketTarget(try #require(URL(string: text)))
        #expect(target.connectURL == connect)
        #expect(target.authority == authority)
        #expect(target.path == path)
    }

    @Test(
        "A URL that is no WebSocket's is refused",
        arguments: ["http://a", "ws:///x", "ws://u:p@a", "ws://a:0", "ws://a:70000"])
    func refused(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: NetworkError.self) { try WebSocketTarget(url) }
    }

    @Test(
        "Only a redirect to the same scheme, host and port is of the same origin",
        arguments: [
            ("/v2?x=1", "wss://gw.example/v2"), ("https://gw.example:443/v2", "wss://gw.example/v2"),
            ("wss://GW.example/", "wss://gw.example/"), ("http://gw.example/v2", nil), ("https://gw.example:8/", nil),
            ("https://other.example/", nil), ("//other.example/", nil), ("javascript:alert(1)", nil),
        ] as [(String, String?)])
    func origin(location: String, place: String?) throws {
        let target = try WebSocketTarget(try #require(URL(string: "wss://gw.example/v1")))
        #expect(target.sameOrigin(location: location) == place)
    }
}
