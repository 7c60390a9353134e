@testable import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct ConversationHistoryTests {
    private func user(_ text: String) -> ConversationHistory.Content { .user(text: text, isKnown: true) }
    private func heard(_ text: String, wasCut: Bool = false) -> ConversationHistory.Content {
        .assistant(words: text + " and more", heard: text, wasCut: wasCut)
    }
    private func call(_ id: String) -> ConversationHistory.Content {
        .call(callID: id, name: "t", arguments: "{}", isKnown: true)
    }

    /// Every order of arrival of four items that each name the one before.
    static let arrivals: [[Int]] = {
        var all: [[Int]] = []
        func extend(_ prefix: [Int]) {
            if prefix.count == 4 { all.append(prefix) }
            for index in 0..<4 where !prefix.contains(index) { extend(prefix + [index]) }
        }
        extend([])
        return all
    }()

    @Test(arguments: arrivals) func itemsAreOrderedByTheirPredecessorsHoweverTheyArrive(order: [Int]) {
        var history = ConversationHistory(cap: 100)
        for index in order {
            let previous = index == 0 ? "root" : "i\(index - 1)"
            history.place("i\(index)", after: previous, content: user("\(index)"), timestampMs: Int64(index))
        }
        #expect(history.turns.map(\.text) == ["0", "1", "2", "3"])
    }

    @Test func anItemToldTwiceKeepsItsContentAndTakesItsPlace() {
        var history = ConversationHistory(cap: 100)
        history.place("u1", after: nil, content: user("a"), timestampMs: 1)
        history.place("a1", after: nil, content: heard("c"), timestampMs: 3)
        history.place("u2", after: nil, content: user("b"), timestampMs: 2)
        history.place("u2", after: "u1", content: .user(text: nil, isKnown: true), timestampMs: 9)
        #expect(history.turns.map(\.text) == ["a", "b", "c"])
    }

    @Test func theOldestTurnsAreDroppedAtTheCapAndPairsStayWhole() {
        var history = ConversationHistory(cap: 4)
        history.place("c", after: nil, content: call("c1"), timestampMs: 1)
        _ = history.addOutput("o", callID: "c1", text: "x", timestampMs: 2)
        for number in 1...3 { history.place("u\(number)", after: nil, content: user("\(number)"), timestampMs: 3) }
        #expect(history.turns.map(\.text) == ["1", "2", "3"])
        let isKept = history.addOutput("late", callID: "c1", text: "y", timestampMs: 4)
        #expect(!isKept)
    }

    @Test func aSummaryHasItsPlaceAlsoInAHistoryThatIsFull() {
        var history = ConversationHistory(cap: 4)
        for number in 1...8 { history.append(.userText(text: "\(number)", timestampMs: 1), id: "u\(number)") }
        // Those that it is about were forgotten meanwhile.
        history.summarise(["u1", "u2"], as: "short", id: "s")
        #expect(history.turns.count == 4)
        #expect(history.entries.first?.content == .summary("short"))
    }

    @Test func itemsWithoutWordsCountForNoTurnAndAreBounded() {
        var history = ConversationHistory(cap: 2)
        history.place("u1", after: nil, content: user("kept"), timestampMs: 1)
        for number in 0..<1000 { history.place("x\(number)", after: nil, content: .other, timestampMs: 1) }
        #expect(history.turns.map(\.text) == ["kept"])
        #expect(history.entries.count == 1 + ConversationHistory.neighbourLimit)
    }

    @Test func replayHoldsUserTextAssistantTextAndMatchingPairsOnly() {
        var history = ConversationHistory(cap: 100)
        history.place("u1", after: nil, content: user("hi"), timestampMs: 1)
        history.place("a1", after: nil, content: heard("hello ", wasCut: true), timestampMs: 2)
        history.place("f1", after: nil, content: call("c1"), timestampMs: 3)
        _ = history.addOutput("o1", callID: "c1", text: "done", timestampMs: 4)
        history.place("f2", after: nil, content: call("c2"), timestampMs: 5)
        history.place("a2", after: nil, content: heard("bye"), timestampMs: 6)
        history.place("a3", after: nil, content: heard("", wasCut: true), timestampMs: 7)
        history.place("u2", after: nil, content: .user(text: nil, isKnown: true), timestampMs: 8)
        #expect(
            history.takeReplay() == [
                .userText(id: "u1", text: "hi"), .assistantText(id: "a1", text: "hello …"),
                .functionCall(id: "f1", callID: "c1", name: "t", arguments: "{}"),
                .functionCallOutput(id: "o1", callID: "c1", output: "done"),
                .assistantText(id: "a2", text: "bye and more"),
            ])
        _ = history.addOutput("o2", callID: "c2", text: "late", timestampMs: 9)
        #expect(
            history.takeUnsent() == [
                .functionCall(id: "f2", callID: "c2", name: "t", arguments: "{}"),
                .functionCallOutput(id: "o2", callID: "c2", output: "late"),
            ])
        let again = history.takeUnsent()
        #expect(again.isEmpty)
    }

    @Test func anEditedOutputIsCapped() {
        var history = ConversationHistory(cap: 10)
        let huge = String(repeating: "x", count: 100_000)
        history.append(.toolReturn(callId: "c", output: huge, timestampMs: 1), id: "i")
        #expect(history.turns.map(\.text.utf8.count) == [65_536])
    }
}
