import MWDATCore
import Testing

struct StateStreamsTests {
    @Test func aStreamBeginsWithTheCurrentValue() async {
        let streams = StateStreams(of: 1)
        streams.send(2)
        var first = streams.stream().makeAsyncIterator()
        streams.send(3)
        streams.finish()
        #expect(await first.next() == 2)
        #expect(await first.next() == 3)
        #expect(await first.next() == nil)
    }

    @Test func aStreamThatIsMadeAfterTheEndHasTheLastValueAlone() async {
        let streams = StateStreams(of: 1)
        streams.send(2)
        streams.finish()
        streams.send(3)
        var late = streams.stream().makeAsyncIterator()
        #expect(await late.next() == 2)
        #expect(await late.next() == nil)
    }

    @Test func aStreamOfEventsBeginsWithNone() async {
        let streams = StateStreams<Int>()
        streams.send(1)
        var events = streams.stream().makeAsyncIterator()
        streams.send(2)
        streams.finish()
        #expect(await events.next() == 2)
        #expect(await events.next() == nil)
    }

    @Test func everyStreamHasEverything() async {
        let streams = StateStreams(of: 0)
        let all = (0..<3).map { _ in streams.stream() }
        for number in 1...5 { streams.send(number) }
        streams.finish()
        for stream in all {
            var numbers: [Int] = []
            for await number in stream { numbers.append(number) }
            #expect(numbers == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test func readersThatAreCancelledWhileValuesComeDoNotBlockThem() async {
        let streams = StateStreams(of: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let reader = Task { for await _ in streams.stream() {} }
                    streams.send(1)
                    reader.cancel()
                    streams.send(2)
                    await reader.value
                }
            }
        }
        var rest = streams.stream().makeAsyncIterator()
        #expect(await rest.next() == 2)
    }

    @Test func anErasedSequenceHasTheSameElementsForEachReader() async {
        let streams = StateStreams(of: 1)
        streams.finish()
        let erased = AnyAsyncSequence(streams.stream())
        var elements: [Int] = []
        for await element in erased { elements.append(element) }
        #expect(elements == [1])
    }

    @Test func anErasedSequenceEndsWithAnError() async {
        struct Failure: Error {}
        let failing = AsyncThrowingStream<Int, any Error> { continuation in
            continuation.yield(1)
            continuation.finish(throwing: Failure())
        }
        var elements: [Int] = []
        for await element in failing.eraseToAnySequence() { elements.append(element) }
        #expect(elements == [1])
    }
}
