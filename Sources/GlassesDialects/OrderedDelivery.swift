import Synchronization

/// Hands things over one after another, in the order in which they were added, whoever adds them on whatever thread.
///
/// The receiver is called outside every lock, on a thread that adds; it may add again from inside its call.
final class OrderedDelivery<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var isHandingOver = false
    }

    private let state = Mutex(State())
    private let receive: @Sendable (Element) -> Void

    init(receive: @escaping @Sendable (Element) -> Void) { self.receive = receive }

    /// Adds without handing over, so that a caller's own lock decides the order; ``handOver()`` follows outside of it.
    func add(_ element: Element) { state.withLock { $0.waiting.append(element) } }

    /// Hands over what was added, unless another thread is doing that.
    func handOver() {
        guard state.withLock({ Self.begin(&$0) }) else { return }
        while let element = state.withLock({ Self.take(&$0) }) { receive(element) }
    }

    private static func begin(_ state: inout State) -> Bool {
        guard !state.isHandingOver, !state.waiting.isEmpty else { return false }
        state.isHandingOver = true
        return true
    }

    private static func take(_ state: inout State) -> Element? {
        guard !state.waiting.isEmpty else {
            state.isHandingOver = false
            return nil
        }
        return state.waiting.removeFirst()
    }
}
