import GlassesPluginKit
import Synchronization
import SystemDeviceStreams

/// Looks for cameras without waiting longer than it may: a driver that hangs must not cost the app its sound.
package enum CameraScan {
    /// The host waits 5 s for the whole activation.
    static let limit: Int64 = 2_000 * millisecond

    private final class Outcome: Sendable {
        let found = Mutex<[V4L2Camera]?>(nil)
        let done = StopSignal()
    }

    /// Every camera of this machine; throws within 2 s when a driver does not answer.
    package static func run(in places: CameraPlaces = CameraPlaces()) throws(PluginFailure) -> [V4L2Camera] {
        let outcome = Outcome()
        let started = DetachedThread.spawn(named: "camera scan") {
            let cameras = V4L2Camera.all(in: places)
            outcome.found.withLock { $0 = cameras }
            outcome.done.set()
        }
        guard started else { throw .noCameraThread }
        _ = outcome.done.wait(until: monotonicNow() + limit)
        guard let cameras = outcome.found.withLock({ $0 }) else { throw .cameraHung }
        return cameras
    }
}
