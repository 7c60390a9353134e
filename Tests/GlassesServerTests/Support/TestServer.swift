import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Synchronization

/// A server for one test. The name `test.example` is among its own, with and without a port.
final class TestServer: Sendable {
    let server: HTTPServer
    let handler: TestHandler
    var port: UInt16 { server.port }

    init(
        listen: String = "127.0.0.1:0", origins: [String] = [], tls: TLSFiles? = nil,
        handler: TestHandler = TestHandler(),
        _ adjust: (inout ServerLimits) -> Void = { _ in }
    ) throws {
        var limits = ServerLimits()
        adjust(&limits)
        self.handler = handler
        server = try HTTPServer.start(
            configuration: ServerConfiguration(
                listen: ListenAddress(listen), hosts: ["test.example"], allowedOrigins: origins, tls: tls,
                limits: limits),
            handler: handler)
    }

    /// Starts a server, runs the blocking `body` on a thread, and drains the server in any case.
    static func run<Result: Sendable>(
        _ server: @autoclosure () throws -> TestServer, _ body: @escaping @Sendable (TestServer) throws -> Result
    ) async throws -> Result {
        let running = try server()
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await onThread { try body(running) }) } catch { outcome = .failure(error) }
        await running.server.drain(within: .milliseconds(500))
        return try outcome.get()
    }
}

/// A handler with the endpoints that tests need; it remembers what it was asked.
final class TestHandler: HTTPHandler {
    private struct State {
        var requests: [HTTPRequest] = []
        var held: [HTTPCompletion] = []
        var abandoned = 0
        var sockets: [EchoReceiver] = []
        var streams: [HTTPBodyStream] = []
    }

    private let state = Mutex(State())
    let budget: InboundBudget?

    init(budget: InboundBudget? = nil) { self.budget = budget }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var abandoned: Int { state.withLock { $0.abandoned } }
    var sockets: [EchoReceiver] { state.withLock { $0.sockets } }
    var streams: [HTTPBodyStream] { state.withLock { $0.streams } }
    var held: [HTTPCompletion] { state.withLock { $0.held } }

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        state.withLock { $0.requests.append(request) }
        switch request.path {
        case "/echo": completion(.upgrade(upgrade(request)))
        case "/late":
            completion.whenAbandoned { [self] in state.withLock { $0.abandoned += 1 } }
            state.withLock { $0.held.append(completion) }
        case "/body": completion(HTTPResponse(status: 200, body: .bytes(request.body)))
        case "/stream":
            let stream = HTTPBodyStream()
            stream.whenAbandoned { [self] in state.withLock { $0.abandoned += 1 } }
            state.withLock { $0.streams.append(stream) }
            completion(HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(stream)))
        default: routes.respond(to: request, completion: completion)
        }
    }

    private var routes: HTTPRouter {
        HTTPRouter([
            .init("GET", "/healthz", AsyncHTTPHandler { _ in .response(.text("ok")) }),
            .init("GET", "/v1/models/{model}", AsyncHTTPHandler { .response(.text($0.pathParameters["model"] ?? "")) }),
            .init("POST", "/v1/realtime/client_secrets", AsyncHTTPHandler { _ in .response(.json(["value": "ek"])) }),
        ])
    }

    func upgrade(_ request: HTTPRequest) -> WebSocketUpgrade {
        WebSocketUpgrade(
            subprotocol: request.webSocket?.subprotocols.contains("realtime") == true ? "realtime" : nil,
            budget: budget,
            abandoned: { [self] in state.withLock { $0.abandoned += 1 } },
            accept: { [self] channel in
                let receiver = EchoReceiver(channel)
                state.withLock { $0.sockets.append(receiver) }
                return receiver
            })
    }
}

/// Sends back what it receives, unless a test mutes it, and remembers the end.
final class EchoReceiver: WebSocketReceiver {
    private struct State {
        var isMuted = false
        var received = 0
        var drained = 0
        var closures: [ConnectionClosure] = []
    }

    let channel: any WebSocketChannel
    private let state = Mutex(State())

    init(_ channel: any WebSocketChannel) { self.channel = channel }

    var received: Int { state.withLock { $0.received } }
    var drainedCount: Int { state.withLock { $0.drained } }
    var closures: [ConnectionClosure] { state.withLock { $0.closures } }

    func mute() { state.withLock { $0.isMuted = true } }

    func received(_ message: RealtimeMessage) {
        let isMuted = state.withLock { state in
            state.received += 1
            return state.isMuted
        }
        if !isMuted { _ = channel.send(message, lane: .control) }
    }

    func drained() { state.withLock { $0.drained += 1 } }

    func closed(_ closure: ConnectionClosure) { state.withLock { $0.closures.append(closure) } }
}
