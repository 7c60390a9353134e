import GlassesAssistant
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

    @Test func aProviderThatDoesNotComposeIsOfferedThemToo() async throws {
        let harness = SessionHarness(canCompose: false)
        let session = try await harness.awake()
        #expect(names(harness) == ["end_conversation", "get_device_info"])
        #expect(harness.connection?.session.instructions.hasSuffix(#""connected":true}"#) == true)
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

    @Test func aLineHasItsMembersInOneOrderAndNoneForWhatIsNotKnown() {
        let known =
            #"{"vendor":null,"device":null,"camera":false,"microphone":false,"speaker":false,"display":false,"#
            + #""connected":false"#
        var line = DeviceLine(facts: nil, isConnected: false)
        #expect(line.text == known + "}")
        line.off = ["camera"]
        line.battery = 57
        line.isCharging = true
        #expect(line.text == known + #","off":["camera"],"battery":57,"charging":true}"#)
    }

    @Test func theBatteryIsNewsWhenItsTensChange() {
        var line = DeviceLine(facts: nil, isConnected: true)
        line.battery = 59
        let before = line.description
        line.battery = 50
        #expect(line.description.fingerprint == before.fingerprint)
        #expect(line.description.text != before.text)
        line.battery = 49
        #expect(line.description.fingerprint != before.fingerprint)
    }

    /// The notes of the device that the provider was given, and the items that were taken back.
    private func notes(_ harness: SessionHarness) -> (texts: [String], deleted: Int) {
        let texts = harness.sent.compactMap { event -> String? in
            guard case .conversationItemCreate(let creation) = event, case .message(let message) = creation.item.body,
                message.role == .system, case .inputText(let text)? = message.content.first
            else { return nil }
            return text
        }
        return (texts, harness.sent.count { if case .conversationItemDelete = $0 { true } else { false } })
    }

    @Test func aModelIsToldWhenTheDeviceOrTheUsersTogglesChange() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.device.report(.powerChanged(DevicePower(battery: 38, charging: .notCharging)))
        await harness.run(.seconds(15)) { !notes(harness).texts.isEmpty }
        #expect(notes(harness).texts.last?.hasSuffix(#""connected":true,"battery":38,"charging":false}"#) == true)
        // A percent is no news.
        harness.device.report(.powerChanged(DevicePower(battery: 37, charging: .notCharging)))
        await harness.run(.seconds(12))
        #expect(notes(harness).texts.count == 1)
        await harness.glasses.toggles.put(key: "camera_streaming_enabled", value: false, source: .ui)
        await harness.run(.seconds(15)) { notes(harness).texts.count == 2 }
        #expect(notes(harness).texts.last?.contains(#""off":["camera"],"battery":37"#) == true)
        await eventually("the older note is taken back") { notes(harness).deleted == 1 }
        #expect(session.conversationHistory().isEmpty, "notes are no turns")
        await session.stop()
    }

    @Test func anAppThatWantsNoDeviceInfoTellsNoChange() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake { $0.includeDeviceInfoTool = false }
        harness.device.report(.powerChanged(DevicePower(battery: 38)))
        await harness.run(.seconds(4))
        #expect(notes(harness).texts.isEmpty)
        await session.stop()
    }
}
