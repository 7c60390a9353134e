import GlassesDomain
import Testing

@Suite struct AssistantConfigBuilderTests {
    private struct Arguments: Codable, Sendable { var count: Int }

    private func typedTool() -> ToolDefinition? {
        let builder = AssistantConfigBuilder(provider: .managed())
        builder.tool("count", description: "Counts.", schema: ["type": "object"], timeout: 3) {
            (arguments: Arguments) in
            .ok(String(arguments.count))
        }
        return builder.tools.first
    }

    @Test func theDefaultsAreTheDocumentedOnes() {
        let config = AssistantConfig(provider: .managed())
        #expect(config.silenceTimeout == 60)
        #expect(config.historyCap == 100)
        #expect(config.toolTimeout == 30)
        #expect(config.deviceReturnTimeout == 20)
        #expect(config.reconnect == ReconnectConfig(firstWait: 0.25, longestWait: 8, giveUpAfter: 60))
        #expect(config.withinSessionMemory == nil)
        #expect(config.includeDeviceInfoTool && config.endOnIntent && config.deviceInfoNote == nil)
        #expect(!config.startActive)
        #expect(config.greeting == .default)
        #expect(
            config.provider
                == .managed(
                    model: nil, voice: nil,
                    turnDetection: .serverVad(threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs: 500),
                    reasoningEffort: .low))
    }

    @Test func aTypedToolGetsItsArguments() async throws {
        let tool = try #require(typedTool())
        #expect(tool.timeout == 3)
        #expect(try await tool.body(["count": 3]) == .ok("3"))
    }

    @Test(
        arguments: [
            ([:], #""count" is missing."#), (["count": "three"], #""count" must be an integer."#),
            (["count": nil], #""count" must be an integer."#),
            (["count": 1.5], "one of the values is not allowed."),
        ] as [(JSONValue, String)])
    func argumentsThatDoNotDecodeAnswerWithTheFieldsName(arguments: JSONValue, part: String) async throws {
        let tool = try #require(typedTool())
        guard case .err(let message) = try await tool.body(arguments) else {
            Issue.record("the call must fail")
            return
        }
        #expect(message.contains(part), "\(message)")
    }

    @Test func jsonArgumentsComeAsTheyAre() async throws {
        let builder = AssistantConfigBuilder(provider: .managed())
        builder.tool("raw", description: "", schema: [:]) { (arguments: JSONValue) in .ok(arguments.jsonText) }
        let tool = try #require(builder.tools.first)
        #expect(try await tool.body(["b": [1, nil]]) == .ok(#"{"b":[1,null]}"#))
    }

    @Test func theShortFormSetsEveryField() {
        let builder = AssistantConfigBuilder(provider: .managed())
        builder.instructions = "Be kind."
        builder.startActive = true
        builder.sleepAfterSilence(5)
        builder.sleepOnPhrase("good night")
        builder.sleepOnPhrase("bye")
        builder.onWake { _ in }
        builder.onSleep { _ in }
        #expect(builder.config.silenceTimeout == 5)
        #expect(builder.config.sleepPhrases == ["good night", "bye"])
        #expect(builder.config.onWake != nil && builder.config.onSleep != nil)
        builder.neverSleep()
        builder.reconnect = .never
        builder.withinSessionMemory = "basic"
        builder.includeDeviceInfoTool = false
        builder.deviceInfoNote = ""
        builder.fallbackGreeting = "Hi."
        #expect(builder.config.silenceTimeout == nil)
        #expect(builder.config.reconnect.giveUpAfter == 0)
        #expect(builder.config.withinSessionMemory == "basic")
        #expect(!builder.config.includeDeviceInfoTool && builder.config.deviceInfoNote == "")
        #expect(builder.config.fallbackGreeting == "Hi.")
    }

    @Test func aFailedCaptureEndsAToolBodyWithItsSentence() throws {
        let failed = ExtentosResult<Int, CaptureError>.failure(.streamPaused)
        #expect(throws: ToolError(captureErrorMessage(error: .streamPaused))) { try failed.orToolError() }
        #expect(try ExtentosResult<Int, CaptureError>.success(3).orToolError() == 3)
    }
}
