import GlassesDomain

/// Makes a stream fit a link: first smaller pictures, a step for each decision, then fewer of them; and back when there is room.
///
/// Rates below 15 a second are never lowered. No event tells of a step: pictures simply have their size.
struct BandwidthLadder: Sendable, Equatable {
    /// What a stream sends.
    struct Rung: Sendable, Hashable {
        var width: Int
        var height: Int
        var framesPerSecond: Int

        /// What it needs of a link, in bits a second.
        var bits: Double { Double(width * height * framesPerSecond) * FrameQueue.wireBitsPerPixel }
    }

    /// Portrait sizes of glasses, largest first.
    static let sizes = [(width: 720, height: 1_280), (width: 504, height: 896), (width: 360, height: 640)]
    /// The rates that it uses, highest first.
    static let rates = [30, 24, 15]
    /// From decision to decision: long enough to see what the last one did.
    static let interval = Duration.seconds(1)
    /// How much of the rate the next rung up may need: with less room it would come down again at once.
    static let headroom = 0.8
    /// How long there has to be room before it climbs.
    static let patience = Duration.seconds(3)

    /// All rungs from the one that was asked for downwards.
    let rungs: [Rung]
    private(set) var position = 0
    private var nextDecision: MonotonicTime?
    private var roomSince: MonotonicTime?

    /// A ladder below what was asked for.
    init(requested: Rung) {
        var rungs = [requested]
        for size in Self.sizes where size.width < requested.width {
            rungs.append(Rung(width: size.width, height: size.height, framesPerSecond: requested.framesPerSecond))
        }
        for rate in Self.rates where rate < requested.framesPerSecond {
            var slower = rungs[rungs.count - 1]
            slower.framesPerSecond = rate
            rungs.append(slower)
        }
        self.rungs = rungs
    }

    /// What is sent now.
    var current: Rung { rungs[position] }

    /// Looks at the link's rate, in bits a second or nil for no limit; answers the rung when it changed.
    mutating func decide(linkRate: Int?, at now: MonotonicTime) -> Rung? {
        if let nextDecision, now < nextDecision { return nil }
        nextDecision = now.advanced(by: Self.interval)
        let rate = linkRate.map(Double.init) ?? .infinity
        if current.bits > rate, position + 1 < rungs.count {
            roomSince = nil
            position += 1
            return current
        }
        guard position > 0, rungs[position - 1].bits <= rate * Self.headroom else {
            roomSince = nil
            return nil
        }
        let since = roomSince ?? now
        roomSince = since
        guard since.duration(to: now) >= Self.patience else { return nil }
        roomSince = nil
        position -= 1
        return current
    }
}
