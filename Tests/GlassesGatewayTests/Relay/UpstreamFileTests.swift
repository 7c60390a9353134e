import GlassesDomain
import Testing

@testable import GlassesGateway

@Suite("Upstream file")
struct UpstreamFileTests {
    private let folder: PrivateFolder

    init() throws { folder = try PrivateFolder() }

    private func load(_ text: String, environment: [String: String] = ["KEY": "sk-test-key"]) throws -> Upstreams {
        try UpstreamFile.load(try folder.write(text, to: "upstream.json"), environment: environment)
    }

    private func model(_ fields: String) -> String { "{\"models\": {\"fast\": {\(fields)}}}" }

    @Test("a model has an address with its path and model, a key and what the upstream can do")
    func model() throws {
        let upstreams = try load(
            """
            {"default": "fast", "models": {"fast": {
              "url": "https://api.example.com/v1/?region=eu", "dialect": "openai", "model": "their model",
              "key": {"env": "KEY", "header": "api-key"}, "capabilities": {"truncate": false}}}}
            """)
        let upstream = try #require(upstreams.models["fast"])
        #expect(upstream.url == "wss://api.example.com/v1/realtime?region=eu&model=their%20model")
        #expect(upstream.host == "api.example.com")
        #expect(upstream.key == "sk-test-key")
        #expect(upstream.keyHeader == .apiKey)
        #expect(upstream.capabilities == Upstream.Capabilities(truncate: false))
        #expect(upstreams.defaultModel == "fast")
        #expect(upstreams.hosts == ["api.example.com"])
    }

