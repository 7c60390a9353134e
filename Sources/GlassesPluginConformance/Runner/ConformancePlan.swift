/// Which case is next: a value without processes or threads.
struct ConformancePlan: Sendable {
    /// What a worker does next.
    enum Step {
        /// Run this case.
        case run(ConformanceCase)
        /// Nothing can start before a running case ends.
        case wait
        /// Everything is decided.
        case done
    }

    private enum State {
        case waiting, running, decided(ConformanceResult)
    }

    private let cases: [ConformanceCase]
    private var states: [State]

    init(cases: [ConformanceCase]) {
        self.cases = cases
        states = Array(repeating: .waiting, count: cases.count)
    }

    /// The results so far, in the order of the table.
    var results: [ConformanceResult] {
        states.compactMap { if case .decided(let result) = $0 { result } else { nil } }
    }

    /// The next case to run; cases that became pointless meanwhile are decided and answered too.
    mutating func next() -> (Step, skipped: [ConformanceResult]) {
        var skipped: [ConformanceResult] = []
        var isRunning = false
        for index in cases.indices {
            switch states[index] {
            case .decided: continue
            case .running: isRunning = true
            case .waiting:
                switch readiness(of: cases[index]) {
                case .ready:
                    states[index] = .running
                    return (.run(cases[index]), skipped)
                case .notYet: isRunning = true
                case .pointless(let reason):
                    let result = Self.skipped(cases[index], reason)
                    states[index] = .decided(result)
                    skipped.append(result)
                }
            }
        }
        return (isRunning ? .wait : .done, skipped)
    }

    /// A case that ran has ended.
    mutating func decide(_ result: ConformanceResult) {
        guard let index = cases.firstIndex(where: { $0.id == result.id }) else { return }
        states[index] = .decided(result)
    }

    private enum Readiness {
        case ready, notYet, pointless(String)
    }

    private func readiness(of entry: ConformanceCase) -> Readiness {
        var isReady = true
        for need in entry.needs {
            guard let index = cases.firstIndex(where: { $0.id == need }) else { continue }
            switch states[index] {
            case .waiting, .running: isReady = false
            case .decided(let result):
                if result.verdict == .skipped { return .pointless(result.reason ?? "needs \(need), which was skipped") }
                if result.verdict.isFailure { return .pointless("needs \(need), which did not pass") }
            }
        }
        return isReady ? .ready : .notYet
    }

    private static func skipped(_ entry: ConformanceCase, _ reason: String) -> ConformanceResult {
        ConformanceResult(
            id: entry.id, subject: entry.subject, promise: entry.promise, verdict: .skipped, reason: reason, log: [],
            duration: .zero)
    }
}
