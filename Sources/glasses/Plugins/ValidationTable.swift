import GlassesCore
import GlassesPluginConformance
import GlassesPluginHost

/// The results of a validation, for people and for scripts: one row a promise.
struct ValidationTable: Sendable {
    /// What is validated.
    let package: PluginPackage
    /// Where it is printed.
    let console: Console

    /// The widths of the first two columns.
    private static let (verdictWidth, nameWidth) = (9, 30)

    /// Says what is validated.
    func begin() {
        if let manifest = package.check.manifest {
            let kinds = manifest.kinds.map(\.rawValue).joined(separator: ", ")
            console.print(console.styled("\(manifest.id) \(manifest.version)  \(manifest.name) (\(kinds))", .bold))
        } else {
            console.print(console.styled(package.manifestPath, .bold))
        }
        for finding in package.check.findings { console.print("\(package.manifestPath):\(finding)") }
    }

    /// One result; rows come in the order in which they end.
    func row(_ result: ConformanceResult) {
        let verdict = Self.padded(result.verdict.rawValue, Self.verdictWidth)
        let styled = console.styled(verdict, Self.style(of: result.verdict))
        console.print("  " + styled + Self.padded(result.id, Self.nameWidth) + result.promise)
        let indent = String(repeating: " ", count: 2 + Self.verdictWidth)
        if let reason = result.reason { console.print(indent + reason.printable) }
        for line in result.log where result.verdict.isFailure {
            console.print(console.styled("\(indent)log: \(line.printable)", .faint))
        }
    }

    /// The sums.
    func end(_ report: ConformanceReport) {
        let counts = ConformanceVerdict.allCases.map { "\(report.count($0)) \(Self.noun(of: $0))" }
        console.print("")
        console.print(console.styled(counts.joined(separator: ", "), report.isPassed ? .green : .red))
    }

    /// One JSON object.
    func json(_ report: ConformanceReport) -> JSONValue {
        let counts = ConformanceVerdict.allCases.map { ($0.rawValue, JSONValue.int(Int64(report.count($0)))) }
        return [
            "id": package.check.manifest.map { .string($0.id) } ?? .null, "manifest": .string(package.manifestPath),
            "library": .string(package.libraryPath), "passed": .bool(report.isPassed),
            "counts": .object(Dictionary(uniqueKeysWithValues: counts)),
            "findings": .array(package.check.findings.map { .string($0.description) }),
            "results": .array(report.results.map(Self.json)),
        ]
    }

    private static func json(_ result: ConformanceResult) -> JSONValue {
        let (seconds, attoseconds) = result.duration.components
        return [
            "id": .string(result.id), "subject": .string(result.subject.rawValue), "promise": .string(result.promise),
            "verdict": .string(result.verdict.rawValue), "reason": result.reason.map(JSONValue.string) ?? .null,
            "log": .array(result.log.map(JSONValue.string)),
            "milliseconds": .int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000),
        ]
    }

    private static func style(of verdict: ConformanceVerdict) -> Console.Style {
        switch verdict {
        case .pass: .green
        case .fail, .crash, .hang: .red
        case .skipped: .yellow
        }
    }

    private static func noun(of verdict: ConformanceVerdict) -> String {
        switch verdict {
        case .pass: "passed"
        case .fail: "failed"
        case .crash: "crashed"
        case .hang: "hung"
        case .skipped: "skipped"
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
