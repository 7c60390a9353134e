import GlassesAssistant
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionSettingsTests {
    @Test(
        arguments: [
            (nil, nil), ("local", nil), ("gpt-realtime", nil), ("gpt-realtime-2025-08-28", nil),
            ("gpt-realtime-mini", nil),
            ("gpt-realtime-2", "high"), ("gpt-realtime-2.1-mini", "high"), ("gpt-realtime-2-2026-01-01", "high"),
            ("gemini-live", "high"),
        ] as [(String?, String?)])
    func theEffortIsSentOnlyToModelsThatAreKnownToReason(model: String?, effort: String?) {
        let config = AssistantConfig(provider: .managed(model: model, reasoningEffort: .high))
        let settings = SessionSettings(
            config: config, connector: ScriptedProvider().connector, clock: ManualClock().port, seed: 1)
        #expect(settings.update(SessionChoices(config)).reasoning?.effort == effort)
        #expect(SessionChoices(config).model == model)
    }

    @Test(arguments: [true, false]) func theUsersSpeechIsTranscribedUnlessTheAppWantsNone(isWanted: Bool) {
        let builder = AssistantConfigBuilder(provider: .managed())
        if !isWanted { builder.transcribesInput = false }
        let settings = SessionSettings(
            config: builder.config, connector: ScriptedProvider().connector, clock: ManualClock().port, seed: 1)
        #expect(
            settings.update(SessionChoices(builder.config)).input.transcription
                == (isWanted ? .set(Transcription()) : .clear))
    }

    @Test(
        arguments: [(nil, .summarise), ("smart", .summarise), ("basic", .forget)] as [(String?, CompactionPlan)])
    func theMemoryOfASessionFollowsItsWordWhereTheCompactionIsAutomatic(word: String?, plan: CompactionPlan) {
        let builder = AssistantConfigBuilder(provider: .managed())
        builder.withinSessionMemory = word
        #expect(settings(builder.config).machine.compaction == plan)
        builder.historyCompaction = .custom { $0 }
        #expect(settings(builder.config).machine.compaction == .replace)
    }

    @Test func theReconnectPolicyOfTheAppReachesTheMachine() {
        let builder = AssistantConfigBuilder(provider: .managed())
        #expect(settings(builder.config).machine.reconnect == nil, "the standard one is in no trace")
        builder.reconnect.giveUpAfter = 5
        #expect(settings(builder.config).machine.reconnect == ReconnectConfig(giveUpAfter: 5))
    }

    private func settings(_ config: AssistantConfig) -> SessionSettings {
        SessionSettings(config: config, connector: ScriptedProvider().connector, clock: ManualClock().port, seed: 1)
    }
}
