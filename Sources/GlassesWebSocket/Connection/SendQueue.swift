import GlassesDomain

/// What waits to be sent: two lanes of messages, and control frames that go between the frames of a long one.
///
/// Control messages overtake audio, never a message that has begun; each lane keeps its order.
struct SendQueue: Sendable {
    private let encoder: WebSocketEncoder
    private let framePayload: Int
    private var control = MessageLane()
    private var audio = MessageLane()
    private var current: (message: OutgoingMessage, lane: UplinkLane)?
    private var pendingPong: [UInt8]?
    private var isPingPending = false
    private var pendingClose: (code: UInt16?, reason: String)?
    /// Whether the close frame has been handed out; nothing follows it.
    private(set) var isCloseOut = false

    init(role: WebSocketRole, framePayload: Int) {
        encoder = WebSocketEncoder(role: role)
        self.framePayload = framePayload
    }

    /// The bytes of the message bodies that no frame carries yet.
    var bytes: Int { control.bytes + audio.bytes + (current?.message.remaining ?? 0) }
    /// When the audio message that waits longest was accepted.
    var oldestAudio: MonotonicTime? { audio.oldest }

    /// Whether a frame waits.
    var hasOutput: Bool {
        guard !isCloseOut else { return false }
        return current != nil || !control.isEmpty || !audio.isEmpty || pendingPong != nil || isPingPending
            || pendingClose != nil
    }

    /// The bytes that wait in one lane.
    func bytes(in lane: UplinkLane) -> Int {
        let begun = current?.lane == lane ? current?.message.remaining ?? 0 : 0
        return begun + (lane == .control ? control.bytes : audio.bytes)
    }

    mutating func append(_ message: RealtimeMessage, lane: UplinkLane, at now: MonotonicTime) {
        switch lane {
        case .control: control.append(OutgoingMessage(message), at: now)
        case .audio: audio.append(OutgoingMessage(message), at: now)
        }
    }

    mutating func append(_ frame: WebSocketMachine.ControlFrame) {
        switch frame {
        case .ping: isPingPending = true
        case .pong(let payload): pendingPong = payload
        case .close(let code, let reason): pendingClose = (code, reason)
        }
    }

    mutating func discard(_ what: WebSocketMachine.Discard) {
        switch what {
        case .nothing: return
        case .audio: audio.removeAll()
        case .everything:
            audio.removeAll()
            control.removeAll()
            (current, pendingPong, isPingPending) = (nil, nil, false)
        }
    }

    /// Appends frames to `output` until it holds `target` bytes or nothing waits; a frame is never cut.
    mutating func fill(_ output: inout [UInt8], target: Int, using generator: inout some RandomNumberGenerator) {
        while output.count < target, hasOutput {
            let mask = encoder.role == .client ? UInt32(truncatingIfNeeded: generator.next()) : 0
            appendNextFrame(mask, to: &output)
        }
    }

    private mutating func appendNextFrame(_ mask: UInt32, to output: inout [UInt8]) {
        if let payload = pendingPong {
            pendingPong = nil
            encoder.appendPong(payload, mask: mask, to: &output)
        } else if isPingPending {
            isPingPending = false
            encoder.appendPing([], mask: mask, to: &output)
        } else if appendMessageFrame(mask, to: &output) {
            return
        } else if let close = pendingClose {
            isCloseOut = true
            encoder.appendClose(code: close.code, reason: close.reason, mask: mask, to: &output)
        }
    }

    /// Appends a frame of the message that has begun, else of the next one; false when none waits.
    private mutating func appendMessageFrame(_ mask: UInt32, to output: inout [UInt8]) -> Bool {
        guard var sending = current ?? next() else { return false }
        let isLast = sending.message.appendFrame(encoder, maximumPayload: framePayload, mask: mask, to: &output)
        current = isLast ? nil : sending
        return true
    }

    private mutating func next() -> (message: OutgoingMessage, lane: UplinkLane)? {
        if let message = control.popFirst() { return (message, .control) }
        if let message = audio.popFirst() { return (message, .audio) }
        return nil
    }
}
