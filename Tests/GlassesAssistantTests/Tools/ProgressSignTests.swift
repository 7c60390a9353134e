import GlassesDomain
import Testing

@testable import GlassesAssistant

@Suite("When a sign is given that a tool still runs")
struct ProgressSignTests {
    private static func called(_ id: String) -> AssistantEvent { .toolCalled(name: "t", args: [:], callId: id) }
    private static func ended(_ id: String) -> AssistantEvent {
        .toolResult(callId: id, name: "t", output: "", isError: false, durationMs: 1)
    }
    private static let due = MonotonicTime.zero.advanced(by: .seconds(2))

    /// What is done at each event, and at last whether a sign is due.
    private func actions(_ events: [AssistantEvent]) -> (actions: [ProgressSign.Action?], isDue: Bool, again: Bool) {
        var sign = ProgressSign()
        let actions = events.map { sign.apply($0, at: .zero) }
        let isDue = sign.isDue()
        let again = sign.isDue()
        return (actions, isDue, again)
    }

    @Test("Two seconds after the first of several calls, once")
    func once() {
        let result = actions([Self.called("a"), Self.called("b"), Self.ended("a")])
        #expect(result.actions == [.schedule(at: Self.due), nil, nil])
        #expect(result.isDue)
        #expect(!result.again)
    }

    @Test("The next calls have a sign of their own")
    func next() {
        let result = actions([Self.called("a"), Self.ended("a"), Self.called("b")])
        #expect(result.actions == [.schedule(at: Self.due), .cancel, .schedule(at: Self.due)])
        #expect(result.isDue)
    }

    @Test(
        "Not when the calls are over, something is heard, or the session sleeps or ends",
        arguments: [
            ended("a"), .assistantAudioStarted, .wentDormant, .sessionEnded(reason: .user, message: nil),
        ] as [AssistantEvent])
    func calledOff(event: AssistantEvent) {
        let result = actions([Self.called("a"), event])
        #expect(result.actions == [.schedule(at: Self.due), .cancel])
        #expect(!result.isDue)
    }

    @Test("Not while the assistant speaks")
    func audible() {
        let result = actions([.assistantAudioStarted, Self.called("a")])
        #expect(result.actions == [nil, nil])
        #expect(!result.isDue)
    }
}
