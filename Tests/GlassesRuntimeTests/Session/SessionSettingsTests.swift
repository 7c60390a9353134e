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
}
