import Synchronization

/// One operation that is wanted again and again: at most one run waits in its chain, and who wants one meanwhile shares it.
final class RepeatedOperation: Sendable {
    private let chain: OperationChain
    private let waiting = Mutex<Task<Void, Never>?>(nil)

    init(chain: OperationChain) { self.chain = chain }

    /// A run that begins after this call; the task ends with it.
    @discardableResult
    func request(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        waiting.withLock { waiting in
            if let waiting { return waiting }
            let run = chain.add { [self] in
                self.waiting.withLock { $0 = nil }
                await operation()
            }
            waiting = run
            return run
        }
    }
}
