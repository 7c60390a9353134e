import Dispatch
import MWDATCore
import Synchronization

/// Follows all glasses that the toolkit knows, and tells their snapshots on each change.
final class GlassesWatch: Sendable {
    private struct Followed: Sendable {
        var device: Device
        var token: any AnyListenerToken
    }

    private let wearables: any WearablesInterface
    private let queue: DispatchQueue
    private let changed: @Sendable ([GlassesSnapshot]) -> Void
    private let followed = Mutex<[DeviceIdentifier: Followed]>([:])
    private let setToken = Mutex<(any AnyListenerToken)?>(nil)

    /// Tells on `queue`, beginning with what is known now.
    init(
        _ wearables: any WearablesInterface, on queue: DispatchQueue,
        changed: @escaping @Sendable ([GlassesSnapshot]) -> Void
    ) {
        self.wearables = wearables
        self.queue = queue
        self.changed = changed
    }

    func start() {
        let token = wearables.addDevicesListener { [weak self] _ in self?.look() }
        setToken.withLock { $0 = token }
        look()
    }

    /// The handle of known glasses, those that are no longer listed too.
    func device(_ id: DeviceIdentifier) -> Device? { followed.withLock { $0[id]?.device } }

    /// All handles, in the companion's order as far as they are listed.
    var devices: [Device] {
        let all = followed.withLock { $0.mapValues(\.device) }
        let listed = wearables.devices
        let others = all.keys.filter { !listed.contains($0) }.sorted()
        return (listed + others).compactMap { all[$0] }
    }

    func stop() {
        setToken.withLock { $0 = nil }
        followed.withLock { $0 = [:] }
    }

    private func look() { queue.async { [weak self] in self?.lookNow() } }

    /// Glasses that are no longer listed stay followed: their handle tells why they are gone.
    private func lookNow() {
        for id in wearables.devices where followed.withLock({ $0[id] == nil }) {
            guard let device = wearables.deviceForIdentifier(id) else { continue }
            // Told at once, which is one look more than is needed.
            let token = device.addDeviceStateListener { [weak self] _ in self?.look() }
            followed.withLock { $0[id] = Followed(device: device, token: token) }
        }
        changed(devices.map(GlassesSnapshot.init))
    }
}
