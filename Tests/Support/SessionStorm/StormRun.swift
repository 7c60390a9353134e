import GlassesAssistant
import GlassesDomain

/// What many conversations came to.
public struct StormRun: Sendable {
    /// A conversation in which an invariant did not hold.
    public struct Failure: Sendable {
        /// Its seed.
        public let seed: UInt64
        /// What did not hold.
        public let violation: StormViolation
    }

    /// Conversations lived through.
    public private(set) var conversations = 0
    /// Steps of all of them.
    public private(set) var steps = 0
    /// Strikes of faults.
    public private(set) var counts = StormCounts()
    /// What was visited.
    public private(set) var pairs: Set<StormWorld.Pair> = []
    /// Seeds that failed, at most 20 of them.
    public private(set) var failures: [Failure] = []

    /// Nothing yet.
    public init() {}

    /// Lives through the conversation of a seed.
    public mutating func add(seed: UInt64, bug: StormBug? = nil) {
        let world = StormWorld(seed: seed, bug: bug)
        world.run()
        conversations += 1
        steps += world.steps
        counts.add(world.counts)
        pairs.formUnion(world.pairs)
        if let violation = world.violation, failures.count < 20 {
            failures.append(Failure(seed: seed, violation: violation))
        }
    }

    /// Adds what another run came to.
    public mutating func add(_ other: StormRun) {
        conversations += other.conversations
        steps += other.steps
        counts.add(other.counts)
        pairs.formUnion(other.pairs)
        failures = Array((failures + other.failures).sorted { $0.seed < $1.seed }.prefix(20))
    }

    /// The seed, counted from `first`, at which a planted bug is caught by its invariant; nil when none of `limit` does.
    public static func seeds(toCatch bug: StormBug, from first: UInt64 = 0, limit: Int = 1_000) -> Int? {
        for number in 0..<limit {
            let world = StormWorld(seed: first + UInt64(number), bug: bug)
            world.run()
            if world.violation?.invariant == bug.invariant { return number + 1 }
        }
        return nil
    }
}
