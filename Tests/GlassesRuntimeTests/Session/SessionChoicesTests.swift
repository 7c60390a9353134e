import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

/// Live swaps, as the app makes them and as the provider sees them.
@Suite struct SessionChoicesTests {
    @Test func instructionsChangeOnTheOpenConnectionAndOnTheNextOne() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.instructions = "Be kind." }
        try await session.updateInstructions("Be brief.")
        #expect(harness.connection?.session.instructions.hasPrefix("Be brief.") == true)
        #expect(harness.provider.connections.count == 1)
        harness.dropConnection()
        await eventually("the session is back") {
            harness.clock.advance(by: .milliseconds(100))
            return harness.provider.connections.count == 2 && session.state.current == .active
        }
        #expect(harness.connection?.session.instructions.hasPrefix("Be brief.") == true)
        await session.stop()
    }

    @Test func aVoiceChangesByAConnectionThatTakesTheOldOnesPlace() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        try await session.setVoice("marin")
        await eventually("another connection is in use") {
            harness.clock.advance(by: .milliseconds(100))
            return harness.provider.connections.count == 2 && !harness.provider.connections[0].isOpen
        }
        #expect(harness.connection?.session.output.voice == .named("marin"))
        #expect(session.state.current == .active)
        await eventually("the change is told") { harness.events.contains { $0.name == "reconnected" } }
        await session.stop()
    }

    @Test func anotherModelSeesAndReasonsAsItCan() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        #expect(!session.modelSupportsVideoInput)
        try await session.setReasoningEffort(.high)
        #expect(harness.connection?.session.reasoning == nil)
        try await session.setModel("gemini-3.1-flash-live-preview")
        #expect(session.modelSupportsVideoInput)
        await eventually("another connection is in use") {
            harness.clock.advance(by: .milliseconds(100))
            return harness.provider.connections.count == 2 && !harness.provider.connections[0].isOpen
        }
        #expect(harness.connection?.session.reasoning?.effort == "high")
        await session.stop()
    }

    @Test func beforeTheStartAndAfterTheStopThereIsNothingToChangeAndTheOldValueStays() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        var config = AssistantConfig(provider: .managed())
        config.instructions = "Be kind."
        config.startActive = true
        config.greeting = .off
        let session = harness.glasses.assistant.createSession(config: config)
        await #expect(throws: AssistantError.self) { try await session.updateInstructions("Be brief.") }
        try await session.start()
        #expect(harness.connection?.session.instructions.hasPrefix("Be kind.") == true)
        await session.stop()
        await #expect(throws: AssistantError.self) { try await session.setVoice("marin") }
    }
}
