import GlassesDomain
import GlassesWebSocket

// Invariant: a stream gives one list of events and one failure however it is cut, and what was decoded survives the
// encoder.

private struct Outcome: Equatable {
    var events: [WebSocketEvent] = []
    var failure: WebSocketFailure?
}

private func decode(_ bytes: [UInt8], role: WebSocketRole, maximum: Int, cut: (Int) -> Int) -> Outcome {
    var decoder = WebSocketDecoder(role: role, maximumMessage: maximum)
    var outcome = Outcome()
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + max(1, cut(start)))
        do throws(WebSocketFailure) {
            try decoder.decode(bytes[start..<end], into: &outcome.events)
        } catch {
            outcome.failure = error
            return outcome
        }
        start = end
    }
    return outcome
}

/// Writes the events as the other end would, long messages in fragments.
private func encode(_ events: [WebSocketEvent], role: WebSocketRole, mask: UInt32, fragment: Int) -> [UInt8] {
    let encoder = WebSocketEncoder(role: role)
    var output: [UInt8] = []
    for event in events {
        switch event {
        case .message(let message):
            var outgoing = OutgoingMessage(message)
            while !outgoing.appendFrame(encoder, maximumPayload: fragment, mask: mask, to: &output) {}
        case .ping(let payload): encoder.appendPing(payload, mask: mask, to: &output)
        case .pong(let payload): encoder.appendPong(payload, mask: mask, to: &output)
        case .close(let code, let reason): encoder.appendClose(code: code, reason: reason, mask: mask, to: &output)
        }
    }
    return output
}

/// Masks need not be random here, and a finding must happen again.
private struct CountingGenerator: RandomNumberGenerator {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 0x9E37_79B9_7F4A_7C15
        return last
    }
}

/// Lives a whole connection with these bytes from the peer.
private func connect(_ bytes: [UInt8], role: WebSocketRole, maximum: Int, seed: UInt8) {
    var limits = WebSocketLimits(inboundMessage: maximum, controlBytes: 1_000, audioBytes: 1_000, highWater: 100)
    limits.framePayload = Int(seed) + 1
    var endpoint = WebSocketEndpoint(role: role, limits: limits, at: .zero)
    var generator = CountingGenerator()
    var output: [UInt8] = []
    var closures = 0
    let length = Int(seed) % 32 + 1
    for start in stride(from: 0, to: bytes.count, by: length) {
        let now = MonotonicTime(nanoseconds: Int64(start) * 100_000_000)
        let byte = bytes[start]
        endpoint.received(Array(bytes[start..<min(bytes.count, start + length)]), at: now)
        if byte & 0x10 == 0 { _ = endpoint.send(.binary([byte]), lane: .audio, at: now) }
        if byte & 3 == 0 {
            endpoint.fillOutput(&output, using: &generator)
            endpoint.wrote(output.count, at: now)
            output.removeAll()
        }
        endpoint.timerFired(at: now)
        for case .closed in endpoint.takeNotices() { closures += 1 }
    }
    endpoint.peerEnded(at: .zero)
    for case .closed in endpoint.takeNotices() { closures += 1 }
    guard closures == 1, endpoint.isFinished else { fatalError("a connection ended \(closures) times") }
}

/// One input of the fuzzer; a broken invariant ends the process.
@c(LLVMFuzzerTestOneInput)
public func fuzzWebSocket(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard size >= 2 else { return 0 }
    let input = UnsafeBufferPointer(start: data, count: size)
    let (options, seed) = (input[0], input[1])
    let bytes = Array(input[2...])
    let role: WebSocketRole = options & 1 == 0 ? .client : .server
    let maximum = options & 2 == 0 ? 1 << 16 : 64
    let whole = decode(bytes, role: role, maximum: maximum) { _ in bytes.count }
    let single = decode(bytes, role: role, maximum: maximum) { _ in 1 }
    let pieces = decode(bytes, role: role, maximum: maximum) { ($0 &* 31 &+ Int(seed)) % 23 }
    guard whole == single, whole == pieces else { fatalError("the cut changes the result") }

    let other: WebSocketRole = role == .client ? .server : .client
    let again = encode(whole.events, role: other, mask: UInt32(seed) &* 0x0101_0305, fragment: Int(options >> 2) + 1)
    let decoded = decode(again, role: role, maximum: maximum) { _ in again.count }
    guard decoded == Outcome(events: whole.events) else { fatalError("the encoder changes the events") }
    connect(bytes, role: role, maximum: maximum, seed: seed)
    return 0
}
