import Foundation

/// The threads that work off a plan, and what they found.
final class ConformanceWork: @unchecked Sendable {
    // because every mutable field is read and written under `condition`
    typealias Run = @Sendable (ConformanceCase) throws(ConformanceError) -> ConformanceResult

    private let condition = NSCondition()
    private let onResult: @Sendable (ConformanceResult) -> Void
    private var plan: ConformancePlan
    private var problem: ConformanceError?
    private var workers = 0

    init(plan: ConformancePlan, onResult: @escaping @Sendable (ConformanceResult) -> Void) {
        self.plan = plan
        self.onResult = onResult
    }

    /// Starts `width` threads; the last one calls `completion`.
    func start(width: Int, _ run: @escaping Run, completion: @escaping @Sendable () -> Void) {
        workers = width
        for _ in 0..<width {
            Thread.detachNewThread { [self] in
                while let entry = next() { perform(entry, run) }
                if leave() { completion() }
            }
        }
    }

    /// The results, or why there are none.
    func report() throws(ConformanceError) -> ConformanceReport {
        condition.lock()
        defer { condition.unlock() }
        if let problem { throw problem }
        return ConformanceReport(results: plan.results)
    }

    private func leave() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        workers -= 1
        return workers == 0
    }

    /// The next case; nil at the end. Waits, at most as long as a case runs, for one that others depend on.
    private func next() -> ConformanceCase? {
        condition.lock()
        defer { condition.unlock() }
        while problem == nil {
            let (step, skipped) = plan.next()
            for result in skipped { onResult(result) }
            switch step {
            case .run(let entry): return entry
            case .done: return nil
            case .wait where skipped.isEmpty: condition.wait()
            case .wait: continue
            }
        }
        return nil
    }

    private func perform(_ entry: ConformanceCase, _ run: Run) {
        let outcome = Result { () throws(ConformanceError) in try run(entry) }
        condition.lock()
        switch outcome {
        case .success(let result): plan.decide(result)
        case .failure(let error): problem = error
        }
        condition.broadcast()
        condition.unlock()
        if case .success(let result) = outcome { onResult(result) }
    }
}
