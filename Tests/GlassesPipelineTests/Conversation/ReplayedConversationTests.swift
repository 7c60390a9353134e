import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("A conversation that a client gives to a new session")
struct ReplayedConversationTests {
    private static let call = ConversationItem(
        body: .functionCall(FunctionCallItem(name: "get_time", arguments: "{}", callId: "call_1")))
    private static let result = ConversationItem.functionOutput(callId: "call_1", output: "It is noon.")
    private static let question = ConversationItem.userText("what time is it")

    /// The brain's request after a replay of `items` and a wish for an answer.
    private func request(after items: [ConversationItem]) -> BrainRequest? {
        var rig = MachineRig()
        for item in items { rig.client(.conversationItemCreate(ItemCreation(item: item))) }
        rig.client(.responseCreate(nil))
        return rig.lastThought?.request
    }

    @Test("a call deals with what the user said, so that only its result waits")
    func callAndResult() {
        #expect(
            request(after: [Self.question, Self.call, Self.result])?.pending
                == [.result(callId: "call_1", name: "get_time", output: "It is noon.")])
    }

    @Test("an answer that was cut and is asked for again has its result once more, and calls nothing")
    func cutAnswerAfterACall() {
        let request = request(after: [Self.question, Self.call, Self.result, .assistantText("It is …")])
        #expect(request?.occasion == .turn)
        #expect(request?.pending == [.result(callId: "call_1", name: "get_time", output: "It is noon.")])
    }

    @Test("an answer without calls that was cut and is asked for again has the user's words once more")
    func cutAnswerToWords() {
        let items: [ConversationItem] = [
            .userText("hello"), .assistantText("Hello."), .userText("who are you"), .assistantText("I am …"),
        ]
        #expect(request(after: items)?.pending == [.user("who are you")])
    }

    @Test("what the user says after a cut answer is all that waits")
    func wordsAfterACutAnswer() {
        let items = [Self.question, Self.call, Self.result, .assistantText("It is …"), .userText("thanks")]
        #expect(request(after: items)?.pending == [.user("thanks")])
    }

    @Test("an answer that was heard in full is not given again")
    func wholeAnswer() {
        let request = request(after: [Self.question, Self.call, Self.result, .assistantText("It is noon.")])
        #expect(request?.occasion == .unprompted)
        #expect(request?.pending == [])
    }
}
