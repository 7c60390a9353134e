import CMicrohttpd

/// A socket that has left HTTP: to be read and written here, and given back to the library, which closes it.
///
/// because the library's handle is used once, to give the socket back, which may happen on any thread.
struct UpgradedSocket: @unchecked Sendable {
    /// The socket; under TLS one end of a pair whose other end the library encrypts.
    let descriptor: Int32
    private let handle: OpaquePointer

    init(descriptor: Int32, handle: OpaquePointer) {
        self.descriptor = descriptor
        self.handle = handle
    }

    /// Gives the socket back; it must not be touched afterwards.
    func giveBack() { cmhd_close_upgraded(handle) }
}
