import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesTesting
import GlassesWebSocket
import Testing

/// A scripted provider behind a real WebSocket server on a free port.
final class ScriptedGateway: Sendable {
    /// Leads over the socket to the provider.
    let connector: RealtimeConnector
    /// Whom it serves.
    let provider: ScriptedProvider
    private let server: HTTPServer

    init(serving provider: ScriptedProvider) throws {
        self.provider = provider
        let handler = AsyncHTTPHandler { _ in await Self.answer(with: provider.connector) }
        server = try HTTPServer.start(
            configuration: ServerConfiguration(listen: ListenAddress("127.0.0.1:0")), handler: handler)
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/v1"))
        connector = GatewayConnector.make(GatewayEndpoint(url: url, token: { "" }))
    }

    /// Ends the server and with it every connection.
    func stop() async { await server.drain(within: .milliseconds(100)) }

    private static func answer(with provider: RealtimeConnector) async -> HTTPAnswer {
        do {
            let connection = try await provider.connect(RealtimeRequest())
            return .upgrade(WebSocketUpgrade { channel in Listener(of: channel, connection: connection) })
        } catch {
            let status = (error as? ConnectionClosure)?.httpStatus ?? 503
            return .response(HTTPResponse(status: status))
        }
    }

    /// The provider's end of one socket.
    private final class Listener: WebSocketReceiver {
        private let connection: any RealtimeConnection

        init(of channel: any WebSocketChannel, connection: any RealtimeConnection) {
            self.connection = connection
            Task {
                for await inbound in connection.inbound {
                    switch inbound {
                    case .message(let message): _ = channel.send(message, lane: .control)
                    case .closed(let closure): channel.close(code: closure.closeCode ?? 1011, reason: "")
                    }
                }
            }
        }

        func received(_ message: RealtimeMessage) { _ = connection.send(message, lane: .control) }

        func drained() {}

        func closed(_ closure: ConnectionClosure) { connection.close(code: 1000, reason: "") }
    }
}
