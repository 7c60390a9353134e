import Foundation
import GlassesDialects
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

    /// A server; `variant` is how what goes over the socket differs from what the provider speaks, and how the client copes with it.
    init(serving provider: ScriptedProvider, variant: Variant = Variant()) throws {
        self.provider = provider
        let handler = AsyncHTTPHandler { _ in await Self.answer(with: provider.connector, variant) }
        server = try HTTPServer.start(
            configuration: ServerConfiguration(listen: ListenAddress("127.0.0.1:0")), handler: handler)
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/v1"))
        var options = GatewayConnectorOptions()
        options.adapter = RealtimeVariants.adapter(for: variant.capabilities)
        var connector = GatewayConnector.make(GatewayEndpoint(url: url, token: { "" }), options: options)
        connector.capabilities = variant.capabilities
        connector.leavesTurnsToClient = variant.capabilities.leavesTurnsToClient
        self.connector = connector
    }

    /// A server that speaks in another way.
    struct Variant: Sendable {
        /// What the client knows of the server.
        var capabilities = RealtimeCapabilities.openAI
        /// What the provider gets of a message of the client.
        var toProvider: @Sendable ([UInt8]) -> [UInt8] = { $0 }
        /// What the client gets of a message of the provider.
        var toClient: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    }

    /// Ends the server and with it every connection.
    func stop() async { await server.drain(within: .milliseconds(100)) }

    private static func answer(with provider: RealtimeConnector, _ variant: Variant) async -> HTTPAnswer {
        do {
            let connection = try await provider.connect(RealtimeRequest())
            return .upgrade(WebSocketUpgrade { channel in Listener(of: channel, connection, variant) })
        } catch {
            let status = (error as? ConnectionClosure)?.httpStatus ?? 503
            return .response(HTTPResponse(status: status))
        }
    }

    /// The provider's end of one socket.
    private final class Listener: WebSocketReceiver {
        private let connection: any RealtimeConnection
        private let variant: Variant

        init(of channel: any WebSocketChannel, _ connection: any RealtimeConnection, _ variant: Variant) {
            self.connection = connection
            self.variant = variant
            Task {
                for await inbound in connection.inbound {
                    switch inbound {
                    case .message(.text(let bytes)):
                        _ = channel.send(.text(variant.toClient(bytes)), lane: .control)
                    case .message(let message): _ = channel.send(message, lane: .control)
                    case .closed(let closure): channel.close(code: closure.closeCode ?? 1011, reason: "")
                    }
                }
            }
        }

        func received(_ message: RealtimeMessage) {
            guard case .text(let bytes) = message else { return }
            _ = connection.send(.text(variant.toProvider(bytes)), lane: .control)
        }

        func drained() {}

        func closed(_ closure: ConnectionClosure) { connection.close(code: 1000, reason: "") }
    }
}
