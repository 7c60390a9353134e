import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct ObservableBoxTests {
    @Test func aSubscriberGetsTheValueNowAndThenEachChangeInOrder() async {
        let box = ObservableBox(0)
        let stream = box.stream
        let reader = Task { () -> [Int] in
            var seen: [Int] = []
            for await value in stream { seen.append(value) }
            return seen
        }
        for value in 1...200 { box.set(value) }
        box.finish()
        #expect(await reader.value == Array(0...200))
    }

    @Test func equalValuesAreDeliveredOnce() async {
        let box = ObservableBox("a")
        let stream = box.stream
        for value in ["a", "b", "b", "a", "a"] { box.set(value) }
        box.finish()
        var seen: [String] = []
        for await value in stream { seen.append(value) }
        #expect(seen == ["a", "b", "a"])
    }

    @Test func aSlowSubscriberKeepsTheNewestValuesAndNeverLosesTheLast() async {
        let box = ObservableBox(0)
        let stream = box.stream
        for value in 1...10_000 { box.set(value) }
        box.finish()
        var seen: [Int] = []
        for await value in stream { seen.append(value) }
        #expect(seen.count == ObservableBox<Int>.bufferedValues)
        #expect(seen.last == 10_000)
    }

    @Test func settersOnManyTasksNeverReorderWhatASubscriberSees() async {
        let box = ObservableBox(0)
        let counter = Counter()
        let stream = box.stream
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<20 { counter.next { box.set($0) } } }
            }
        }
        box.finish()
        var seen: [Int] = []
        for await value in stream { seen.append(value) }
        #expect(seen == Array(0...160))
        #expect(box.current == 160)
    }

    @Test func aStreamAfterTheEndGivesTheLastValueAndEnds() async {
        let box = ObservableBox(1)
        box.set(2)
        box.finish()
        var seen: [Int] = []
        for await value in box.stream { seen.append(value) }
        #expect(seen == [2])
    }
}
