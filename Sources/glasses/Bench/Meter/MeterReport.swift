import GlassesCore

/// What a meter found: times in milliseconds, and the rounds that gave none with their reasons.
struct MeterReport: Sendable, Hashable {
    /// The end of one sound and the beginning of another are found to a millisecond each.
    private static let resolution = 2.0
    /// A driver tells where its stream is in steps of up to a period of the device.
    private static let period = 10.0

    /// What was measured, for a person.
    let title: String
    private(set) var times: [Int] = []
    private(set) var refusals: [MeterRefusal] = []
    private(set) var clockSpread = 0.0

    init(title: String) { self.title = title }

    /// Adds a round.
    mutating func add(_ outcome: MeterOutcome, clockSpread: Double?) {
        switch outcome {
        case .success(let time):
            times.append(time)
            self.clockSpread = max(self.clockSpread, clockSpread ?? 0)
        case .failure(let refusal): refusals.append(refusal)
        }
    }

    /// All rounds.
    var rounds: Int { times.count + refusals.count }

    /// How far a single figure may be off, in milliseconds: the resolution, a period, and what the times of loudspeaker and
    /// microphone disagree by among themselves.
    var error: Double { Self.resolution + Self.period + clockSpread }

    /// The time that this share of the rounds did not exceed; nil without any.
    func percentile(_ share: Double) -> Int? {
        times.isEmpty ? nil : Int(SoundRule.percentile(share, of: times.map(Float.init)))
    }

    /// How often each reason was the one, in the order of their declaration.
    private var counts: [(reason: MeterRefusal, count: Int)] {
        MeterRefusal.allCases.map { reason in (reason, refusals.count { $0 == reason }) }.filter { $0.count > 0 }
    }

    /// The lines for a person.
    var lines: [String] {
        var lines: [String] = []
        if let median = percentile(0.5), let late = percentile(0.99), let least = times.min(), let most = times.max() {
            lines.append("\(title): p50 \(median) ms, p99 \(late) ms, \(least) to \(most) ms")
            lines.append("in \(times.count) of \(rounds) rounds; one figure is right to \(Self.tenths(error)) ms")
        } else {
            lines.append("\(title): not measured in \(rounds) rounds")
        }
        return lines + counts.map { "\($0.count) not judged: \($0.reason.text)" }
    }

    /// The fields of the JSON summary.
    var fields: [String: JSONValue] {
        let whole = { (number: Int?) in number.map { JSONValue.int(Int64($0)) } ?? .null }
        return [
            "rounds": .int(Int64(rounds)), "judged": .int(Int64(times.count)), "p50Ms": whole(percentile(0.5)),
            "p99Ms": whole(percentile(0.99)), "minMs": whole(times.min()), "maxMs": whole(times.max()),
            "errorMs": .double(Self.tenths(error)),
            "notJudged": .object(
                Dictionary(uniqueKeysWithValues: counts.map { ($0.reason.rawValue, .int(Int64($0.count))) })),
        ]
    }

    /// How the program ends: well when every round was judged.
    var status: ExitStatus { refusals.isEmpty ? .ok : times.isEmpty ? .gateway : .incomplete }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
