import Synchronization

/// A response body that is written while it is sent. Any thread may call its members; they return at once.
public final class HTTPBodyStream: Sendable {
    /// The bytes that may wait for a slow reader before ``write(_:)`` refuses: some seconds of server-sent events.
    public static let highWater = 256 << 10

    /// What the sender finds when it looks for bytes.
    enum Piece: Equatable {
        case bytes(Int)
        /// Nothing yet; the sender was noted as waiting and is woken once by the next change.
        case nothing
        case end
        case failed
    }

    private enum Ending { case open, finished, abandoned }

    private struct State {
        var waiting: [UInt8] = []
        var ending = Ending.open
        var wake: (@Sendable () -> Void)?
        var hasRefused = false
        var onReady: (@Sendable () -> Void)?
        var onAbandoned: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// An empty open stream.
    public init() {}

    /// Adds bytes; false when ``highWater`` bytes wait already or the stream has ended, and then nothing is taken.
    public func write(_ bytes: [UInt8]) -> Bool {
        let (isTaken, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.ending == .open else { return (false, nil) }
            guard state.waiting.count < Self.highWater else {
                state.hasRefused = true
                return (false, nil)
            }
            state.waiting += bytes
            return (true, Self.takeWake(&state))
        }
        wake?()
        return isTaken
    }

    /// Ends the body after what waits. Later calls change nothing.
    public func finish() { end(.finished) }

    /// Calls `action` each time that bytes are taken again after ``write(_:)`` refused some for lack of room.
    public func whenReady(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onReady = action } }

    /// Calls `action` once when the peer left, or was given up, before the end; at once when it already has.
    public func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if state.ending == .abandoned { return true }
            state.onAbandoned = action
            return false
        }
        if isLate { action() }
    }

    /// The bytes that wait to be sent.
    public var waitingBytes: Int { state.withLock { $0.waiting.count } }

    /// Ends the stream for want of a reader; nothing more is sent.
    func abandon() { end(.abandoned) }

    /// Copies the next bytes into `target`; with none there, `wake` is called once when that changes.
    func read(into target: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> Piece {
        let (piece, onReady) = state.withLock { state -> (Piece, (@Sendable () -> Void)?) in
            if state.ending == .abandoned { return (.failed, nil) }
            let count = min(target.count, state.waiting.count)
            guard count > 0 else {
                if state.ending == .finished { return (.end, nil) }
                state.wake = wake
                return (.nothing, nil)
            }
            state.waiting.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            state.waiting.removeFirst(count)
            guard state.hasRefused, state.waiting.count < Self.highWater else { return (.bytes(count), nil) }
            state.hasRefused = false
            return (.bytes(count), state.onReady)
        }
        if let onReady { HandlerThreads.shared.run(onReady) }
        return piece
    }

    private func end(_ ending: Ending) {
        let (wake, onAbandoned) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            guard state.ending == .open || (ending == .abandoned && !state.waiting.isEmpty) else { return (nil, nil) }
            state.ending = ending
            if ending == .abandoned { state.waiting = [] }
            defer { state.onAbandoned = ending == .abandoned ? nil : state.onAbandoned }
            return (Self.takeWake(&state), ending == .abandoned ? state.onAbandoned : nil)
        }
        wake?()
        if let onAbandoned { HandlerThreads.shared.run(onAbandoned) }
    }

    private static func takeWake(_ state: inout State) -> (@Sendable () -> Void)? {
        defer { state.wake = nil }
        return state.wake
    }
}
