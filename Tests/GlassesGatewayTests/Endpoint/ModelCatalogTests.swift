import GlassesServer
import Testing

@testable import GlassesGateway

@Suite("Model catalog")
struct ModelCatalogTests {
    private static let upstream = Upstream(
        url: "wss://a.example/realtime", host: "a.example", model: "theirs", key: nil, keyHeader: .authorization,
        certificateAuthority: nil, capabilities: .init())

    private func catalog(default name: String? = nil) -> ModelCatalog {
        ModelCatalog(upstreams: Upstreams(models: ["fast": Self.upstream], defaultModel: name))
    }

    @Test(
        "without upstreams every name is served here, under that name", arguments: [nil, "local", "gpt-realtime-2.1"])
    func foreignName(_ name: String?) {
        #expect(ModelCatalog(upstreams: nil).destination(of: name) == .pipeline(name: name ?? "local"))
    }

    @Test("with upstreams a name is its upstream, 'local' is this machine, and an unknown one is nothing")
    func listed() {
        #expect(catalog().destination(of: "fast") == .upstream(Self.upstream))
        #expect(catalog().destination(of: "local") == .pipeline(name: "local"))
        #expect(catalog().destination(of: nil) == .pipeline(name: "local"))
        #expect(catalog().destination(of: "gpt-realtime") == nil)
        #expect(catalog().unknownModel.status == 404)
    }

    @Test("a default serves those that name nothing known", arguments: [nil, "gpt-realtime"])
    func defaultModel(_ name: String?) {
        #expect(catalog(default: "fast").destination(of: name) == .upstream(Self.upstream))
        #expect(catalog(default: "local").destination(of: name) == .pipeline(name: "local"))
    }
}
