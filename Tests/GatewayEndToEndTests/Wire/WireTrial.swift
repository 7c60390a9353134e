import Foundation
import NetworkLab
import SeededRandom

/// Which conversations are held over a wire with faults: few and short ones in a test run, what is asked for in `Scripts/kill-trial`.
struct WireTrial: Sendable {
    /// One conversation and what befalls it.
    struct Round: Sendable {
        var number: Int
        var fault: WireFault
        var way: WireWay
        /// When, as a part of the whole scenario's time.
        var part: Double
    }

    /// The script.
    private(set) var script = "conversation.txt"
    private(set) var seed: UInt64 = 20_261_201
    private(set) var rounds: [Round] = []
    /// Conversations at once: most of each is waiting.
    private(set) var lanes = 5

    /// Those of a test run: each kind of fault, and more of those that take no half minute to be noticed.
    private mutating func holdFew() { rounds = (0..<Self.few.count).map { round($0, kinds: [Self.few[$0]]) } }

    private static let few: [WireFault] = [
        .end, .blackHole, .refusal, .stall, .reset, .halfClose, .oneWay, .reset, .end, .stall,
    ]

    /// What the environment asks for: `EXTENTOS_WIRE_ROUNDS`, `…_KIND`, `…_SEED`, and `…_ONLY` for one of the rounds.
    init(_ environment: [String: String]) {
        guard let count = environment["EXTENTOS_WIRE_ROUNDS"].flatMap(Int.init), count > 0 else {
            holdFew()
            return
        }
        script = "ten-turns.txt"
        seed = environment["EXTENTOS_WIRE_SEED"].flatMap(UInt64.init) ?? seed
        let kinds = environment["EXTENTOS_WIRE_KIND"].flatMap(WireFault.init).map { [$0] } ?? WireFault.allCases
        rounds = (0..<count).map { round($0, kinds: kinds) }
        if let only = environment["EXTENTOS_WIRE_ONLY"].flatMap(Int.init) { rounds.removeAll { $0.number != only } }
        lanes = environment["EXTENTOS_WIRE_LANES"].flatMap(Int.init).map { max(1, $0) } ?? lanes
    }

    /// Drawn from the seed and the number alone, so that one round can be held again without the others.
    private func round(_ index: Int, kinds: [WireFault]) -> Round {
        var random = SeededGenerator(seed: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
        let fault = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let way = WireWay.allCases[Int.random(in: 0..<2, using: &random)]
        return Round(
            number: index + 1, fault: fault, way: way, part: Double.random(in: 0..<1, using: &random))
    }
}
