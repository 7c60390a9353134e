import GlassesCore
import GlassesTesting
import Testing

@testable import VoiceAssistant

/// How an app tests its assistant: whole conversations with the app's own tools, in milliseconds, without network or devices.
@Suite("The voice assistant of the examples")
struct VoiceAssistantTests {
    /// The assistant, started; it says that it listens as soon as it is awake.
    private func assistant(
        _ test: TestGlasses, list: ShoppingList = ShoppingList()
    ) async throws -> any AssistantSession {
        let clock = test.clock
        let session = try await test.start { assistant in
            configure(assistant, of: test.glasses, list: list) { seconds in
                try await clock.port.sleepUntil(clock.now.advanced(by: .seconds(seconds)))
            }
        }
        try await test.appSays("I'm listening.")
        return session
    }

    @Test("A timer is set, answered, and announced when it is up")
    func timer() async throws {
        let test = TestGlasses()
        _ = try await assistant(test)
        try await test.userSays("set a timer for ten seconds")
        #expect(try await test.modelCalls("set_timer", ["seconds": 10]).output == "Timer set for 10 seconds.")
        try await test.modelSays("Your timer is set.")
        await test.advance(by: .seconds(10))
        try await test.appSays("Your timer is up.")
        try await test.finish()
    }

    @Test("What is put on the list can be read from it")
    func list() async throws {
        let test = TestGlasses()
        _ = try await assistant(test)
        try await test.userSays("we need tea")
        let outcomes = try await test.modelCalls([ToolRequest("add_to_list", ["name": "tea"])])
        #expect(outcomes == [ToolOutcome(output: "tea is on the list.", isError: false)])
        #expect(try await test.modelCalls("read_list").output == "milk, bread, apples, tea")
        try await test.modelSays("Milk, bread, apples and tea.")
        try await test.finish()
    }

    @Test("Wrong arguments never reach the tool, and the model is told what is wrong")
    func arguments() async throws {
        let test = TestGlasses()
        _ = try await assistant(test)
        try await test.userSays("set a timer")
        let outcome = try await test.modelCalls("set_timer", ["seconds": "soon"])
        #expect(outcome.isError)
        #expect(outcome.output.contains("seconds"))
        try await test.modelSays("For how long?")
        try await test.finish()
    }

    @Test("Without a camera the picture is refused with a reason that the model can say")
    func noCamera() async throws {
        let test = TestGlasses()
        _ = try await assistant(test)
        try await test.userSays("take a picture")
        #expect(try await test.modelCalls("take_picture").isError)
        try await test.modelSays("This device has no camera.")
        try await test.finish()
    }

    @Test("An answer that is interrupted is kept as far as it was heard")
    func interruption() async throws {
        let test = TestGlasses()
        _ = try await assistant(test)
        try await test.userSays("what is on my list")
        try await test.modelCalls("read_list")
        try await test.modelBeginsToSay("There is milk, there is bread, and there are three kinds of apples.")
        await test.advance(by: .milliseconds(1_200))
        try await test.userSays("thanks, that is enough")
        try await test.modelSays("Fine.")
        let answers = test.history.compactMap { if case .assistantText(let text, _) = $0 { text } else { nil } }
        #expect(answers.last == "Fine.")
        let cut = try #require(answers.dropLast().last)
        #expect(cut.hasPrefix("There is milk") && cut.hasSuffix("…") && !cut.contains("apples"))
        try await test.finish()
    }

    @Test("A connection that breaks while a tool works changes nothing")
    func reconnect() async throws {
        let test = TestGlasses()
        let list = ShoppingList()
        _ = try await assistant(test, list: list)
        try await test.userSays("we need tea")
        #expect(try await test.modelCalls("add_to_list", ["name": "tea"]).output == "tea is on the list.")
        try await test.loseConnection()
        try await test.modelSays("Tea is on your list.")
        #expect(await list.text == "milk, bread, apples, tea")
        try await test.finish()
    }

    @Test("\"good night\" puts it to sleep, and it says so when it is woken")
    func sleep() async throws {
        let test = TestGlasses()
        let session = try await assistant(test)
        try await test.userSays("good night")
        // The phrase was heard; going to sleep takes a moment.
        for await state in session.state.stream where state == .dormant { break }
        try await session.wake()
        try await test.appSays("I'm listening.")
        try await test.finish()
    }
}
