/// Which requests of one instance are open, and how each one ended: exactly once.
///
/// Ids grow, so an id tells by itself whether it was ever given out.
struct RequestLedger: Sendable, Equatable {
    /// What the arrival of a completion means.
    enum Completion: Sendable, Equatable {
        /// The request was open; it is closed now.
        case expected
        /// The request was closed by an earlier completion.
        case doubled
        /// The request was given up at its limit.
        case late
        /// The request was never made.
        case unknown
    }

    /// Enough to tell a late completion from a doubled one; older ones count as doubled.
    private static let expiredLimit = 256

    private var next: UInt64 = 1
    private var open: Set<UInt64> = []
    private var expired: [UInt64] = []

    /// Opens a request and answers its id.
    mutating func begin() -> UInt64 {
        defer { next += 1 }
        open.insert(next)
        return next
    }

    /// Whether the id was ever given out.
    func knows(_ id: UInt64) -> Bool { id > 0 && id < next }

    /// The request was completed.
    mutating func complete(_ id: UInt64) -> Completion {
        if open.remove(id) != nil { return .expected }
        if let index = expired.firstIndex(of: id) {
            expired.remove(at: index)
            return .late
        }
        return id == 0 || id >= next ? .unknown : .doubled
    }

    /// The request was given up; false when it was closed before.
    mutating func expire(_ id: UInt64) -> Bool {
        guard open.remove(id) != nil else { return false }
        expired.append(id)
        if expired.count > Self.expiredLimit { expired.removeFirst() }
        return true
    }

    /// The request was refused at once: it has no completion. False when it was closed before.
    mutating func refuse(_ id: UInt64) -> Bool { open.remove(id) != nil }

    /// Every open request, which are closed now.
    mutating func closeAll() -> [UInt64] {
        defer { open = [] }
        return open.sorted()
    }
}
