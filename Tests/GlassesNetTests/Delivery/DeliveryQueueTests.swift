import Synchronization
import Testing

@testable import GlassesNet

struct DeliveryQueueTests {
    @Test("Elements arrive in order with the end behind them, and nothing after it")
    func order() async {
        let queue = DeliveryQueue<Int>(highWater: 100)
        for number in 0..<600 { _ = queue.push(number, cost: 0) }
        queue.finish(-1)
        _ = queue.push(7, cost: 0)
        queue.finish(-2)
        var read: [Int] = []
        while let number = await queue.next() { read.append(number) }
        #expect(read == Array(0..<600) + [-1])
        #expect(await queue.next() == nil)
    }

    @Test("A producer is stopped above the mark and told to go on at half of it, once")
    func room() async {
        let queue = DeliveryQueue<Int>(highWater: 100)
        let calls = Mutex(0)
        queue.whenRoom { calls.withLock { $0 += 1 } }
        var stops = 0
        for number in 0..<12 where queue.push(number, cost: 10) { stops += 1 }
        #expect(stops == 2 && queue.isFull)
        for _ in 0..<6 { _ = await queue.next() }
        #expect(calls.withLock { $0 } == 0)
        for _ in 0..<6 { _ = await queue.next() }
        #expect(calls.withLock { $0 } == 1 && !queue.isFull)
    }

    @Test("A waiting reader gets the next element, the end, or nil when its task is cancelled")
    func waiting() async {
        let queue = DeliveryQueue<Int>(highWater: 1)
        let first = Task { await queue.next() }
        #expect(!queue.push(1, cost: 100) || queue.isFull)
        #expect(await first.value == 1)
        let cancelled = Task { await queue.next() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let last = Task { await queue.next() }
        queue.finish(9)
        #expect(await last.value == 9)
        #expect(await queue.next() == nil)
    }

    @Test("A reader that has gone away takes nothing more, and its producer is never stopped")
    func abandoned() async {
        let queue = DeliveryQueue<Int>(highWater: 1)
        _ = queue.push(1, cost: 50)
        queue.abandon()
        #expect(!queue.push(2, cost: 50))
        #expect(await queue.next() == nil)
    }
}
