import Synchronization

/// Carries out asynchronous operations one after another, in the order in which they were added.
final class OperationChain: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Adds an operation and returns at once.
    @discardableResult
    func add<T: Sendable>(_ operation: @escaping @Sendable () async -> T) -> Task<T, Never> {
        last.withLock { last in
            let previous = last
            let task = Task<T, Never>(executorPreference: RuntimeThreads.shared) {
                await previous?.value
                return await operation()
            }
            last = Task(executorPreference: RuntimeThreads.shared) { _ = await task.value }
            return task
        }
    }

    /// Adds an operation and waits for its value.
    func run<T: Sendable>(_ operation: @escaping @Sendable () async -> T) async -> T {
        await add(operation).value
    }
}
