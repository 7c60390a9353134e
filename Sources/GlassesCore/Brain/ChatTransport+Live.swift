import GlassesDomain
import GlassesNet
import GlassesPipeline

extension ChatTransport {
    /// The way to `endpoint` at its checked `address`, over libcurl: TLS, a Unix socket, or plain TCP. The environment's proxy is used
    /// for other machines only.
    static func live(_ endpoint: BrainEndpoint, at address: BrainAddress) -> ChatTransport {
        let client = HTTPClient(
            settings: NetworkSettings(
                caFile: endpoint.authorities, proxy: address.isLoopback ? .none : .environment))
        let key = endpoint.key
        return ChatTransport { (body, patience) async throws(BrainError) -> ChatAnswerStream in
            var request = HTTPRequest.json(
                body, to: address.url, bearer: key, accept: "text/event-stream", timeout: patience.head,
                idleTimeout: patience.silence)
            request.unixSocket = address.socketPath
            do { return ChatAnswerStream(try await client.send(request)) } catch { throw BrainError(transport: error) }
        }
    }
}

extension ChatAnswerStream {
    /// The answer of a server; letting go of it ends the transfer.
    fileprivate init(_ response: HTTPResponse) {
        let body = response.body
        self.init(
            status: response.status, isEventStream: response.mediaType == "text/event-stream",
            retryAfter: response.retryAfter
        ) { () async throws(BrainError) -> [UInt8]? in
            var iterator = body.makeAsyncIterator()
            do { return try await iterator.next() } catch { throw BrainError(transport: error) }
        }
    }
}

extension BrainError {
    /// What kept a request from its answer.
    fileprivate init(transport error: any Error) {
        guard let error = error as? NetworkError else {
            self.init(code: "cancelled", message: "The request to the chat endpoint was cancelled.")
            return
        }
        self.init(code: error.code, message: "The chat endpoint does not serve. \(error.message)")
    }
}
