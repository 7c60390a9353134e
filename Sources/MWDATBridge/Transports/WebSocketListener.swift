import GlassesDomain
import GlassesServer
import GlassesWebSocket
import Synchronization

/// Accepts phones over WebSocket, with TLS when files for it are given.
final class WebSocketListener: BridgeListener {
    /// The path that phones ask for.
    static let path = "/dat-bridge"
    /// The subprotocol that they offer.
    static let subprotocol = "dat-bridge.v1"
    /// Phones, and strangers who try.
    private static let mostConnections = 16

    let address: String
    /// Ends with its last reference.
    private let server: Mutex<HTTPServer?>
    private let greetings: Greetings

    init(
        listen: String, hosts: [String], tls: TLSFiles?, reception: Reception
    ) throws(DATBridgeError) {
        let greetings = Greetings(reception: reception)
        let started: HTTPServer
        do throws(ServerError) {
            var limits = ServerLimits()
            limits.connections = Self.mostConnections
            limits.outboundHighWater = WebSocketWire.outboundHighWater
            let configuration = ServerConfiguration(
                listen: try ListenAddress(listen), hosts: hosts, tls: tls, limits: limits)
            started = try HTTPServer.start(
                configuration: configuration,
                handler: HTTPRouter([.init("GET", Self.path, BridgeUpgrade(greetings: greetings))]))
        } catch {
            throw DATBridgeError(error.code, error.message)
        }
        self.greetings = greetings
        server = Mutex(started)
        address = started.address
    }

    func stop() {
        greetings.stop()
        server.withLock { $0 = nil }
    }
}

/// Switches a phone's request to WebSocket.
private struct BridgeUpgrade: HTTPHandler {
    let greetings: Greetings

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        guard let offer = request.webSocket, offer.subprotocols.contains(WebSocketListener.subprotocol) else {
            completion(
                .error(
                    426, code: "upgrade_required",
                    message: "Ask for a WebSocket with the subprotocol \(WebSocketListener.subprotocol)."))
            return
        }
        completion(
            .upgrade(
                WebSocketUpgrade(subprotocol: WebSocketListener.subprotocol) { [greetings] channel in
                    let wire = WebSocketWire()
                    wire.attach(channel)
                    if !greetings.begin(wire) { channel.close(code: 1013, reason: "too many greetings are under way") }
                    return wire
                }))
    }
}
