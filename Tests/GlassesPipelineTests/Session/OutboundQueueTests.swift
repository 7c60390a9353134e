import GlassesDomain
import Testing

@testable import GlassesPipeline

@Suite("The queue of unread events", .timeLimit(.minutes(1)))
struct OutboundQueueTests {
    private static let end = ConnectionClosure(code: "closed", message: "Closed.", closeCode: 1_000)

    @Test("messages come out in order, and the end once behind them")
    func order() async {
        let queue = OutboundQueue()
        for byte in UInt8(0)..<200 { #expect(queue.push([byte])) }
        for byte in UInt8(0)..<200 { #expect(await queue.next() == .message(.text([byte]))) }
        queue.finish(Self.end)
        #expect(await queue.next() == .closed(Self.end))
        #expect(await queue.next() == nil)
    }

    @Test("a reader that waits gets the message, or the end")
    func waitingReader() async {
        let queue = OutboundQueue()
        async let first = queue.next()
        _ = queue.push([1])
        #expect(await first == .message(.text([1])))
        async let second = queue.next()
        queue.finish(Self.end)
        #expect(await second == .closed(Self.end))
        #expect(!queue.push([2]))
    }

    @Test("a message beyond the limit is refused, and reading makes room")
    func limit() async {
        let queue = OutboundQueue()
        let piece = [UInt8](repeating: 0, count: PipelineLimits.outboundBytes / 4)
        for _ in 0..<4 { #expect(queue.push(piece)) }
        #expect(!queue.push([1]))
        _ = await queue.next()
        #expect(queue.push([1]))
    }

    @Test("waiting for room ends when half of it was read, and at the end")
    func room() async {
        let queue = OutboundQueue()
        let piece = [UInt8](repeating: 0, count: PipelineLimits.outboundHighWater / 4 + 1)
        for _ in 0..<4 { _ = queue.push(piece) }
        #expect(queue.isFull)
        async let hasRoom: Void = queue.waitForRoom()
        for _ in 0..<3 { _ = await queue.next() }
        await hasRoom
        #expect(!queue.isFull)
        for _ in 0..<4 { _ = queue.push(piece) }
        async let isOver: Void = queue.waitForRoom()
        queue.finish(Self.end)
        await isOver
    }

    @Test("a reader whose task is cancelled stops without a message")
    func cancelledReader() async {
        let queue = OutboundQueue()
        let reader = Task { await queue.next() }
        reader.cancel()
        #expect(await reader.value == nil)
        #expect(queue.push([1]))
    }
}
