import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

/// Field bugs A7–A9 through a whole session: in memory, and over a real WebSocket.
@Suite(.serialized) struct ActiveResponseA7ToA9SessionTests {
    @Test(arguments: SessionHarness.Wire.allCases)
    func a7ResultsThatComeDuringTheServersOwnAnswerAreFollowedUpOnceBehindIt(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire, logLevel: .info)
        let running = Tally()
        let session = try await harness.awake { config in
            config.tools = ["first", "second"].map { name in
                ToolDefinition(name: name, description: "Gives \(name).", schema: ["type": "object"]) { _ in
                    running.add()
                    // Its result comes during the answer that the server begins by itself.
                    while running.count < 3 { await pause() }
                    return .ok(name)
                }
            }
        }
        harness.callTools([("first", "{}", "c1"), ("second", "{}", "c2")], response: "r1")
        await eventually("both tools run") { running.count == 2 }
        harness.connection?.say(
            .responseCreated(RealtimeResponse(id: "r2", status: .inProgress, conversationId: "conv")))
        harness.connection?.say(.error(RealtimeErrorInfo(message: "A marker.", code: "response_cancel_not_active")))
        await eventually("the session knows the answer") { harness.logLines.contains("command.refused") }
        running.add()
        await eventually("both results are sent") { harness.toolOutputs.count == 2 }
        await harness.run(.milliseconds(500))
        #expect(harness.responseRequests == 0, "an answer is active")
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r2", status: .completed, conversationId: "conv")))
        await eventually("the follow-up is asked for") { harness.responseRequests == 1 }
        harness.connection?.say(
            .responseCreated(RealtimeResponse(id: "r3", status: .inProgress, conversationId: "conv")))
        harness.connection?.say(.responseDone(RealtimeResponse(id: "r3", status: .completed, conversationId: "conv")))
        await harness.run(.seconds(1))
        #expect(harness.responseRequests == 1)
        await harness.end(session)
    }

    @Test(arguments: SessionHarness.Wire.allCases)
    func a8AnErrorThatNamesARequestFailsItAtOnce(_ wire: SessionHarness.Wire) async throws {
        let harness = try SessionHarness.over(wire)
        let session = try await harness.awake()
        let refusals = Mutex(0)
        let answering = Task {
            // Every request is refused by name, as a server does that has a reason.
            await eventually("the request comes") {
                for request in harness.connection?.identified ?? [] {
                    guard case .responseCreate = request.event, let id = request.eventId else { continue }
                    harness.connection?.say(
                        .error(RealtimeErrorInfo(message: "No.", code: "server_error", eventId: id)))
                    refusals.withLock { $0 += 1 }
                    return true
                }
                return false
            }
        }
        let asked = harness.clock.port.now()
        await #expect { try await session.say("x") } throws: {
            if case .providerError(let code, _)? = $0 as? AssistantError { code == "server_error" } else { false }
        }
        #expect(asked.duration(to: harness.clock.port.now()) < .milliseconds(100))
        await answering.value
        #expect(refusals.withLock { $0 } == 1)
        #expect(session.state.current == .active)
        await harness.end(session)
    }
}
