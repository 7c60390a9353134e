import Foundation

/// A connection to the host, over TCP or WebSocket.
protocol BridgeSocket: Sendable {
    /// Returns when the system has taken the bytes. Not called again before it returned.
    func send(_ bytes: Data) async throws
    /// The next bytes, at least one; nil at the end.
    func receive() async throws -> Data?
    /// Ends the connection, and whatever waits in the two calls above.
    func close()
}

#if canImport(Network)
    import Network

    /// A connection over TCP.
    struct NetworkSocket: BridgeSocket {
        private let connection: NWConnection

        /// Calls a host that listens.
        init(host: String, port: UInt16) throws {
            guard let port = NWEndpoint.Port(rawValue: port) else { throw BridgeFault(description: "This is no port.") }
            connection = NWConnection(host: NWEndpoint.Host(host), port: port, using: .tcp)
            connection.start(queue: DispatchQueue(label: "bridge"))
        }

        func send(_ bytes: Data) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                connection.send(
                    content: bytes,
                    completion: .contentProcessed { error in
                        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                    })
            }
        }

        func receive() async throws -> Data? {
            try await withCheckedThrowingContinuation { continuation in
                connection.receive(minimumIncompleteLength: 1, maximumLength: 1 << 18) { bytes, _, isOver, error in
                    if let error { return continuation.resume(throwing: error) }
                    continuation.resume(returning: isOver && (bytes ?? Data()).isEmpty ? nil : bytes)
                }
            }
        }

        func close() { connection.cancel() }
    }
#endif
