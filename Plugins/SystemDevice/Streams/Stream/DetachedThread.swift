import CShims
import Glibc

/// Threads that nobody joins, because a device call may keep them for ever.
package enum DetachedThread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a thread of its own; false when the system has none left. Names are cut at 15 bytes.
    package static func spawn(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let main: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
            guard let pointer else { return nil }
            let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
            cshims_name_thread(start.name)
            start.body()
            return nil
        }
        let result = pthread_create(&thread, &attributes, main, start.toOpaque())
        if result != 0 { start.release() }
        return result == 0
    }
}
