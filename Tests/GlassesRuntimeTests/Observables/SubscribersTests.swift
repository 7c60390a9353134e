import Foundation
import GlassesDomain
import Testing

@testable import GlassesRuntime

/// A source delivers under its lock, and a stream ends while its task is locked: neither may wait for the other.
@Suite struct SubscribersTests {
    @Test(.timeLimit(.minutes(1)))
    func aSubscriberThatIsCancelledWhileAValueIsDeliveredHoldsUpNobody() async {
        let box = ObservableBox(0)
        let setter = Thread {
            for value in 1...200_000 where !Thread.current.isCancelled { box.set(value) }
        }
        setter.start()
        for _ in 0..<2_000 {
            let reader = Task { for await _ in box.stream {} }
            await Task.yield()
            reader.cancel()
            await reader.value
        }
        setter.cancel()
        #expect(box.current > 0)
    }

    @Test func aStreamThatHasEndedIsForgottenWhenTheNextOneBegins() async {
        var subscribers = Subscribers<Int>()
        for _ in 0..<100 {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let place = subscribers.add(continuation)
            #expect(place != nil)
            place?.leave()
            _ = stream
        }
        // The last one left after it was added.
        #expect(subscribers.finish().count == 1)
        let (_, late) = AsyncStream<Int>.makeStream()
        #expect(subscribers.add(late) == nil)
    }
}
