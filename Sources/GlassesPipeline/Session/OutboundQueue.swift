import GlassesDomain
import Synchronization

/// The messages that the client has not read yet, in order, with the end behind them.
///
/// It never drops a message. Synthesis pauses above ``PipelineLimits/outboundHighWater``; a client that lets
/// ``PipelineLimits/outboundBytes`` pile up counts as gone.
final class OutboundQueue: Sendable {
    private typealias Reader = CheckedContinuation<RealtimeInbound?, Never>
    private typealias RoomWaiter = CheckedContinuation<Void, Never>

    private struct State {
        var messages: [[UInt8]] = []
        /// The first message that was not read; those before it are removed in blocks.
        var head = 0
        var bytes = 0
        var closure: ConnectionClosure?
        var isFinished = false
        var reader: Reader?
        var roomWaiters: [RoomWaiter] = []
    }

    private let state = Mutex(State())

    /// Adds a message; false when the client reads too slowly or the queue has ended.
    func push(_ message: [UInt8]) -> Bool {
        let (isAccepted, reader) = state.withLock { state -> (Bool, Reader?) in
            guard state.closure == nil, state.bytes + message.count <= PipelineLimits.outboundBytes else {
                return (false, nil)
            }
            if let reader = state.reader {
                state.reader = nil
                return (true, reader)
            }
            state.messages.append(message)
            state.bytes += message.count
            return (true, nil)
        }
        reader?.resume(returning: .message(.text(message)))
        return isAccepted
    }

    /// Ends the queue and drops what was not read; only the first end counts.
    func finish(_ closure: ConnectionClosure) {
        let (reader, waiters) = state.withLock { state -> (Reader?, [RoomWaiter]) in
            guard state.closure == nil else { return (nil, []) }
            state.closure = closure
            state.messages = []
            state.head = 0
            state.bytes = 0
            defer {
                state.isFinished = state.reader != nil
                state.reader = nil
                state.roomWaiters = []
            }
            return (state.reader, state.roomWaiters)
        }
        reader?.resume(returning: .closed(closure))
        for waiter in waiters { waiter.resume() }
    }

    /// The next message or the end; nil after the end. One reader.
    func next() async -> RealtimeInbound? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in read(continuation) }
        } onCancel: {
            stopReading()
        }
    }

    private func read(_ continuation: Reader) {
        let (waiters, value, isKept) = state.withLock {
            state -> ([RoomWaiter], RealtimeInbound?, Bool) in
            if state.head < state.messages.count {
                let message = state.messages[state.head]
                state.messages[state.head] = []
                state.head += 1
                state.bytes -= message.count
                compact(&state)
                return (takeRoomWaiters(&state), .message(.text(message)), false)
            }
            if let closure = state.closure {
                defer { state.isFinished = true }
                return ([], state.isFinished ? nil : .closed(closure), false)
            }
            // Cancelled before it waited: nobody would wake it.
            if Task.isCancelled { return ([], nil, false) }
            // A second reader would be a mistake of ours; the first one then ends.
            let previous = state.reader
            state.reader = continuation
            previous?.resume(returning: nil)
            return ([], nil, true)
        }
        if !isKept { continuation.resume(returning: value) }
        for waiter in waiters { waiter.resume() }
    }

    private func compact(_ state: inout State) {
        guard state.head == state.messages.count || state.head >= 256 else { return }
        state.messages.removeFirst(state.head)
        state.head = 0
    }

    private func takeRoomWaiters(_ state: inout State) -> [RoomWaiter] {
        // Half of the mark keeps synthesis from stopping and starting at every message.
        guard state.bytes < PipelineLimits.outboundHighWater / 2 else { return [] }
        defer { state.roomWaiters = [] }
        return state.roomWaiters
    }

    private func stopReading() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Whether synthesis should pause.
    var isFull: Bool {
        state.withLock { $0.bytes > PipelineLimits.outboundHighWater }
    }

    /// Waits until synthesis may go on, or the queue has ended. The end of the session ends the wait.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let isFull = state.withLock { state in
                guard state.closure == nil, state.bytes > PipelineLimits.outboundHighWater / 2 else { return false }
                state.roomWaiters.append(continuation)
                return true
            }
            if !isFull { continuation.resume() }
        }
    }
}
