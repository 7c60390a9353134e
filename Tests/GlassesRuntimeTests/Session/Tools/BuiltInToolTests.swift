import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct BuiltInToolTests {
    private func names(_ harness: SessionHarness) -> [String] {
        (harness.connection?.session.tools ?? []).compactMap {
            if case .function(let tool) = $0 { tool.name } else { nil }
        }
    }

    @Test func aModelIsOfferedTheEndOfTheConversationAndTheDevice() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.instructions = "Be kind." }
        #expect(names(harness) == ["end_conversation", "get_device_info"])
        let instructions = harness.connection?.session.instructions ?? ""
        #expect(instructions.hasPrefix("Be kind.\n\n\(AssistantConfig.defaultDeviceInfoNote)\n\n{\"vendor\":"))
        harness.callTool("get_device_info", arguments: "", call: "c1", response: "r1")
        await eventually("the device is told") { harness.toolOutputs.count == 1 }
        let line = try #require(harness.toolOutputs.first?.output)
        #expect(instructions.hasSuffix(line))
        #expect(line.contains(#""microphone":true,"speaker":true,"#) && line.hasSuffix(#""connected":true}"#))
        await session.stop()
    }

    @Test func anAppThatWantsNoneIsGivenNone() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake {
            $0.instructions = "Be kind."
            $0.endOnIntent = false
            $0.includeDeviceInfoTool = false
            $0.tools = [ToolDefinition(name: "end_conversation", description: "My own.") { _ in .ok("") }]
        }
        #expect(names(harness) == ["end_conversation"])
        #expect(harness.connection?.session.instructions == "Be kind.")
        await session.stop()
    }

    @Test func aProviderThatDoesNotComposeIsOfferedTheAppsToolsOnly() async throws {
        let harness = SessionHarness(canCompose: false)
        let session = try await harness.awake()
        #expect(names(harness).isEmpty)
        await session.stop()
    }

    @Test func theModelEndsTheConversation() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.callTool("end_conversation", arguments: "", call: "c1", response: "r1")
        await eventually("the goodbye is asked for") { harness.responseRequests == 1 }
        guard case .responseCreate(let request)? = harness.sent.last else {
            Issue.record("the goodbye is asked for last")
            return
        }
        harness.connection?.say(
            .responseCreated(
                RealtimeResponse(id: "r2", status: .inProgress, conversationId: "conv", metadata: request?.metadata)))
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r2", status: .completed, conversationId: "conv")))
        await eventually("the session sleeps") { session.state.current == .dormant }
        await eventually("the sleep is told") { harness.events.contains(.wentDormant) }
        await session.stop()
    }

    @Test func aLineHasItsMembersInOneOrder() {
        #expect(
            DeviceLine(facts: nil, isConnected: false).text
                == #"{"vendor":null,"device":null,"camera":false,"microphone":false,"speaker":false,"display":false,"#
                + #""shown":false,"kind":null,"connected":false}"#)
    }
}
