import Synchronization

/// The struct of functions that the host calls one instance through; freed with the instance.
final class InstanceTable<Functions>: Sendable {
    private struct Owned: @unchecked Sendable {
        // because only destroy, the host's last call, takes it
        let pointer: UnsafeMutablePointer<Functions>
    }
    private let owned = Mutex<Owned?>(nil)

    /// Keeps the functions at an address that stays until ``free()``. Once.
    func make(_ functions: Functions) -> UnsafePointer<Functions> {
        let pointer = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
        pointer.initialize(to: functions)
        let address = Owned(pointer: pointer)
        owned.withLock { $0 = address }
        return UnsafePointer(pointer)
    }

    /// Frees the struct; the host may not use it any more.
    func free() {
        let freed = owned.withLock { owned in
            defer { owned = nil }
            return owned
        }
        freed?.pointer.deallocate()
    }
}
