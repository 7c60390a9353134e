import GlassesDomain

/// The calls that a child has accepted and not yet answered.
///
/// Calls of a lane are answered in order, so a lane hangs when its oldest call had the child's thread for longer than its limit:
/// since it was made, or since the one before it was answered.
struct CallLedger: Sendable, Equatable {
    /// Which call did not return.
    struct Hang: Sendable, Hashable {
        var function: String
        var limit: Duration
    }

    private struct Open: Sendable, Equatable {
        var serial: UInt64
        var function: String
        var limit: Duration
        var since: MonotonicTime
    }

    private var next: UInt64 = 1
    private var lanes: [CallLane: [Open]] = [:]

    /// Whether nothing is open.
    var isEmpty: Bool { lanes.values.allSatisfy(\.isEmpty) }

    /// How many calls are open.
    var count: Int { lanes.values.reduce(0) { $0 + $1.count } }

    /// A call is made; answers its serial.
    mutating func begin(_ function: String, _ lane: CallLane, limit: Duration, at now: MonotonicTime) -> UInt64 {
        defer { next += 1 }
        lanes[lane, default: []].append(Open(serial: next, function: function, limit: limit, since: now))
        return next
    }

    /// An answer arrived; false when no lane waits for it next.
    mutating func answer(_ serial: UInt64, at now: MonotonicTime) -> Bool {
        for (lane, open) in lanes where open.first?.serial == serial {
            lanes[lane]?.removeFirst()
            if lanes[lane]?.isEmpty == false { lanes[lane]?[0].since = now }
            return true
        }
        return false
    }

    /// The call that hangs now, if one does.
    func hang(at now: MonotonicTime) -> Hang? {
        for lane in CallLane.allCases {
            guard let oldest = lanes[lane]?.first, oldest.since.duration(to: now) > oldest.limit else { continue }
            return Hang(function: oldest.function, limit: oldest.limit)
        }
        return nil
    }

    /// When the next call hangs unless it is answered.
    var nextDeadline: MonotonicTime? {
        lanes.values.compactMap { $0.first.map { $0.since.advanced(by: $0.limit) } }.min()
    }

    /// Closes every call; answers their serials in the order in which they were made.
    mutating func closeAll() -> [UInt64] {
        defer { lanes = [:] }
        return lanes.values.flatMap { $0.map(\.serial) }.sorted()
    }
}
