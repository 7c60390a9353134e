import GlassesServer

/// Writes a body as fast as its reader takes it.
struct BodyWriter: Sendable {
    private let stream: HTTPBodyStream
    private let room: AsyncStream<Void>

    /// A writer of `stream`; one for each stream, one task at a time.
    init(_ stream: HTTPBodyStream) {
        self.stream = stream
        let (room, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.room = room
        stream.whenReady { continuation.yield() }
    }

    /// Adds bytes once there is room for them; throws `CancellationError` when the task is cancelled before, as it is to be when the
    /// reader left.
    func write(_ bytes: [UInt8]) async throws(CancellationError) {
        if stream.write(bytes) { return }
        for await _ in room where stream.write(bytes) { return }
        throw CancellationError()
    }
}
