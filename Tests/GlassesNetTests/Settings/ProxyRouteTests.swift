import Testing

@testable import GlassesNet

struct ProxyRouteTests {
    @Test("The environment names the proxy of each scheme, lower case first")
    func environment() {
        let environment = [
            "http_proxy": "http://plain:1", "HTTPS_PROXY": "http://upper:2", "all_proxy": "http://all:3",
            "no_proxy": "localhost,.example", "HTTP_PROXY": "http://attacker:4",
        ]
        let plain = ProxyRoute(.environment, scheme: "http", environment: environment)
        #expect(plain.proxy == Proxy(url: "http://plain:1") && plain.exceptions == "localhost,.example")
        #expect(
            ProxyRoute(.environment, scheme: "https", environment: environment).proxy == Proxy(url: "http://upper:2"))
        #expect(
            ProxyRoute(.environment, scheme: "https", environment: ["ALL_PROXY": "http://a"]).proxy
                == Proxy(url: "http://a"))
        #expect(
            ProxyRoute(.environment, scheme: "http", environment: ["HTTP_PROXY": "http://attacker"]).proxy == nil)
        #expect(ProxyRoute(.environment, scheme: "http", environment: ["http_proxy": ""]).proxy == nil)
    }

    @Test("A choice of the app's own is not changed by the environment")
    func ownChoice() {
        let environment = ["http_proxy": "http://plain:1", "no_proxy": "*"]
        let fixed = Proxy(url: "http://own:1", user: "u", password: "p")
        let route = ProxyRoute(.fixed(fixed), scheme: "http", environment: environment)
        #expect(route.proxy == fixed && route.exceptions.isEmpty)
        #expect(ProxyRoute(.none, scheme: "http", environment: environment).proxy == nil)
        #expect(!"\(fixed)".contains("own"))
    }
}
