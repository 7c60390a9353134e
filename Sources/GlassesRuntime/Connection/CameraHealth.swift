import GlassesDomain
import Synchronization

/// The camera's health on its way from the camera to the connection's state.
final class CameraHealth: Sendable {
    private struct Storage {
        var status = CameraStatus.ready
        var follower: (@Sendable (CameraStatus) -> Void)?
    }

    private let storage = Mutex(Storage())

    /// The health now.
    var status: CameraStatus { storage.withLock { $0.status } }

    /// Tells each change from now on; one follower, which must not block.
    func follow(_ follower: @escaping @Sendable (CameraStatus) -> Void) { storage.withLock { $0.follower = follower } }

    /// Sets it; one thread at a time.
    func set(_ status: CameraStatus) {
        let follower = storage.withLock { storage in
            storage.status = status
            return storage.follower
        }
        follower?(status)
    }
}

extension GlassesState {
    /// The same state with the camera's health where it has one.
    func withCamera(_ status: CameraStatus) -> GlassesState {
        guard case .active(.connected(let device, _)) = self else { return self }
        return .active(state: .connected(device: device, camera: status))
    }
}
