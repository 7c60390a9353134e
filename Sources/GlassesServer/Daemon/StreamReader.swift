import CMicrohttpd

/// Reads a streaming body for the library, and suspends the connection while there is nothing to send. [daemon]
final class StreamReader: Sendable {
    /// The library's sign for a body whose length is not known (a cast macro that Swift does not import).
    static let unknownSize = UInt64.max
    /// The library's signs for the end of a body, and for an end that the peer must notice (cast macros too).
    private static let end = -1
    private static let failure = -2

    private let stream: HTTPBodyStream
    private let connection: SuspendedConnection

    init(stream: HTTPBodyStream, connection: SuspendedConnection) {
        self.stream = stream
        self.connection = connection
    }

    static let read: MHD_ContentReaderCallback = { context, _, target, room in
        guard let context, let target else { return failure }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
        return reader.next(UnsafeMutableRawBufferPointer(start: target, count: room))
    }

    static let free: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        Unmanaged<StreamReader>.fromOpaque(context).release()
    }

    private func next(_ target: UnsafeMutableRawBufferPointer) -> Int {
        let connection = connection
        switch stream.read(into: target, wake: { connection.resume() }) {
        case .bytes(let count): return count
        case .nothing:
            // When new bytes have resumed the connection before this line, the library takes the two back against each
            // other.
            connection.suspend()
            return 0
        case .end: return Self.end
        case .failed: return Self.failure
        }
    }
}
