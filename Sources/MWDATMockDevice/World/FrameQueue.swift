import GlassesDomain
import MWDATCore

/// Pictures on their way over a link of limited rate: one is being sent, a few wait, the oldest of them gives way.
struct FrameQueue: Sendable, Equatable {
    /// With the one that is being sent, about a tenth of a second at 30 a second: what is older is no longer live.
    static let waitingLimit = 2
    /// What HEVC makes of a pixel at a bit rate that glasses use.
    static let wireBitsPerPixel = 0.1

    private struct Sending: Equatable {
        var frame: LinkFrame
        var arrival: MonotonicTime
    }

    private var sending: Sending?
    private var waiting: [LinkFrame] = []
    /// Pictures that gave way, and those that needed one of them.
    private(set) var dropped = 0
    private var gate = KeyFrameGate()

    /// When the next picture arrives.
    var nextArrival: MonotonicTime? { sending?.arrival }

    /// Takes a picture in and answers those that have arrived. A `rate` of nil delivers at once.
    mutating func push(_ frame: LinkFrame, rate: Int?, at now: MonotonicTime) -> [LinkFrame] {
        var arrived = arrivals(rate: rate, at: now)
        guard gate.lets(frame) else {
            dropped += 1
            return arrived
        }
        guard let rate else {
            arrived.append(frame)
            return arrived
        }
        if sending == nil {
            send(frame, rate: rate, from: now)
            return arrived
        }
        waiting.append(frame)
        if waiting.count > Self.waitingLimit {
            gate.close(after: waiting.removeFirst())
            dropped += 1
            // What depends on the lost one is of no use either.
            let count = waiting.count
            waiting.removeAll { !gate.lets($0) }
            dropped += count - waiting.count
        }
        return arrived
    }

    /// The pictures that have arrived by now.
    mutating func arrivals(rate: Int?, at now: MonotonicTime) -> [LinkFrame] {
        var arrived: [LinkFrame] = []
        while let sent = sending, sent.arrival <= now || rate == nil {
            arrived.append(sent.frame)
            sending = nil
            guard !waiting.isEmpty else { break }
            send(waiting.removeFirst(), rate: rate, from: sent.arrival)
        }
        return arrived
    }

    private mutating func send(_ frame: LinkFrame, rate: Int?, from start: MonotonicTime) {
        let bits = Self.wireBits(frame)
        let time = rate.map { Duration.fromSeconds(bits / Double(max(1, $0))) } ?? .zero
        sending = Sending(frame: frame, arrival: start.advanced(by: time))
    }

    /// Forgets what is under way.
    mutating func clear() {
        sending = nil
        waiting = []
    }

    /// Lets nothing pass that needs a picture which was lost.
    mutating func waitForKeyFrame(_ coding: LinkCoding) { gate.close(coding) }

    private static func wireBits(_ frame: LinkFrame) -> Double {
        switch frame.coding {
        case .i420: Double(frame.width * frame.height) * wireBitsPerPixel
        case .hvc1: Double(frame.bytes.count * 8)
        }
    }
}
