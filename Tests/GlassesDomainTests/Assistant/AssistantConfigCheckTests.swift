import GlassesDomain
import Testing

@Suite struct AssistantConfigCheckTests {
    private struct Case: Sendable {
        var field: String
        var change: @Sendable (inout AssistantConfig) -> Void
    }

    /// The original traps on the first two; the others are numbers and words that no session can work with.
    private static let wrong: [Case] = [
        Case(field: "silenceTimeout") { $0.silenceTimeout = 0 },
        Case(field: "silenceTimeout") { $0.silenceTimeout = -1 },
        Case(field: "silenceTimeout") { $0.silenceTimeout = .nan },
        Case(field: "silenceTimeout") { $0.silenceTimeout = .infinity },
        Case(field: "historyCap") { $0.historyCap = 0 },
        Case(field: "historyCap") { $0.historyCap = .min },
        Case(field: "maxConcurrentTools") { $0.maxConcurrentTools = 0 },
        Case(field: "maxConcurrentTools") { $0.maxConcurrentTools = 9 },
        Case(field: "toolTimeout") { $0.toolTimeout = 0 },
        Case(field: "deviceReturnTimeout") { $0.deviceReturnTimeout = .nan },
        Case(field: "tools.slow.timeout") {
            $0.tools = [ToolDefinition(name: "slow", description: "", timeout: -3) { _ in .ok("") }]
        },
        Case(field: "reconnect.firstWait") { $0.reconnect.firstWait = 0 },
        Case(field: "reconnect.firstWait") { $0.reconnect.firstWait = .nan },
        Case(field: "reconnect.longestWait") { $0.reconnect.longestWait = 0.2 },
        Case(field: "reconnect.longestWait") { $0.reconnect.longestWait = 601 },
        Case(field: "reconnect.giveUpAfter") { $0.reconnect.giveUpAfter = -1 },
        Case(field: "reconnect.giveUpAfter") { $0.reconnect.giveUpAfter = .infinity },
        Case(field: "withinSessionMemory") { $0.withinSessionMemory = "clever" },
        Case(field: "turnDetection.threshold") {
            $0.provider = .managed(turnDetection: .serverVad(threshold: .nan))
        },
        Case(field: "turnDetection.prefixPaddingMs") {
            $0.provider = .managed(turnDetection: .serverVad(prefixPaddingMs: -1))
        },
        Case(field: "turnDetection.silenceDurationMs") {
            $0.provider = .managed(turnDetection: .serverVad(silenceDurationMs: 0))
        },
    ]

    @Test(arguments: wrong.indices) func aValueThatCannotBeMeantIsNamed(index: Int) {
        var config = AssistantConfig(provider: .managed())
        Self.wrong[index].change(&config)
        let problem = config.problem
        #expect(problem?.field == Self.wrong[index].field)
        #expect(problem?.description.hasPrefix("\(Self.wrong[index].field) must be ") == true)
        #expect(problem?.blame == .local)
    }

    @Test func theBoundsThemselvesAreAllowed() {
        var config = AssistantConfig(
            provider: .managed(
                turnDetection: .serverVad(threshold: 0, prefixPaddingMs: 0, silenceDurationMs: 1)))
        #expect(config.problem == nil)
        config.silenceTimeout = nil
        config.historyCap = 1
        config.maxConcurrentTools = 1
        config.toolTimeout = 0.001
        config.reconnect = ReconnectConfig(firstWait: 0.01, longestWait: 0.01, giveUpAfter: 0)
        config.withinSessionMemory = "basic"
        #expect(config.problem == nil)
        config.reconnect = ReconnectConfig(firstWait: 60, longestWait: 600, giveUpAfter: 86_400)
        config.withinSessionMemory = "smart"
        #expect(config.problem == nil)
    }
}
