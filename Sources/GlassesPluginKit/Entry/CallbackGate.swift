import Foundation

/// Lets callbacks through to the host until the instance ends, and not one afterwards.
///
/// ``close()`` waits for the callbacks under way, so that destroy returns only when none can come; it gives up after the
/// two seconds that the ABI grants destroy, so that a host that hangs in a callback cannot hang the plugin.
final class CallbackGate: @unchecked Sendable {
    // because every field is read and written under `condition`
    private let condition = NSCondition()
    private var isClosed = false
    private var underWay = 0

    private static let closeLimit: TimeInterval = 2

    /// Runs `body` unless the gate is closed; nil then.
    @discardableResult
    func pass<T>(_ body: () -> T) -> T? {
        condition.lock()
        if isClosed {
            condition.unlock()
            return nil
        }
        underWay += 1
        condition.unlock()
        defer {
            condition.lock()
            underWay -= 1
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }

    /// Closes the gate and waits for the callbacks under way.
    func close() {
        condition.lock()
        isClosed = true
        let limit = Date(timeIntervalSinceNow: Self.closeLimit)
        while underWay > 0, condition.wait(until: limit) {}
        condition.unlock()
    }
}
