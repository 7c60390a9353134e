import Foundation
import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Synchronization

/// A realtime server that does what a test says, on a free port.
final class ScriptedUpstream: Sendable {
    /// How a connection is received.
    enum Welcome: Sendable {
        /// It is accepted, and `session.created` is sent.
        case accept
        /// It is refused.
        case refuse(status: Int, headers: [String: String], body: String)
    }

    /// What came with a connection.
    struct Arrival: Sendable {
        let authorization: [String]
        let headers: [String: String]
        let query: [String: String]
        let subprotocols: [String]
    }

    private struct State {
        var arrivals: [Arrival] = []
        var connections: [Connection] = []
    }

    let server: HTTPServer
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    var url: String { "ws://127.0.0.1:\(server.port)/v1" }
    var arrivals: [Arrival] { state.value.withLock { $0.arrivals } }

    init(_ welcome: Welcome = .accept, answers: @escaping @Sendable (JSONValue, Connection) -> Void = { _, _ in })
        throws
    {
        let state = SharedState()
        self.state = state
        let handler = AsyncHTTPHandler { request in
            let headers = Dictionary(request.headers.all.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
            let arrival = Arrival(
                authorization: request.headers.values("authorization"), headers: headers,
                query: Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first },
                subprotocols: request.webSocket?.subprotocols ?? [])
            state.value.withLock { $0.arrivals.append(arrival) }
            switch welcome {
            case .refuse(let status, let headers, let body):
                var fields = HTTPFields()
                for (name, value) in headers { fields.append(name: name, value: value) }
                return .response(.text(body, type: "application/json", status: status, headers: fields))
            case .accept:
                return .upgrade(
                    WebSocketUpgrade(subprotocol: arrival.subprotocols.first) { channel in
                        let connection = Connection(channel, answers: answers)
                        state.value.withLock { $0.connections.append(connection) }
                        connection.send([
                            "type": "session.created", "event_id": "up_1", "session": ["type": "realtime"],
                        ])
                        return connection
                    })
            }
        }
        var configuration = ServerConfiguration(listen: try ListenAddress("127.0.0.1:0"))
        configuration.limits.inboundMessage = 64 << 20
        configuration.limits.outboundQueue = 64 << 20
        server = try HTTPServer.start(configuration: configuration, handler: handler)
    }

    /// The connection that came as number `index`, from 0.
    func connection(_ index: Int = 0) async throws -> Connection {
        let deadline = ContinuousClock.now + .seconds(100)
        while ContinuousClock.now < deadline {
            let all = state.value.withLock { $0.connections }
            if all.count > index { return all[index] }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw SocketClient.Missing(description: "no connection came to the upstream")
    }

    /// One connection as the upstream sees it.
    final class Connection: WebSocketReceiver {
        let channel: any WebSocketChannel
        private let answers: @Sendable (JSONValue, Connection) -> Void
        private let inbox = Inbox()

        init(_ channel: any WebSocketChannel, answers: @escaping @Sendable (JSONValue, Connection) -> Void) {
            self.channel = channel
            self.answers = answers
        }

        func received(_ message: RealtimeMessage) {
            inbox.received(message)
            guard case .text(let bytes) = message else { return }
            do { answers(try JSONValue(jsonText: bytes), self) } catch { return }  // the test reads it as text
        }

        func drained() {}
        func closed(_ closure: ConnectionClosure) { inbox.closed(closure) }

        func send(_ event: JSONValue) { send(event.jsonText) }
        func send(_ text: String) { _ = channel.send(.text(Array(text.utf8)), lane: .control) }

        /// The next message as text.
        func message() async throws -> String {
            switch try await inbox.next(within: .seconds(100)) {
            case .message(.text(let bytes)): return String(decoding: bytes, as: UTF8.self)
            case .message(.binary): throw SocketClient.Missing(description: "binary")
            case .closed(let closure): throw closure
            }
        }

        func closure() async throws -> ConnectionClosure {
            while true {
                if case .closed(let closure) = try await inbox.next(within: .seconds(100)) { return closure }
            }
        }
    }
}
