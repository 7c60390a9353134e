import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Synchronization

@testable import GlassesGateway

/// A server of the chat API that does what a test says, on a free port.
final class ChatUpstreamLab: Sendable {
    /// What came with a request.
    struct Arrival: Sendable {
        let path: String
        let authorization: [String]
        let body: JSONValue
    }

    private final class State: Sendable {
        let arrivals = Mutex<[Arrival]>([])
        let abandoned = Mutex(0)
    }

    /// Answers with what `respond` gives; nil never answers.
    private struct Handler: HTTPHandler {
        let state: State
        let answer: @Sendable (JSONValue) -> HTTPResponse?

        func respond(to request: HTTPRequest, completion: HTTPCompletion) {
            let body: JSONValue
            do { body = try JSONValue(jsonText: request.body) } catch { body = .null }
            state.arrivals.withLock {
                $0.append(
                    Arrival(path: request.path, authorization: request.headers.values("authorization"), body: body))
            }
            completion.whenAbandoned { [state] in state.abandoned.withLock { $0 += 1 } }
            guard let response = answer(body) else { return }
            if case .stream(let stream) = response.body {
                stream.whenAbandoned { [state] in state.abandoned.withLock { $0 += 1 } }
            }
            completion(response)
        }
    }

    private let server: HTTPServer
    private let state = State()

    private let scheme: String

    var url: String { "\(scheme)://127.0.0.1:\(server.port)/v1" }
    var arrivals: [Arrival] { state.arrivals.withLock { $0 } }
    /// Requests whose peer left before they were answered in full.
    var abandoned: Int { state.abandoned.withLock { $0 } }

    init(tls: TLSFiles? = nil, _ answer: @escaping @Sendable (JSONValue) -> HTTPResponse?) throws {
        scheme = tls == nil ? "http" : "https"
        server = try HTTPServer.start(
            configuration: ServerConfiguration(listen: try ListenAddress("127.0.0.1:0"), tls: tls),
            handler: Handler(state: state, answer: answer))
    }

    /// The gateway's upstreams with this one as the chat model `small`.
    func upstreams(key: String? = "operators-key", authority: String? = nil) -> Upstreams {
        Self.upstreams(url: url, key: key, authority: authority)
    }

    /// The gateway's upstreams with whatever is at `url` as the chat model `small`.
    static func upstreams(url: String, key: String? = "operators-key", authority: String? = nil) -> Upstreams {
        let model = ChatUpstream(
            url: url + "/chat/completions", host: "127.0.0.1", model: "their-model", key: key,
            keyHeader: .authorization, certificateAuthority: authority)
        return Upstreams(
            models: [:], defaultModel: nil, chat: ChatUpstreams(models: ["small": model], defaultModel: nil))
    }

    func stop() async { await server.drain(within: .seconds(1)) }
}
