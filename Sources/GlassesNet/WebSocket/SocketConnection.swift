import CCurl

/// The connection that libcurl has made, with its TLS if it has any. Its handle stays in the multi until ``close()``.
final class SocketConnection {
    let loop: LoopCore
    let id: ParticipantID
    private let handle: CurlHandle
    private let socket: curl_socket_t
    private var interest: Poller.Interest = []
    private var isClosed = false
    /// Whether bytes may lie inside TLS while the socket has none: then only reading until nothing comes finds them.
    let hidesBytes: Bool

    init(handle: CurlHandle, socket: curl_socket_t, hidesBytes: Bool, loop: LoopCore, id: ParticipantID) {
        self.hidesBytes = hidesBytes
        self.handle = handle
        self.socket = socket
        self.loop = loop
        self.id = id
    }

    /// The socket where its bytes are what the peer gets; nil under TLS.
    var plainSocket: curl_socket_t? { hidesBytes ? nil : socket }

    /// Whether the socket's next bytes are told.
    var isWatchedForReading: Bool { interest.contains(.read) }

    /// What came of a read or a write.
    enum Outcome {
        case bytes(Int)
        /// The socket has to become ready first.
        case notNow
        case ended
        case broken
    }

    /// Sends what fits. A TLS connection wants the same bytes at the same place again after `notNow`.
    func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let (code, count) = handle.send(bytes)
        switch code {
        case CURLE_OK: return .bytes(count)
        case CURLE_AGAIN: return .notNow
        default: return .broken
        }
    }

    /// Receives what is there.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let (code, count) = handle.receive(into: buffer)
        switch code {
        case CURLE_OK: return count == 0 ? .ended : .bytes(count)
        case CURLE_AGAIN: return .notNow
        default: return .broken
        }
    }

    /// Watches the socket for `wanted` and nothing else. False when the kernel refuses.
    func watch(_ wanted: Poller.Interest) -> Bool {
        guard wanted != interest else { return true }
        interest = wanted
        // Without an interest the kernel would still report errors, over and over.
        guard !wanted.isEmpty else {
            loop.forget(socket)
            return true
        }
        return loop.watch(socket, for: wanted, id: id)
    }

    /// Closes the socket. Later calls change nothing.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        loop.forget(socket)
        loop.end(handle)
    }
}
