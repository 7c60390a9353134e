import Foundation
import GlassesDomain
import NetworkLab

/// What came of one conversation over a wire with a fault.
struct WireOutcome: Sendable {
    var round: WireTrial.Round
    /// When the fault befell it, from the scenario's beginning.
    var moment: Duration
    /// From the fault to the session's knowing, and from there to its being back; nil when it was never lost.
    var noticed: Duration?
    var back: Duration?
    /// What is wrong; empty when all is as without the fault.
    var problems: [String] = []

    /// One line of the table of rounds.
    var line: String {
        let fault =
            round.fault == .halfClose || round.fault == .oneWay ? "\(round.fault) \(round.way)" : "\(round.fault)"
        let loss =
            noticed.map { "noticed after \(Self.text($0)), back after \(back.map(Self.text) ?? "–")" } ?? "not lost"
        return
            "round \(round.number): \(fault) after \(Self.text(moment)): \(loss)\(problems.isEmpty ? "" : ", FAILED")"
    }

    /// The table by kind.
    static func table(_ outcomes: [WireOutcome]) -> String {
        var lines = ["kind        conversations  equal  noticed within  back within"]
        for fault in WireFault.allCases {
            let those = outcomes.filter { $0.round.fault == fault }
            guard !those.isEmpty else { continue }
            let columns = [
                fault.rawValue.padded(to: 12), "\(those.count)".padded(to: 15),
                "\(those.count { $0.problems.isEmpty })".padded(to: 7),
                (those.compactMap(\.noticed).max().map(text) ?? "–").padded(to: 16),
                those.compactMap(\.back).max().map(text) ?? "–",
            ]
            lines.append(columns.joined())
        }
        lines.append("all         \("\(outcomes.count)".padded(to: 15))\(outcomes.count { $0.problems.isEmpty })")
        return lines.joined(separator: "\n")
    }

    private static func text(_ duration: Duration) -> String { String(format: "%.2f s", duration / .seconds(1)) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
