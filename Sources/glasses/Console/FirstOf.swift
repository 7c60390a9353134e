/// Several operations of which the first to end counts.
enum FirstOf {
    /// The value of the operation that ends first; nil when the calling task is cancelled before. The others are cancelled and not
    /// waited for, since a device or an engine may take seconds to notice.
    @discardableResult
    static func run<Value: Sendable>(_ operations: [@Sendable () async -> Value]) async -> Value? {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let tasks = operations.map { operation in Task { _ = continuation.yield(await operation()) } }
        defer { for task in tasks { task.cancel() } }
        for await value in stream { return value }
        return nil
    }
}
