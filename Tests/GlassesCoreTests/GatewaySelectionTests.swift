import Foundation
import GlassesDomain
import Testing

@testable import GlassesCore

@Suite struct GatewaySelectionTests {
    private static let url = "wss://gateway.example/v1"

    private func endpoint(_ selection: GatewaySelection) -> GatewayEndpoint? {
        if case .remote(let endpoint, _) = selection.provider { endpoint } else { nil }
    }

    @Test(arguments: [[:], ["EXTENTOS_GATEWAY_URL": ""], ["EXTENTOS_GATEWAY_URL": " ", "EXTENTOS_GATEWAY_TOKEN": "t"]])
    func autoWithoutAURLIsThisProcess(environment: [String: String]) {
        let selection = GatewaySelection(.auto, environment: environment)
        #expect(selection.destination == .thisMachine)
        #expect(selection.source == "fallback_default")
        #expect(selection.problem == nil)
    }

    @Test func autoTakesURLTokenAndAuthoritiesFromTheEnvironment() async throws {
        let selection = GatewaySelection(
            .auto,
            environment: [
                "EXTENTOS_GATEWAY_URL": Self.url, "EXTENTOS_GATEWAY_TOKEN": "token-1\n",
                "EXTENTOS_GATEWAY_CA": "/ca.pem",
            ])
        #expect(selection.source == "environment")
        #expect(selection.destination == .gateway(try GatewayAddress(text: Self.url)))
        let endpoint = try #require(self.endpoint(selection))
        #expect(try await endpoint.token?() == "token-1")
        #expect(endpoint.authorities == "/ca.pem")
        #expect(endpoint.proxy == .environment)
    }

    @Test func anExplicitChoiceDoesNotLookAtTheEnvironment() async throws {
        let environment = ["EXTENTOS_GATEWAY_URL": "wss://other.example", "EXTENTOS_GATEWAY_TOKEN": "other"]
        #expect(GatewaySelection(.embedded, environment: environment).destination == .thisMachine)
        let url = try #require(URL(string: Self.url))
        let without = GatewaySelection(.url(url), environment: environment)
        #expect(without.source == "explicit_config")
        #expect(endpoint(without)?.token == nil)
        let constant = GatewaySelection(.url(url, token: "mine", proxy: .none), environment: environment)
        #expect(try await endpoint(constant)?.token?() == "mine")
        #expect(endpoint(constant)?.proxy == GatewayProxy.none)
    }

    @Test("An endpoint's capabilities are the connector's")
    func capabilities() throws {
        let url = try #require(URL(string: Self.url))
        let mine = RealtimeCapabilities.speechToSpeech.with {
            $0.ceilingMinutes = 15
            $0.leavesTurnsToClient = false
        }
        let other = GatewaySelection(.url(url, capabilities: mine), environment: [:])
            .connector(embedded: .failingForTests)
        #expect(other.capabilities == mine)
        #expect(other.sessionCeiling == .seconds(900))
        #expect(!other.leavesTurnsToClient)
        let usual = GatewaySelection(.url(url, token: "t"), environment: [:]).connector(embedded: .failingForTests)
        #expect(usual.capabilities == .openAI)
        #expect(usual.sessionCeiling == .seconds(3_600))
        #expect(usual.leavesTurnsToClient)
    }

    @Test("A header field that cannot be sent serves nothing, and is named without its value")
    func unusableHeader() throws {
        let url = try #require(URL(string: Self.url))
        let selection = GatewaySelection(.url(url, headers: [GatewayHeader("api-key", "secret\n")]), environment: [:])
        #expect(selection.problem?.code == "invalid_header")
        #expect(selection.problem?.message.contains("api-key") == true)
        #expect(selection.problem?.message.contains("secret") == false)
    }

