import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct ToolSessionTests {
    private struct Sum: Codable, Sendable { var sum: Int }

    @Test func twoToolsOfOneNameAreAnErrorBeforeAnythingBegins() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        await #expect(throws: ToolRegistrationError.self) {
            try await harness.glasses.assistant.start(provider: .managed()) { builder in
                builder.tool("a", description: "One.") { .ok("") }
                builder.tool("a", description: "Another.") { .ok("") }
            }
        }
        #expect(harness.glasses.assistant.activeSession == nil)
        #expect(harness.provider.attempts == 0)
        let session = try await harness.awake()
        await session.stop()
    }

    @Test func parametersThatDoNotFitTheirTypeAreAnErrorAtTheStart() async throws {
        let harness = SessionHarness()
        let builder = AssistantConfigBuilder(provider: .managed())
        builder.tool("pay", description: "Pays.", parameters: [.string("sum", "How much")]) { (_: Sum) in .ok("") }
        let session = harness.glasses.assistant.createSession(config: builder.config)
        do {
            try await session.start()
            Issue.record("the session must not start")
        } catch let error as ToolRegistrationError {
            #expect(error.code == "parameters_mismatch")
            #expect(error.toolName == "pay")
        }
        #expect(session.state.current == .idle)
    }

    @Test func theNameOfABuiltInToolIsTakenWhenTheSessionHasIt() async throws {
        func code(isCancellable: Bool) -> String? {
            let builder = AssistantConfigBuilder(provider: .managed())
            builder.tool("cancel_tool", description: "", policy: ToolPolicy(isCancellable: isCancellable)) { .ok("") }
            return SessionTools(config: builder.config, deviceLine: { "" }).registrationError?.code
        }
        #expect(code(isCancellable: true) == "reserved_name")
        #expect(code(isCancellable: false) == nil)
    }

    @Test func theProviderGetsTheSchemaAsJSON() async throws {
        let harness = SessionHarness()
        let parameters: ToolParameters = [.integer("sum", "How much", in: 1...9)]
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(name: "pay", description: "Pays.", parameters: parameters) { (sum: Sum) in
                    .ok("\(sum.sum)")
                }
            ]
        }
        guard case .function(let tool)? = harness.connection?.session.tools.first else {
            Issue.record("the tool is offered")
            return
        }
        #expect(tool.parameters == parameters.schema)
        harness.callTool("pay", arguments: #"{"sum":10,"to":"Ann"}"#, call: "c1", response: "r1")
        await eventually("the call is answered") { harness.toolOutputs.count == 1 }
        let expected =
            #"{"error":"pay was not run: \"sum\" must be at most 9; \"to\" is not a parameter of this tool, "#
            + #"which takes \"sum\". Correct the arguments and call it again."}"#
        #expect(harness.toolOutputs.first?.output == expected)
        await session.stop()
    }

    @Test func aBodyTellsHowFarItIs() async throws {
        let harness = SessionHarness()
        let (hold, release) = AsyncStream<Void>.makeStream()
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(name: "search", description: "Searches.") { _ in
                    #expect(ToolCall.current?.toolName == "search")
                    ToolCall.current?.report("page two")
                    for await _ in hold {}
                    return .ok("found")
                }
            ]
        }
        #expect(ToolCall.current == nil)
        harness.callTool("search", arguments: "", call: "c1", response: "r1")
        await eventually("the note is sent") {
            harness.sent.contains { event in
                guard case .conversationItemCreate(let creation) = event, case .message(let item) = creation.item.body
                else { return false }
                return item.role == .system && item.content == [.inputText("search is running: page two")]
            }
        }
        release.finish()
        await eventually("the call is answered") { harness.toolOutputs.map(\.output) == ["found"] }
        await session.stop()
    }

    @Test func theModelCancelsABodyThatCanBeCancelled() async throws {
        let harness = SessionHarness()
        let wasCancelled = Mutex(false)
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(name: "search", description: "Searches.", policy: ToolPolicy(isCancellable: true)) { _ in
                    let (never, keep) = AsyncStream<Void>.makeStream()
                    for await _ in never {}
                    keep.finish()
                    wasCancelled.withLock { $0 = Task.isCancelled }
                    return .ok("found")
                }
            ]
        }
        #expect(harness.connection?.session.tools.count == 4, "cancel_tool and the two others are offered beside it")
        harness.callTool("search", arguments: "", call: "c1", response: "r1")
        await eventually("the body runs") { harness.events.contains { $0.name == "tool_called" } }
        harness.callTool("cancel_tool", arguments: #"{"name":"search"}"#, call: "c2", response: "r2")
        await eventually("both calls are answered") { harness.toolOutputs.count == 2 }
        #expect(
            harness.toolOutputs.map(\.output) == [
                #"{"error":"search was cancelled: the user called it off."}"#, "Cancelled: search.",
            ])
        await eventually("the body's task is cancelled") { wasCancelled.withLock { $0 } }
        await session.stop()
    }

    @Test func aRiskyToolRunsOnceTheUserHasAgreed() async throws {
        let harness = SessionHarness()
        let paid = Mutex<[Int]>([])
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(
                    name: "pay", description: "Pays.", parameters: [.integer("sum", "How much", in: 1...9)],
                    policy: ToolPolicy(needsConfirmation: true)
                ) { (sum: Sum) in
                    paid.withLock { $0.append(sum.sum) }
                    return .ok("paid")
                }
            ]
        }
        harness.callTool("pay", arguments: #"{"sum":5}"#, call: "c1", response: "r1")
        await eventually("the model is told to ask") { harness.toolOutputs.count == 1 }
        await speakOfResult(harness, "f1", request: 1)
        harness.userSpeaks()
        harness.userStops()
        harness.callTool("pay", arguments: #"{"sum":6}"#, call: "c2", response: "r2")
        await eventually("other arguments are asked about anew") { harness.toolOutputs.count == 2 }
        await speakOfResult(harness, "f2", request: 2)
        harness.callTool("pay", arguments: #"{"sum":5}"#, call: "c3", response: "r3")
        await eventually("the call runs") { harness.toolOutputs.last?.output == "paid" }
        #expect(paid.withLock { $0 } == [5])
        await session.stop()
    }

    /// The provider grants the follow-up that the session asks for after a result, and writes it.
    private func speakOfResult(_ harness: SessionHarness, _ id: String, request count: Int) async {
        await eventually("the follow-up is asked for") { harness.responseRequests == count }
        guard
            case .responseCreate(let request)? = harness.sent.last(where: {
                if case .responseCreate = $0 { true } else { false }
            })
        else { return }
        harness.connection?.say(
            .responseCreated(
                RealtimeResponse(id: id, status: .inProgress, conversationId: "conv", metadata: request?.metadata)))
        let place = PartReference(responseId: id, itemId: "i_\(id)")
        harness.connection?.say(.responseOutputTextDone(OutputText(place: place, text: "Shall I?")))
        harness.connection?.say(.responseDone(RealtimeResponse(id: id, status: .completed, conversationId: "conv")))
    }
}
