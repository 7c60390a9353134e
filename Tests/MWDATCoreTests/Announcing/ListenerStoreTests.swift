import Dispatch
import MWDATCore
import Synchronization
import TestLink
import Testing

struct ListenerStoreTests {
    private let queue = DispatchQueue(label: "listener test")
    private let clock = ManualTimekeeper()
    private let warnings = Log<String>()
    private let heard = Log<Int>()

    private func store(isStrict: Bool = false, bound: Int = 256) -> ListenerStore<Int> {
        ListenerStore(
            "Test.publisher", on: queue, bound: bound,
            rule: TokenRule(isStrict: isStrict, timekeeper: clock, warn: { [warnings] in warnings.append($0) }))
    }

    private func settle() { queue.sync {} }

    @Test func everyListenerHearsEverythingInOrderAndNothingOfBefore() {
        let (store, others) = (store(), Log<Int>())
        store.announce(0)
        let first = store.listen { [heard] in heard.append($0) }
        store.announce(1)
        let second = store.listen { others.append($0) }
        for number in 2...4 { store.announce(number) }
        settle()
        #expect(heard.all == [1, 2, 3, 4])
        #expect(others.all == [2, 3, 4])
        withExtendedLifetime((first, second)) {}
    }

    @Test func aListenerMayCallTheStore() {
        let store = store()
        let token = store.listen { [heard] number in
            heard.append(number)
            if number < 3 { store.announce(number + 1) }
        }
        store.announce(1)
        for _ in 0..<4 { settle() }
        #expect(heard.all == [1, 2, 3])
        withExtendedLifetime(token) {}
    }

    @Test func aTokenThatIsDroppedAtOnceKeepsItsListenerAndWarnsOnce() {
        let store = store()
        for _ in 0..<2 { _ = store.listen { [heard] in heard.append($0) } }
        store.announce(1)
        settle()
        #expect(heard.all == [1, 1])
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("Test.publisher") == true)
    }

    @Test func aListenerOfADroppedTokenEndsWithItsPublisher() {
        let store = store()
        _ = store.listen { [heard] in heard.append($0) }
        store.announce(1)
        store.finish()
        store.announce(2)
        settle()
        #expect(heard.all == [1])
        #expect(!store.hasListeners)
    }

    @Test func aStreamEndsWithItsPublisherAfterWhatWasAnnounced() async {
        let store = store()
        let stream = store.stream
        for number in 1...3 { store.announce(number) }
        store.finish()
        store.announce(4)
        var read: [Int] = []
        for await number in stream { read.append(number) }
        #expect(read == [1, 2, 3])
        for await number in store.stream { Issue.record("a publisher that has ended tells \(number)") }
        #expect(!store.hasListeners)
    }

    @Test func aStreamWhoseReaderEndsListensNoMore() async {
        let store = store()
        let reader = Task { for await _ in store.stream {} }
        while !store.hasListeners { await Task.yield() }
        reader.cancel()
        await reader.value
        #expect(!store.hasListeners)
    }

    @Test func aQueueThatWasStuckTellsTheNewestAndGoesOn() {
        let store = store(bound: 4)
        let token = store.listen { [heard] in heard.append($0) }
        queue.suspend()
        for number in 1...1_000 { store.announce(number) }
        queue.resume()
        settle()
        store.announce(1_001)
        settle()
        #expect(heard.all == [997, 998, 999, 1_000, 1_001])
        #expect(store.dropped == 996)
        withExtendedLifetime(token) {}
    }

    @Test func aTokenThatIsDroppedLaterCancels() {
        let store = store()
        var token: (any AnyListenerToken)? = store.listen { [heard] in heard.append($0) }
        clock.advance(by: .milliseconds(51))
        withExtendedLifetime(token) {}
        token = nil
        store.announce(1)
        settle()
        #expect(heard.all.isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func aTokenThatIsDroppedOnAnotherThreadCancels() async {
        let store = store()
        let box = Mutex<(any AnyListenerToken)?>(store.listen { [heard] in heard.append($0) })
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "elsewhere").async {
                box.withLock { $0 = nil }
                continuation.resume()
            }
        }
        store.announce(1)
        settle()
        #expect(heard.all.isEmpty)
    }

    @Test func aStrictTokenCancelsAlways() {
        let store = store(isStrict: true)
        _ = store.listen { [heard] in heard.append($0) }
        store.announce(1)
        settle()
        #expect(heard.all.isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func aBagThatIsClearedAtOnceCancels() async {
        let (store, bag) = (store(), ListenerTokenBag())
        store.listen { [heard] in heard.append($0) }.store(in: bag)
        bag.clear()
        store.listen { [heard] in heard.append($0) }.store(in: bag)
        await bag.cancelAll()
        store.announce(1)
        settle()
        #expect(heard.all.isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func aBagThatGoesAwayCancels() {
        let store = store()
        do {
            let bag = ListenerTokenBag()
            bag.insert(store.listen { [heard] in heard.append($0) })
        }
        store.announce(1)
        settle()
        #expect(heard.all.isEmpty)
    }

    @Test func aCancelWaitsForTheCallThatIsUnderWay() async {
        let store = store()
        let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let token = store.listen { [heard] number in
            entered.signal()
            leave.wait()
            heard.append(number)
        }
        store.announce(1)
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "waits").async {
                entered.wait()
                continuation.resume()
            }
        }
        let cancelled = Task { await token.cancel() }
        while store.hasListeners { await Task.yield() }
        leave.signal()
        await cancelled.value
        #expect(heard.all == [1])
        store.announce(2)
        settle()
        #expect(heard.all == [1])
        await token.cancel()
    }

    @Test func aSlowListenerLosesTheOldest() {
        let store = store(bound: 2)
        let token = store.listen { [heard] in heard.append($0) }
        queue.suspend()
        for number in 1...5 { store.announce(number) }
        queue.resume()
        settle()
        #expect(heard.all == [4, 5])
        #expect(store.dropped == 3)
        withExtendedLifetime(token) {}
    }

    @Test func aListenerWhoseEndCallsTheStoreDoesNotBlockIt() {
        let store = store()
        final class Caller: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        func listen() {
            let caller = Caller { [heard] in heard.append(store.hasListeners ? 1 : 0) }
            _ = store.listen { _ in withExtendedLifetime(caller) {} }
        }
        listen()
        store.finish()
        settle()
        #expect(heard.all == [0])
    }

    @Test func theStreamOfAPublisherHasWhatHappensFromThenOn() async {
        let store = store()
        store.announce(0)
        var numbers = store.stream.makeAsyncIterator()
        store.announce(1)
        store.announce(2)
        #expect(await numbers.next() == 1)
        #expect(await numbers.next() == 2)
    }

    @Test func aStreamThatIsDroppedListensNoMore() async {
        let store = store()
        do {
            var numbers = store.stream.makeAsyncIterator()
            store.announce(1)
            #expect(await numbers.next() == 1)
        }
        #expect(!store.hasListeners)
    }
}
