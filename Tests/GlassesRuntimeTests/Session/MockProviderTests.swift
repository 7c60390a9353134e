import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite("Sessions of the mock provider")
struct MockProviderTests {
    private func spoken(_ events: [AssistantEvent]) -> [String] {
        events.compactMap { if case .assistantSpoke(let text) = $0 { text } else { nil } }
    }

    @Test("Without device, network or wake, a typed text runs the app's own tool and is answered")
    func dormant() async throws {
        let harness = SessionHarness()
        let session = try await harness.glasses.assistant.start(provider: .mock()) { assistant in
            assistant.tool("lights", description: "Turns the lamp on.") { .ok("It shines.") }
        }
        #expect(session.state.current == .dormant)
        try await session.sendText("the lamp, please")
        await eventually("the answer") { harness.events.last == .assistantAudioFinished }
        let events = harness.events
        let kinds = events.map { String(String(describing: $0).prefix { $0 != "(" }) }
        #expect(
            kinds == [
                "sessionStarted", "userSpoke", "toolCalled", "toolResult", "assistantAudioStarted", "assistantSpoke",
                "assistantAudioFinished",
            ])
        #expect(spoken(events) == ["It shines."])
        #expect(session.conversationHistory().count == 4)
        #expect(harness.provider.connections.isEmpty)
        await session.stop()
        #expect(harness.glasses.assistant.activeSession == nil)
        await eventually("the end") { harness.events.last == .sessionEnded(reason: .user, message: nil) }
    }

    @Test("Awake it opens neither microphone nor loudspeaker nor a connection, and runs the hooks")
    func awake() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        let woken = Tally()
        let session = try await harness.glasses.assistant.start(provider: .mock()) { assistant in
            assistant.startActive = true
            assistant.onWake { _ in woken.add() }
        }
        #expect(session.state.current == .active)
        await eventually("the hook") { woken.count == 1 }
        try await session.say("hello")
        try await session.greet()
        try await session.sleep()
        #expect(session.state.current == .dormant)
        await eventually("sleep") { harness.events.last == .wentDormant }
        #expect(!harness.device.simulatedMicrophone.isOpen)
        #expect(harness.provider.connections.isEmpty)
        #expect(spoken(harness.events).isEmpty)
        await harness.glasses.shutdown()
    }

    @Test("A body that outlives its time is answered for, on the clock")
    func timeout() async throws {
        let harness = SessionHarness()
        let session = try await harness.glasses.assistant.start(provider: .mock()) { assistant in
            assistant.tool("slow", description: "Waits.", timeout: 2) {
                try await Task.sleep(for: .seconds(3_600))
                return .ok("done")
            }
        }
        try await session.sendText("it waits")
        await eventually("the time-out") {
            harness.clock.advance(by: .milliseconds(100))
            return !spoken(harness.events).isEmpty
        }
        #expect(spoken(harness.events).first?.contains("timed out after 2 s") == true)
        await session.stop()
    }

    @Test("The former name of managed is a managed")
    func formerName() {
        #expect(provider(of: Former.self) == .managed(model: "m", voice: "v"))
    }

    private func provider<Namer: Naming>(of namer: Namer.Type) -> AssistantProvider { namer.provider() }
}

/// Calls a deprecated name where that is no warning.
private protocol Naming {
    static func provider() -> AssistantProvider
}

private enum Former: Naming {
    @available(*, deprecated)
    static func provider() -> AssistantProvider { .openAI(model: "m", voice: "v") }
}
