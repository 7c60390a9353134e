import GlassesDomain

/// What a child told on its pipe, read back.
struct CaseTranscript: Sendable, Hashable {
    /// What it was about to do when it told the last time.
    private(set) var lastStep: String?
    /// The last lines that the plugin logged.
    private(set) var log: [String] = []
    /// Its own verdict; nil when it did not come to one.
    private(set) var ending: Ending?

    /// A verdict with its reason.
    struct Ending: Sendable, Hashable {
        var verdict: ConformanceVerdict
        var reason: String?
    }

    /// Enough to see what went wrong.
    private static let logLimit = 5

    init(_ bytes: [UInt8]) {
        for line in bytes.split(separator: 0x0A) {
            let parts = line.split(separator: 0x20, maxSplits: 1)
            guard parts.count == 2 else { continue }
            let rest = String(decoding: parts[1], as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "step": lastStep = rest
            case "log": log = (log + [rest]).suffix(Self.logLimit)
            case "end": ending = Self.ending(rest)
            default: break
            }
        }
    }

    private static func ending(_ text: String) -> Ending? {
        let value: JSONValue
        // A line that the plugin garbled counts as no verdict.
        do { value = try JSONValue(jsonText: text) } catch { return nil }
        guard let verdict = value["verdict"]?.stringValue.flatMap(ConformanceVerdict.init(rawValue:)) else {
            return nil
        }
        return Ending(verdict: verdict, reason: value["reason"]?.stringValue)
    }
}

extension CaseChild.Ending {
    /// The verdict on the case and the sentence that explains it.
    func verdict(limit: Duration) -> CaseTranscript.Ending {
        let place = transcript.lastStep.map { " (\($0))" } ?? " (loading)"
        guard let status else {
            return CaseTranscript.Ending(
                verdict: .hang, reason: "The plugin did not return within \(limit.inMilliseconds) ms\(place).")
        }
        let signal = status & 0x7F
        if signal != 0 {
            return CaseTranscript.Ending(verdict: .crash, reason: "The process got signal \(signal)\(place).")
        }
        return transcript.ending
            ?? CaseTranscript.Ending(
                verdict: .crash, reason: "The plugin ended its process, status \((status >> 8) & 0xFF)\(place).")
    }
}
