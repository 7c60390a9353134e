import CMicrohttpd

/// libmicrohttpd's handle of a connection, for those who make it wait and go on.
///
/// because the library's suspend and resume may be called on any thread, and the library frees the connection only when
/// it is not suspended: whoever ends a suspension, once, holds a valid handle.
struct SuspendedConnection: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// Stops serving the connection; only on the daemon's thread, inside one of its calls for this connection.
    func suspend() { MHD_suspend_connection(handle) }

    /// Serves the connection on, on the daemon's thread; once for each suspension.
    func resume() { MHD_resume_connection(handle) }
}
