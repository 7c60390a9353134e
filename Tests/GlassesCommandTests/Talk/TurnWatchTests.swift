import GlassesCore
import Testing

@testable import glasses

@Suite("The end of a turn")
struct TurnWatchTests {
    private static let called = AssistantEvent.toolCalled(name: "n", args: [:], callId: "c")
    private static let returned = AssistantEvent.toolResult(
        callId: "c", name: "n", output: "", isError: false, durationMs: 1)

    /// The outcome after events at their seconds and the passing of time until `end`, and when it was known.
    private func outcome(
        inputEnd: Double = 0, _ events: [(Double, AssistantEvent)], until end: Double
    ) -> (TurnWatch.Outcome, Double) {
        var watch = TurnWatch(inputEnd: Self.time(inputEnd))
        var waiting = events
        for tenth in 0...Int(end * 10) {
            let now = Double(tenth) / 10
            while let next = waiting.first, next.0 <= now {
                waiting.removeFirst()
                let outcome = watch.apply(.event(next.1), at: Self.time(next.0))
                if outcome != .waiting { return (outcome, next.0) }
            }
            let outcome = watch.apply(.timePassed, at: Self.time(now))
            if outcome != .waiting { return (outcome, now) }
        }
        return (.waiting, end)
    }

    private static func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    @Test("it is over shortly after its answer was played")
    func answered() {
        let result = outcome(
            [(1, .userSpoke(transcript: "")), (2, .assistantAudioStarted), (5, .assistantAudioFinished)], until: 60)
        #expect(result == (.answered, 5.4))
    }

    @Test("an answer that goes on after a pause belongs to it")
    func continued() {
        let result = outcome(
            [
                (2, .assistantAudioStarted), (3, .assistantAudioFinished), (3.2, Self.called), (4, Self.returned),
                (5, .assistantAudioStarted), (6, .assistantAudioFinished),
            ], until: 60)
        #expect(result == (.answered, 6.4))
    }

    @Test("nothing within the limit is no answer; speech that is still coming in does not count")
    func unanswered() {
        #expect(outcome([], until: 60) == (.unanswered, 20))
        #expect(outcome(inputEnd: 10, [], until: 60) == (.unanswered, 30))
    }

    @Test("a tool may take longer than an answer")
    func slowTool() {
        let result = outcome(
            [(1, Self.called), (35, Self.returned), (36, .assistantAudioStarted), (37, .assistantAudioFinished)],
            until: 60)
        #expect(result == (.answered, 37.4))
        #expect(outcome([(1, Self.called)], until: 60) == (.unanswered, 41))
    }

    @Test("a long answer is waited for")
    func longAnswer() {
        let result = outcome([(1, .assistantAudioStarted), (170, .assistantAudioFinished)], until: 200)
        #expect(result == (.answered, 170.4))
    }

    @Test("an answer without sound is over when its words are there and no sound follows")
    func silentAnswer() {
        #expect(outcome([(1, .assistantSpoke(transcript: ""))], until: 60) == (.answered, 4))
    }

    @Test(
        "a session that sleeps or ends answers no more",
        arguments: [AssistantEvent.wentDormant, .sessionEnded(reason: .error, message: nil)])
    func abandoned(_ event: AssistantEvent) { #expect(outcome([(3, event)], until: 60) == (.abandoned, 3)) }
}
