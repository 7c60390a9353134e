import GlassesDomain
import GlassesWebSocket

/// An HTTP response whose body is read as it comes.
public struct HTTPResponse: Sendable {
    /// The status, 200 to 599. Redirects are not followed.
    public var status: Int
    /// The header fields.
    public var fields: HTTPFields
    /// The body. Letting go of it, and of the response, ends the transfer.
    public var body: HTTPResponseBody

    /// What a status that is no success tells those who decide about another attempt, with the wait that the peer asks for.
    ///
    /// The body stays unread: its words may repeat a key. `host` is for people; `now` is in seconds since 1970, for a `Retry-After`
    /// that is a date.
    public func refusal(by host: String, now: Double) -> ConnectionClosure {
        ConnectionClosure(
            code: WebSocketRefusal.name(of: status) ?? "refused",
            message:
                "\(host) refused the request with status \(status). Check its key and its fields, or try again later.",
            httpStatus: status, retryAfter: fields.first("Retry-After").flatMap { RetryAfter.seconds($0, now: now) })
    }
}

/// The body of a response: pieces of bytes in order, as they came. One reader, once.
///
/// The peer is held back while more than 1 MiB waits here.
public struct HTTPResponseBody: AsyncSequence, Sendable {
    let stream: HTTPBodyStream

    /// Reads the pieces; throws ``NetworkError`` when the body ends early, and ends when the task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: HTTPBodyStream

        /// The next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await stream.next() }
    }

    /// An iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }

    /// The whole body; throws a ``NetworkError`` with the cause `tooLarge` when it has more than `limit` bytes.
    public func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self {
            guard bytes.count + piece.count <= limit else {
                throw NetworkError(.tooLarge, "The response has more than the \(limit) bytes that were expected.")
            }
            bytes += piece
        }
        try Task.checkCancellation()
        return bytes
    }
}

/// Ends the transfer when the last one who could read it is gone.
final class HTTPBodyStream: Sendable {
    private let exchange: HTTPExchange

    init(exchange: HTTPExchange) { self.exchange = exchange }

    deinit { exchange.cancel() }

    func next() async throws -> [UInt8]? {
        switch await exchange.body.next() {
        case nil: nil
        case .success(let piece): piece
        case .failure(let error): throw error
        }
    }
}
