/// How one case ended.
public enum ConformanceVerdict: String, Sendable, Hashable, CaseIterable {
    /// The promise is kept.
    case pass
    /// The promise is broken.
    case fail
    /// The plugin ended its process, by a signal or by itself.
    case crash
    /// The plugin did not return in time.
    case hang
    /// The promise could not be tried; the reason says why.
    case skipped

    /// Whether the plugin is at fault.
    public var isFailure: Bool {
        switch self {
        case .fail, .crash, .hang: true
        case .pass, .skipped: false
        }
    }
}

/// One row of the table: a promise and what came of it.
public struct ConformanceResult: Sendable, Hashable {
    /// The case's name, such as `microphone.blocks`; stable between versions.
    public let id: String
    /// What it is about.
    public let subject: ConformanceSubject
    /// What the ABI promises, in one line.
    public let promise: String
    /// How it ended.
    public let verdict: ConformanceVerdict
    /// A sentence for the plugin's author; present for everything but a plain pass.
    public let reason: String?
    /// The last lines that the plugin logged, at most five, when the case did not pass.
    public let log: [String]
    /// From the start of the process to its end; zero for a case that was not started.
    public let duration: Duration
}

/// Everything that a run found.
public struct ConformanceReport: Sendable, Hashable {
    /// One row a promise, in the order of the table.
    public let results: [ConformanceResult]

    /// Whether the plugin broke no promise.
    public var isPassed: Bool { !results.contains { $0.verdict.isFailure } }

    /// How many rows have a verdict.
    public func count(_ verdict: ConformanceVerdict) -> Int { results.count { $0.verdict == verdict } }
}
