import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionLeftoversTests {
    @Test func aStreamThatEndsWithoutACloseIsALostConnectionAndComesBack() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.connection?.breakOff()
        await harness.run(.seconds(5)) { harness.provider.connections.count == 2 && session.state.current == .active }
        #expect(harness.provider.connections.count == 2)
        #expect(session.state.current == .active)
        await session.stop()
    }

    @Test func aStreamThatEndsWhileTheSessionStopsEndsTheStop() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.connection?.ignoreClose()
        let stopping = Task { await session.stop() }
        await eventually("the stop begins") { session.state.current == .stopping }
        harness.connection?.breakOff()
        await stopping.value
        #expect(session.state.current == .stopped)
    }

    @Test func aDriverThatIsDroppedWithoutAStopClosesItsConnectionItsTimersAndTheMicrophone() async throws {
        let (clock, provider) = (ManualClock(), ScriptedProvider())
        let device = SimulatedDevice(clock: clock.port)
        let events = EventLog(logLevel: .warn, interceptors: [], clock: clock.port, mirror: nil, start: { _ in })
        let hub = MicrophoneHub(events: events, recorder: nil)
        await hub.setPort(device.microphone)
        await hub.setConnected(true)
        let output = PlaybackOutput(clock: clock.port, events: events, recorder: nil)
        var assistant: AssistantDriver? = AssistantDriver(
            ports: .init(
                connector: provider.connector, microphone: hub, output: output, clock: clock.port, events: events),
            seed: { 1 })
        weak let driver: SessionDriver? = try await Self.start(#require(assistant))
        await eventually("the microphone opens") { device.simulatedMicrophone.isOpen }
        #expect(provider.openCount == 1)
        #expect(driver != nil)
        assistant = nil
        await eventually("the driver is gone") { driver == nil }
        await eventually("the connection is closed") { provider.openCount == 0 }
        await eventually("the timers are cancelled") { clock.sleeperCount == 0 }
        await eventually("the microphone is released") { !device.simulatedMicrophone.isOpen }
    }

    @Test func toolsHooksAndTimersThatEndedAreForgotten() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { config in
            config.silenceTimeout = nil
            config.onWake = { _ in }
            config.onSleep = { _ in }
            config.tools = [ToolDefinition(name: "now", description: "Tells the time.") { _ in .ok("noon") }]
        }
        let driver = try #require(session as? LiveSession).driver
        // First, while there is no history whose replay a provider would have to acknowledge.
        for _ in 0..<5 {
            try await session.sleep()
            try await session.wake()
        }
        for index in 1...20 {
            harness.callTool("now", arguments: "{}", call: "c\(index)", response: "r\(index)")
            await eventually("the tool answers") { harness.toolOutputs.contains { $0.call == "c\(index)" } }
        }
        await session.stop()
        await eventually("nothing is held") { await driver.runningCount == 0 }
    }

    /// A started, awake session's driver; nothing but the assistant holds it afterwards.
    private static func start(_ assistant: AssistantDriver) async throws -> SessionDriver? {
        let session = try await assistant.start(provider: .managed()) { builder in builder.startActive = true }
        return (session as? LiveSession)?.driver
    }
}