    @Test(arguments: [
        (["EXTENTOS_GATEWAY_URL": "gateway.example"], "invalid_url", "EXTENTOS_GATEWAY_URL"),
        (["EXTENTOS_GATEWAY_URL": "wss://user:secret-word@gateway.example"], "invalid_url", "EXTENTOS_GATEWAY_URL"),
        (
            ["EXTENTOS_GATEWAY_URL": url, "EXTENTOS_GATEWAY_TOKEN": "secret-word and more"], "invalid_token",
            "EXTENTOS_GATEWAY_TOKEN"
        ),
    ])
    func anUnusableVariableServesNothingAndIsNamedWithoutItsValue(
        environment: [String: String], code: String, name: String
    ) async throws {
        let selection = GatewaySelection(.auto, environment: environment)
        #expect(selection.destination == .nowhere)
        let problem = try #require(selection.problem)
        #expect(problem.code == code)
        #expect(problem.message.contains(name))
        #expect(!problem.message.contains("secret-word"))
        let embedded = GatewaySelection(.auto, environment: [:])
        let connector = selection.connector(
            embedded: RealtimeConnector(
                providerName: "wrong", defaultModel: nil, audioDestination: "", canCompose: false,
                connect: { _ in throw ConnectionClosure(code: "wrong", message: "") }))
        #expect(embedded.problem == nil)
        await #expect(throws: problem) { _ = try await connector.connect(RealtimeRequest()) }
    }

    @Test(
        arguments: [
            ("wss://live.example/ws/vendor.v1.Service.BidiGenerateContent", nil, "model_required"),
            ("wss://live.example", .gemini, "model_required"),
        ] as [(String, RealtimeDialect?, String)])
    func anEndpointOfGeminiLiveIsSpokenToInItsDialect(
        _ url: String, _ dialect: RealtimeDialect?, _ code: String
    ) async throws {
        let endpoint = GatewayEndpoint(url: try #require(URL(string: url)), proxy: .none, dialect: dialect)
        let selection = GatewaySelection(.remote(endpoint), environment: [:])
        let embedded = RealtimeConnector(
            providerName: "wrong", defaultModel: nil, audioDestination: "", canCompose: false,
            connect: { _ in throw ConnectionClosure(code: "wrong", message: "") })
        let connector = selection.connector(embedded: embedded)
        #expect(connector.providerName == "live.example")
        // Only this dialect wants to know the model before it connects.
        let closure = await #expect(throws: ConnectionClosure.self) {
            _ = try await connector.connect(RealtimeRequest())
        }
        #expect(closure?.code == code)
    }

    @Test(arguments: ["socks5://proxy.example", "proxy.example:3128", "http:///x"])
    func anUnusableProxyServesNothing(proxy: String) throws {
        let url = try #require(URL(string: Self.url))
        let selection = GatewaySelection(.url(url, proxy: .url(try #require(URL(string: proxy)))), environment: [:])
        #expect(selection.problem?.code == "invalid_url")
        #expect(selection.problem?.message.contains("proxy") == true)
    }

    @Test func aGatewayThatCannotBeUsedIsAnnouncedAndFailsTheStartForGood() async throws {
        let url = try #require(URL(string: "ftp://gateway.example"))
        let glasses = Extentos.create(
            config: ExtentosConfig(transport: .plugin(id: "org.extentos.loopback"), gateway: .url(url)))
        var announced: [String: JSONValue] = [:]
        for case .log(_, let message, let payload) in await glasses.runtime.snapshotEvents() {
            announced[message] = payload
        }
        #expect(announced["audio.destination"] == AudioDestination.nowhere.payload)
        #expect(announced["gateway.unusable"]?["code"] == "invalid_url")
        #expect(await glasses.connect().failure == nil)
        do {
            _ = try await glasses.assistant.start(provider: .managed()) { $0.startActive = true }
            Issue.record("the start must fail")
        } catch let error as AssistantError {
            #expect(error.description.contains("wss://"))
        }
        await glasses.shutdown()
    }
}

extension RealtimeConnector {
    fileprivate static let failingForTests = RealtimeConnector(
        providerName: "embedded", defaultModel: nil, audioDestination: "", canCompose: false
    ) { _ in
        throw ConnectionClosure(code: "test", message: "Not here.")
    }
}
