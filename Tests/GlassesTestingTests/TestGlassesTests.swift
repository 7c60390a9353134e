import GlassesDomain
import GlassesTesting
import Testing

@Suite("The kit for tests of apps")
struct TestGlassesTests {
    private func failure(_ body: () async throws -> Void) async -> ConversationFailure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? ConversationFailure
        }
    }

    private func started(patience: Duration = .seconds(5)) async throws -> TestGlasses {
        let test = TestGlasses(patience: patience)
        try await test.start { assistant in
            assistant.tool("wait", description: "Waits for ever.") {
                try await Task.sleep(for: .seconds(3_600))
                return .ok("done")
            }
        }
        return test
    }

    @Test("An answer to nobody fails at its step")
    func answerToNobody() async throws {
        let test = try await started()
        let failure = await failure { try await test.modelSays("Hello.") }
        #expect(failure?.kind == .missing)
        #expect(failure?.step.hasPrefix("step 2") == true)
        await test.glasses.shutdown()
    }

    @Test("An answer that the app asked for and nobody gave fails the end")
    func unansweredRequest() async throws {
        let test = try await started()
        try await test.userTypes("hello")
        let failure = await failure { try await test.finish() }
        #expect(failure?.kind == .unexpected)
        #expect(failure?.description.contains("asked the model for an answer") == true)
    }

    @Test("A text that the app has spoken and nobody expected fails the end, and names it")
    func unexpectedText() async throws {
        let test = try await started()
        let session = try #require(test.glasses.assistant.activeSession)
        let saying = Task { try await session.say("Surprise.") }
        let failure = await failure {
            await test.advance(by: .milliseconds(40))
            try await test.finish()
        }
        #expect(failure?.description.contains("Surprise.") == true)
        _ = await saying.result
    }

    @Test("Another text than the expected one is named")
    func wrongText() async throws {
        let test = try await started()
        let session = try #require(test.glasses.assistant.activeSession)
        let saying = Task { try await session.say("One.") }
        let failure = await failure { try await test.appSays("Two.") }
        #expect(failure?.kind == .unexpected)
        #expect(failure?.reason.contains("One.") == true)
        await test.glasses.shutdown()
        _ = await saying.result
    }

    @Test("A tool that never returns fails the test instead of hanging it")
    func endlessTool() async throws {
        let test = try await started()
        try await test.userSays("wait")
        let failure = await failure { try await test.modelCalls("wait") }
        #expect(failure?.kind == .missing)
        #expect(failure?.reason.contains("wait") == true)
        await test.glasses.shutdown()
    }

    @Test("A tool that never returns is timed out by the clock, not by the test's patience")
    func timeOut() async throws {
        let test = try await started(patience: .seconds(20))
        try await test.userSays("wait")
        async let outcome = test.modelCalls("wait")
        while test.events.allSatisfy({ if case .toolCalled = $0 { false } else { true } }) {
            await test.advance(by: .milliseconds(20))
        }
        await test.advance(by: .seconds(31))
        #expect(try await outcome.isError)
        try await test.modelSays("That took too long.")
        try await test.finish()
    }

    @Test("A user whom the session does not hear is a misuse")
    func asleep() async throws {
        let test = try await started()
        try await test.glasses.assistant.activeSession?.sleep()
        let failure = await failure { try await test.userSays("hello") }
        #expect(failure?.kind == .misuse)
        try await test.finish()
    }

    @Test("Folded glasses put the session to sleep")
    func folds() async throws {
        let test = try await started(patience: .seconds(5))
        try await test.fold()
        await test.unfold()
        #expect(test.events.contains(.wentDormant))
        try await test.finish()
    }

    @Test("Without a step the clock stands still and nothing is heard")
    func standsStill() async throws {
        let test = try await started()
        try await test.userSays("hello")
        let before = test.clock.now
        #expect(test.device.simulatedSpeaker.heard.isEmpty)
        #expect(test.clock.now == before)
        try await test.modelSays("Hello.")
        #expect(test.device.simulatedSpeaker.heard.count >= 24 * 300)
        #expect(test.history.count == 2)
        try await test.finish()
    }
}
