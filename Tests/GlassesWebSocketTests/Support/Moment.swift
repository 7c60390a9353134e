import SeededRandom
import GlassesDomain
import GlassesWebSocket

extension MonotonicTime {
    /// A moment of a test's timeline.
    static func at(_ duration: Duration) -> MonotonicTime { MonotonicTime.zero.advanced(by: duration) }
}

extension WebSocketLimits {
    /// Small bounds that a test can reach.
    static func test(_ change: (inout WebSocketLimits) -> Void = { _ in }) -> WebSocketLimits {
        var limits = WebSocketLimits(inboundMessage: 1_000, controlBytes: 10_000, audioBytes: 1_000, highWater: 500)
        change(&limits)
        return limits
    }
}

/// An endpoint with the far end's decoder and a socket that takes what the test lets it take.
struct TestLink {
    var endpoint: WebSocketEndpoint
    var now = MonotonicTime.zero
    private(set) var notices: [WebSocketNotice] = []
    private(set) var sent: [WebSocketEvent] = []
    private(set) var wire: [UInt8] = []
    private var buffer: [UInt8] = []
    private var peer: WebSocketDecoder
    private var generator = SeededGenerator(seed: 1)

    init(_ role: WebSocketRole = .client, limits: WebSocketLimits = .test()) {
        endpoint = WebSocketEndpoint(role: role, limits: limits, at: .zero)
        peer = WebSocketDecoder(role: role == .client ? .server : .client, maximumMessage: .max)
    }

    /// Lets the kernel take up to `count` bytes.
    mutating func write(_ count: Int = .max) throws {
        var left = count
        while left > 0, endpoint.wantsWrite {
            if buffer.isEmpty { endpoint.fillOutput(&buffer, using: &generator) }
            let taken = min(left, buffer.count)
            try peer.decode(buffer[..<taken], into: &sent)
            wire += buffer[..<taken]
            buffer.removeFirst(taken)
            endpoint.wrote(taken, at: now)
            left -= taken
        }
        collect()
    }

    mutating func receive(_ bytes: [UInt8]) {
        endpoint.received(bytes, at: now)
        collect()
    }

    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        endpoint.timerFired(at: now)
        collect()
    }

    mutating func collect() { notices += endpoint.takeNotices() }

    var closure: ConnectionClosure? {
        let closures = notices.compactMap { notice in if case .closed(let closure) = notice { closure } else { nil } }
        return closures.count == 1 && notices.last == .closed(closures[0]) ? closures[0] : nil
    }
}
