import Dispatch
import GlassesDomain
import GlassesWebSocket
import MWDATCore
import Synchronization

/// A wire over a WebSocket: its binary messages are the pieces of the stream.
final class WebSocketWire: LinkWire, WebSocketReceiver {
    private struct State {
        var channel: (any WebSocketChannel)?
        var outbox = LinkOutbox()
        /// Pieces that the owner has not read yet.
        var pieces = MessageQueue<[UInt8]>()
        var waitingBytes = 0
        var isPaused = false
        var end: Refusal?
        var isClosed = false
        var isInterrupted = false
    }

    private struct Input {
        var decoder = LinkMessageDecoder()
        var messages = MessageQueue<LinkMessage>()
        var end: Refusal?
    }

    /// With more unread bytes than this the phone is held back.
    private static let inboundHighWater = 4 << 20
    /// What a piece takes besides its bytes: a phone could send millions of one byte.
    private static let pieceCost = 64
    /// With more unsent bytes than this the outbox keeps the rest, so that the oldest pictures can still be dropped.
    /// The channel must be opened with this as its own high water, since it tells only then that it is empty again.
    static let outboundHighWater = 64 << 10

    private let state = Mutex(State())
    private let input = Mutex(Input())
    private let signal = DispatchSemaphore(value: 0)

    /// The socket is open.
    func attach(_ channel: any WebSocketChannel) {
        let isOver = state.withLock { state in
            state.channel = channel
            pump(&state)
            return state.end != nil
        }
        if isOver { channel.close(code: 1000, reason: "") }
    }

    var droppedMedia: Int { state.withLock { $0.outbox.dropped } }

    @discardableResult
    func send(_ message: LinkMessage) -> LinkSendOutcome {
        state.withLock { state in
            guard state.end == nil else { return .ended }
            let outcome = state.outbox.add(message)
            if outcome == .ended { end(Self.slowPeer, &state) } else { pump(&state) }
            return outcome
        }
    }

    func grant(frames: Int) {
        state.withLock { state in
            state.outbox.grant(frames: frames)
            pump(&state)
        }
    }

    func interrupt() {
        state.withLock { $0.isInterrupted = true }
        signal.signal()
    }

    func abandon(_ refusal: Refusal) { state.withLock { end(refusal, &$0) } }

    func receive(until deadline: ContinuousClock.Instant?) -> LinkArrival {
        while true {
            if let message = input.withLock({ $0.messages.popFirst() }) { return .message(message) }
            if let end = input.withLock({ $0.end }) { return .ended(end) }
            let (piece, end, wasInterrupted) = take()
            if wasInterrupted { return .interrupted }
            if let piece {
                decode(piece)
                continue
            }
            if let end { return .ended(end) }
            guard let deadline else {
                signal.wait()
                continue
            }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .timedOut }
            _ = signal.wait(timeout: .now() + .milliseconds(Int(clamping: left.wholeMilliseconds + 1)))
        }
    }

    func finish(within bound: Duration) {
        let deadline = ContinuousClock.now.advanced(by: bound)
        while state.withLock({ $0.end == nil && ($0.outbox.hasNext || ($0.channel?.waitingBytes ?? 0) > 0) }),
            ContinuousClock.now < deadline
        {
            _ = signal.wait(timeout: .now() + .milliseconds(5))
        }
        let channel = state.withLock { state in
            end(Self.closedHere, &state)
            return state.channel
        }
        channel?.close(code: 1000, reason: "")
        while !state.withLock({ $0.isClosed }), ContinuousClock.now < deadline {
            _ = signal.wait(timeout: .now() + .milliseconds(5))
        }
    }

    // MARK: From the loop's thread

    func received(_ message: RealtimeMessage) {
        state.withLock { state in
            guard state.end == nil else { return }
            switch message {
            case .text: end(Self.textHeard, &state)
            case .binary(let bytes):
                state.pieces.append(bytes)
                state.waitingBytes += bytes.count + Self.pieceCost
                guard state.waitingBytes > Self.inboundHighWater, !state.isPaused else { return }
                state.isPaused = true
                state.channel?.pauseReading()
            }
        }
        signal.signal()
    }

    func drained() { state.withLock { pump(&$0) } }

    func closed(_ closure: ConnectionClosure) {
        state.withLock { state in
            state.isClosed = true
            let refusal = Refusal(.transport, "The phone's connection ended: \(closure.message)", isRetryable: true)
            end(refusal, &state)
        }
    }

    // MARK: Inside

    /// A piece that came before the end is still handed out.
    private func take() -> (piece: [UInt8]?, end: Refusal?, wasInterrupted: Bool) {
        state.withLock { state in
            if state.isInterrupted {
                state.isInterrupted = false
                return (nil, nil, true)
            }
            guard let piece = state.pieces.popFirst() else { return (nil, state.end, false) }
            state.waitingBytes -= piece.count + Self.pieceCost
            if state.isPaused, state.waitingBytes <= Self.inboundHighWater / 2 {
                state.isPaused = false
                state.channel?.resumeReading()
            }
            return (piece, nil, false)
        }
    }

    private func decode(_ piece: [UInt8]) {
        input.withLock { input in
            var decoded: [LinkMessage] = []
            do throws(LinkCodecError) { try input.decoder.decode(piece, into: &decoded) } catch {
                input.end = error.refusal
            }
            input.messages.append(contentsOf: decoded)
        }
    }

    private func end(_ refusal: Refusal, _ state: inout State) {
        guard state.end == nil else { return }
        state.end = refusal
        state.outbox = LinkOutbox()
        signal.signal()
    }

    private func pump(_ state: inout State) {
        guard let channel = state.channel else { return }
        while state.end == nil, channel.waitingBytes <= Self.outboundHighWater, let next = state.outbox.next() {
            if channel.send(.binary(next.bytes), lane: .control) == .refused { end(Self.slowPeer, &state) }
        }
    }

    private static let closedHere = Refusal(.transport, "This end closed the connection.", isRetryable: true)
    private static let textHeard = Refusal(
        .transport, "The phone sent a text message where binary ones are expected. Update its app.", isRetryable: true)
    private static let slowPeer = Refusal(
        .transport, "The phone does not read what it is sent. Look whether its app hangs.", isRetryable: true)
}
