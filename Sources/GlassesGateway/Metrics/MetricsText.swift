/// Metrics in Prometheus' text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). Pure.
struct MetricsText {
    /// What a metric is.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    /// The value of the header `Content-Type`.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    private(set) var text = ""

    /// A metric with one value.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        head(name, kind, help)
        line(name, [], value)
    }

    /// A metric with a value for each value of one label, in the label's order.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, label: String, _ values: [String: Double]) {
        head(name, kind, help)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { line(name, [(label, key)], value) }
    }

    /// A histogram: each bucket counts what is at most its bound.
    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, .histogram, help)
        for (bound, count) in zip(histogram.bounds, histogram.cumulative) {
            line("\(name)_bucket", [("le", Self.number(bound))], Double(count))
        }
        line("\(name)_bucket", [("le", "+Inf")], Double(histogram.count))
        line("\(name)_sum", [], histogram.sum)
        line("\(name)_count", [], Double(histogram.count))
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let inner = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += labels.isEmpty ? name : "\(name){\(inner)}"
        text += " \(Self.number(value))\n"
    }

    /// A whole number without a fraction, so that counters read as such.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }

    /// A label's value is any text, with three characters escaped.
    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

/// How many values were at most as large as each of a few bounds.
struct Histogram: Sendable, Hashable {
    /// The bounds, rising.
    let bounds: [Double]
    private(set) var counts: [Int]
    private(set) var sum = 0.0
    private(set) var count = 0

    /// An empty histogram.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count)
    }

    /// For each bound, how many values were at most as large.
    var cumulative: [Int] {
        var total = 0
        return counts.map { count in
            total += count
            return total
        }
    }

    /// Counts a value.
    mutating func add(_ value: Double) {
        if let index = bounds.firstIndex(where: { value <= $0 }) { counts[index] += 1 }
        sum += value
        count += 1
    }
}
