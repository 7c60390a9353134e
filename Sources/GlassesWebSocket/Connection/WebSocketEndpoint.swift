import GlassesDomain

/// One open WebSocket without its socket: what a network loop needs between its reads and its writes, in either role.
///
/// A loop feeds bytes and moments and passes the app's calls on. After each call it tells the receiver
/// ``takeNotices()``, and looks at ``wantsRead``, ``wantsWrite``, ``deadline`` and ``isFinished``. A value, to be kept
/// behind one lock: the app sends from any thread.
public struct WebSocketEndpoint: Sendable {
    /// How much ``fillOutput(_:using:)`` gathers before it lets the loop write: a few socket buffers' worth, and what a
    /// pong or a control message waits for at most besides the frame under way.
    private static let outputTarget = 64 << 10

    private let limits: WebSocketLimits
    private var decoder: WebSocketDecoder
    private var machine: WebSocketMachine
    private var queue: SendQueue
    private var decoded: [WebSocketEvent] = []
    private var notices: [WebSocketNotice] = []
    private var isPaused = false
    /// Bytes that were handed out and that the kernel has not taken.
    private var unwritten = 0
    private var wasAboveHighWater = false

    /// The end `role` of a connection that was upgraded at `now`.
    public init(role: WebSocketRole, limits: WebSocketLimits, at now: MonotonicTime) {
        self.limits = limits
        decoder = WebSocketDecoder(role: role, maximumMessage: limits.inboundMessage)
        machine = WebSocketMachine(limits: limits, at: now)
        queue = SendQueue(role: role, framePayload: limits.framePayload)
    }

    /// Whether the loop should read: not while paused, and until the end once closing, since the peer's close frame is
    /// due.
    public var wantsRead: Bool { !machine.isFinished && !(isPaused && machine.isOpen) }
    /// Whether there is something to write: frames that wait, or bytes that the kernel has not taken.
    public var wantsWrite: Bool { !machine.isFinished && (unwritten > 0 || queue.hasOutput) }
    /// Whether the socket may be dropped. A ``WebSocketNotice/closed(_:)`` was given before, or is about to be taken.
    public var isFinished: Bool { machine.isFinished }
    /// Whether ``takeNotices()`` has something for the receiver.
    public var hasNotices: Bool { !notices.isEmpty }
    /// The bytes that were accepted and that the kernel has not taken.
    public var waitingBytes: Int { queue.bytes + unwritten }

    /// When ``timerFired(at:)`` is due; nil when nothing waits for a moment.
    public var deadline: MonotonicTime? {
        guard let stalledAt else { return machine.deadline }
        return machine.deadline.map { min($0, stalledAt) } ?? stalledAt
    }

    /// When the audio that waits longest counts as stalled.
    private var stalledAt: MonotonicTime? {
        machine.isOpen ? queue.oldestAudio?.advanced(by: limits.audioAge) : nil
    }

    // MARK: What the app does

    /// Queues a message: refused once the connection closes, and when a bound breaks, which ends it.
    public mutating func send(_ message: RealtimeMessage, lane: UplinkLane, at now: MonotonicTime) -> UplinkOutcome {
        guard machine.isOpen else { return .refused }
        let size =
            switch message {
            case .text(let bytes), .binary(let bytes): bytes.count
            }
        let bound = lane == .control ? limits.controlBytes : limits.audioBytes
        guard queue.bytes(in: lane) + size <= bound else {
            apply(.linkLost(lane == .control ? .controlOverflow : .audioStalled), at: now)
            return .refused
        }
        queue.append(message, lane: lane, at: now)
        if waitingBytes > limits.highWater { wasAboveHighWater = true }
        return .accepted
    }

    /// Starts the closing handshake: the control messages that wait go first, waiting audio is given up, and the end is
    /// told within ``WebSocketLimits/close``. Messages that still come are dropped. Later calls change nothing.
    public mutating func close(code: UInt16, reason: String, at now: MonotonicTime) {
        apply(.closeRequested(code: code, reason: reason), at: now)
    }

    /// Lets the peer wait: ``wantsRead`` is false until reading is resumed or the connection closes.
    public mutating func pauseReading(at now: MonotonicTime) {
        isPaused = true
        apply(.readingPaused, at: now)
    }

    /// Reads on.
    public mutating func resumeReading(at now: MonotonicTime) {
        isPaused = false
        apply(.readingResumed, at: now)
    }

    // MARK: What the socket does

    /// Takes bytes of the peer; the first may be those behind the upgrade's header.
    public mutating func received(_ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) {
        guard !bytes.isEmpty, !machine.isFinished else { return }
        apply(.bytesArrived, at: now)
        var failure: WebSocketFailure?
        do {
            try decoder.decode(bytes, into: &decoded)
        } catch {
            failure = error
        }
        for event in decoded { apply(.eventDecoded(event), at: now) }
        decoded.removeAll(keepingCapacity: true)
        if let failure { apply(.decodingFailed(failure), at: now) }
    }

    /// Takes bytes of the peer; as ``received(_:at:)-(UnsafeRawBufferPointer,_)``.
    public mutating func received(_ bytes: [UInt8], at now: MonotonicTime) {
        bytes.withUnsafeBytes { received($0, at: now) }
    }

    /// Appends the next frames to `output` until it holds 64 KiB or nothing waits; the last frame may exceed that. The
    /// loop writes them in this order, nothing between them, and reports with ``wrote(_:at:)``. `generator` makes a
    /// client's masks: the system's, outside of tests.
    public mutating func fillOutput(_ output: inout [UInt8], using generator: inout some RandomNumberGenerator) {
        guard !machine.isFinished else { return }
        let before = output.count
        queue.fill(&output, target: Self.outputTarget, using: &generator)
        unwritten += output.count - before
    }

    /// The kernel took `count` of the bytes that ``fillOutput(_:using:)`` handed out.
    public mutating func wrote(_ count: Int, at now: MonotonicTime) {
        unwritten = max(0, unwritten - count)
        if unwritten == 0 && queue.isCloseOut { apply(.closeWritten, at: now) }
        if waitingBytes == 0 && wasAboveHighWater && machine.isOpen {
            wasAboveHighWater = false
            notices.append(.drained)
        }
    }

    /// The peer ended its side of the link; what came before has been passed on.
    public mutating func peerEnded(at now: MonotonicTime) { apply(.peerEnded, at: now) }

    /// The link broke; `closure` says how, unless an end was told before.
    public mutating func linkFailed(_ closure: ConnectionClosure, at now: MonotonicTime) {
        apply(.linkLost(closure), at: now)
    }

    /// A moment came; an early or a stale one changes nothing.
    public mutating func timerFired(at now: MonotonicTime) {
        if let stalledAt, now >= stalledAt { apply(.linkLost(.audioStalled), at: now) }
        apply(.timerFired, at: now)
    }

    /// What the receiver has not been told, in order.
    public mutating func takeNotices() -> [WebSocketNotice] {
        let taken = notices
        notices = []
        return taken
    }

    private mutating func apply(_ input: WebSocketMachine.Input, at now: MonotonicTime) {
        let actions = machine.apply(input, at: now)
        queue.discard(actions.discard)
        if let frame = actions.send { queue.append(frame) }
        if let message = actions.deliver { notices.append(.message(message)) }
        if let closure = actions.closure { notices.append(.closed(closure)) }
        if machine.isFinished { unwritten = 0 }
    }
}