    @Test("header fields and what the upstream lacks are read, and secrets come from the environment")
    func headers() throws {
        let upstreams = try load(
            model(
                #""url": "wss://a.example/v1", "model": "m", "headers": {"X-Region": "west", "api-key": {"env": "KEY"}}, "#
                    + #""capabilities": {"cancel_by_name": false, "nested_voice": false}"#))
        let upstream = try #require(upstreams.models["fast"])
        #expect(upstream.headers == [GatewayHeader("X-Region", "west"), GatewayHeader("api-key", "sk-test-key")])
        #expect(upstream.headerSecrets == ["sk-test-key"])
        #expect(upstream.capabilities == Upstream.Capabilities(cancelByName: false, nestedVoice: false))
    }

    @Test(
        "the path is completed where it is not complete, and a model in the query stays",
        arguments: [
            ("wss://a.example", "wss://a.example/realtime?model=m"),
            ("wss://a.example/v1/realtime", "wss://a.example/v1/realtime?model=m"),
            ("wss://a.example/openai/v1?deployment=d", "wss://a.example/openai/v1/realtime?deployment=d"),
            ("ws://127.0.0.1:9/v1", "ws://127.0.0.1:9/v1/realtime?model=m"),
            ("http://[::1]:9/v1", "ws://[::1]:9/v1/realtime?model=m"),
        ])
    func address(_ written: String, _ connected: String) throws {
        let upstreams = try load(model(#""url": "\#(written)", "model": "m", "key": {"env": "KEY"}"#))
        #expect(upstreams.models["fast"]?.url == connected)
    }

    @Test("a key comes from a private file, without the line's end")
    func keyFile() throws {
        let path = try folder.write("sk-from-file\n", to: "key")
        let upstreams = try load(model(#""url": "wss://a.example/v1", "model": "m", "key": {"file": "\#(path)"}"#))
        #expect(upstreams.models["fast"]?.key == "sk-from-file")
        let open = try folder.write("sk-from-file\n", to: "open", mode: 0o644)
        let error = try #require(throws: GatewayError.self) {
            try load(model(#""url": "wss://a.example/v1", "model": "m", "key": {"file": "\#(open)"}"#))
        }
        #expect(error.code == "file_not_private")
    }

    @Test(
        "the dialect decides on the path and on where the key stands",
        arguments: [
            (#""url": "wss://a.example/v1""#, .openAI, "wss://a.example/v1/realtime?model=m", .authorization),
            (
                #""url": "wss://a.example/v1", "dialect": "beta""#, .beta, "wss://a.example/v1/realtime?model=m",
                .authorization
            ),
            (#""url": "wss://a.example", "dialect": "gemini""#, .gemini, "wss://a.example\(geminiPath)", .googleKey),
            (
                #""url": "wss://a.example/ws/x.BidiGenerateContent", "dialect": "gemini""#, .gemini,
                "wss://a.example/ws/x.BidiGenerateContent", .googleKey
            ),
        ] as [(String, Upstream.Dialect, String, Upstream.KeyHeader)])
    func dialects(_ fields: String, _ dialect: Upstream.Dialect, _ url: String, _ header: Upstream.KeyHeader) throws {
        let key = #""model": "m", "key": {"env": "KEY"}, "#
        let upstream = try #require(try load(model(key + fields)).models["fast"])
        #expect(upstream.dialect == dialect && upstream.url == url && upstream.keyHeader == header)
    }

    private static let geminiPath = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"

    @Test(
        "a wrong file is refused with the place of the fault",
        arguments: [
            ("{\"models\": {\n  \"fast\": nothing}}", "line 2"),
            ("[]", "the file: write an object"),
            ("{}", "models: the field is missing"),
            ("{\"models\": {}}", "models: write an object with at least one model"),
            ("{\"models\": {\"local\": {}}}", "models.local: the name 'local' is taken"),
            ("{\"modles\": {}}", "unknown field 'modles'"),
            ("{\"models\": {\"fast\": {\"model\": \"m\"}}}", "models.fast.url: the field is missing"),
            ("{\"models\": {\"fast\": {\"url\": \"wss://a.example\"}}}", "models.fast.model: the field is missing"),
            (
                "{\"models\": {\"fast\": {\"url\": \"wss://a.example\", \"model\": 7}}}",
                "models.fast.model: write a text"
            ),
            (
                "{\"default\": \"slow\", \"models\": {\"fast\": {\"url\": \"wss://a.example\", \"model\": \"m\"}}}",
                "default: no model is called 'slow'"
            ),
        ])
    func wrong(_ text: String, _ place: String) throws {
        let error = try #require(throws: GatewayError.self) { try load(text) }
        #expect(error.code == "upstream_invalid")
        #expect(error.message.contains(place))
        #expect(error.message.contains("upstream.json"))
    }

    @Test(
        "a wrong field of a model is refused by its name",
        arguments: [
            (#""url": "ftp://a.example""#, "models.fast.url"), (#""url": "wss:""#, "models.fast.url"),
            (#""url": "wss://user:pass@a.example""#, "write the key as 'key'"),
            (#""url": "wss://a.example/v1#x""#, "leave the part behind #"),
            (#""url": "ws://a.example/v1", "key": {"env": "KEY"}"#, "send the key in the clear"),
            (#""url": "ws://127.a.example/v1", "key": {"env": "KEY"}"#, "send the key in the clear"),
            (#""url": "wss://a.example", "dialect": "morse""#, "models.fast.dialect: write \"openai\", \"beta\""),
            (#""url": "wss://a.example", "key": "sk-live""#, "models.fast.key: write an object"),
            (#""url": "wss://a.example", "key": {}"#, "write either"),
            (#""url": "wss://a.example", "key": {"env": "KEY", "file": "x"}"#, "write either"),
            (#""url": "wss://a.example", "key": {"env": "NO_SUCH"}"#, "NO_SUCH is not set"),
            (#""url": "wss://a.example", "key": {"env": "BROKEN"}"#, "holds no key"),
            (#""url": "wss://a.example", "key": {"env": "KEY", "header": "cookie"}"#, "models.fast.key.header"),
            (#""url": "wss://a.example", "capabilities": {"truncate": "no"}"#, "models.fast.capabilities.truncate"),
            (#""url": "wss://a.example", "capabilities": {"fly": true}"#, "unknown field 'fly'"),
            (#""url": "wss://a.example", "headers": {"Host": "x"}"#, "'Host' belongs to the connection"),
            (#""url": "wss://a.example", "headers": {"api-key": "sk-\n"}"#, "models.fast.headers"),
            (#""url": "wss://a.example", "headers": {"api-key": {"env": "NO_SUCH"}}"#, "NO_SUCH is not set"),
            (#""url": "ws://a.example", "headers": {"api-key": "sk-1"}"#, "send the key in the clear"),
        ])
    func wrongField(_ fields: String, _ place: String) throws {
        let error = try #require(throws: GatewayError.self) {
            try load(model("\"model\": \"m\", " + fields), environment: ["KEY": "sk-test-key", "BROKEN": "a b"])
        }
        #expect(error.message.contains(place), "\(error.message)")
        #expect(!error.message.contains("sk-"))
    }

    @Test("a file that others can write is refused: it decides where keys are sent")
    func writable() throws {
        let path = try folder.write("{}", to: "upstream.json", mode: 0o666)
        let error = try #require(throws: GatewayError.self) { try UpstreamFile.load(path, environment: [:]) }
        #expect(error.code == "file_not_private")
    }

    @Test("chat models are listed beside the others, or alone")
    func chat() throws {
        let upstreams = try load(
            """
            {"chat": {"default": "small", "models": {"small": {
              "url": "wss://api.example.com/v1", "model": "their model", "key": {"env": "KEY"}}}}}
            """)
        #expect(upstreams.models.isEmpty)
        let chat = try #require(upstreams.chat)
        #expect(chat.models["small"]?.url == "https://api.example.com/v1/chat/completions")
        #expect(chat.models["small"]?.key == "sk-test-key")
        #expect(chat.defaultModel == "small")
        #expect(upstreams.chatHosts == ["api.example.com"])
    }

    @Test(
        "a fault in a chat model names its place",
        arguments: [
            (#"{"chat": {}}"#, "chat.models"), (#"{"chat": {"models": {}}}"#, "chat.models"),
            (#"{"chat": {"models": {"local": {}}}}"#, "chat.models.local"),
            (#"{"chat": {"models": {"s": {"url": "https://a/v1"}}}}"#, "chat.models.s.model"),
            (#"{"chat": {"models": {"s": {"url": "ftp://a/v1", "model": "m"}}}}"#, "chat.models.s.url"),
            (
                #"{"chat": {"models": {"s": {"url": "http://a/v1", "model": "m", "key": {"env": "KEY"}}}}}"#,
                "chat.models.s.url"
            ),
            (#"{"chat": {"default": "x", "models": {"s": {"url": "https://a", "model": "m"}}}}"#, "chat.default"),
        ])
    func chatFault(text: String, place: String) throws {
        let error = try #require(throws: GatewayError.self) { try load(text) }
        #expect(error.message.contains(place), "\(error.message)")
    }
}
