import GlassesDomain
import Synchronization

/// Where a still waits for the completion of its request: a plugin hands over the picture first.
final class StillShelf: Sendable {
    private let state = Mutex(State())

    private struct State {
        var request: UInt64?
        var still: CameraStill?
    }

    /// A still was asked for; there is one request at a time.
    func expect(_ request: UInt64) { state.withLock { $0 = State(request: request) } }

    /// A still arrived; one that nobody asked for is dropped.
    func put(_ still: CameraStill, for request: UInt64) {
        state.withLock { if $0.request == request { $0.still = still } }
    }

    /// The request has ended: what arrived for it.
    func take() -> CameraStill? {
        state.withLock { state in
            defer { state = State() }
            return state.still
        }
    }
}
