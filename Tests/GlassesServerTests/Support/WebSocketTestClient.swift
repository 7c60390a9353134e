import GlassesDomain
import GlassesWebSocket

/// A WebSocket client over a ``RawClient``, on the test's own thread.
///
/// because a test reads on one thread at a time, and whoever sends uses the socket alone.
final class WebSocketTestClient: @unchecked Sendable {
    let raw: RawClient
    private var decoder = WebSocketDecoder(role: .client, maximumMessage: 64 << 20)
    private let encoder = WebSocketEncoder(role: .client)
    private var events: [WebSocketEvent] = []

    static let handshake = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// Connects and upgrades at `path`.
    convenience init(port: UInt16, path: String = "/echo", headers: [String] = [], receiveBuffer: Int32? = nil) throws {
        try self.init(RawClient(port: port, receiveBuffer: receiveBuffer), path: path, headers: headers)
    }

    /// Upgrades a connection at `path`.
    init(_ raw: RawClient, path: String = "/echo", headers: [String] = []) throws {
        self.raw = raw
        let answer = try raw.request("GET", path, headers: Self.handshake + headers)
        guard answer.status == 101, answer.fields.first("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" else {
            throw ClientFailure("not upgraded: \(answer.status) \(answer.text)")
        }
    }

    /// The bytes of a message as one frame.
    func frame(_ message: RealtimeMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        encoder.append(message, mask: 0x1234_5678, to: &bytes)
        return bytes
    }

    func send(_ text: String) throws { try raw.send(frame(.text(Array(text.utf8)))) }

    func ping(_ payload: [UInt8]) throws {
        var bytes: [UInt8] = []
        encoder.appendPing(payload, mask: 7, to: &bytes)
        try raw.send(bytes)
    }

    func pong() throws {
        var bytes: [UInt8] = []
        encoder.appendPong([], mask: 7, to: &bytes)
        try raw.send(bytes)
    }

    func sendClose(code: UInt16?, reason: String = "") throws {
        var bytes: [UInt8] = []
        encoder.appendClose(code: code, reason: reason, mask: 9, to: &bytes)
        try raw.send(bytes)
    }

    /// The next event; nil when the server ended the connection without one.
    func next() throws -> WebSocketEvent? {
        while events.isEmpty {
            let bytes = try raw.read()
            if bytes.isEmpty { return nil }
            try decoder.decode(bytes, into: &events)
        }
        return events.removeFirst()
    }

    /// The next text; throws for anything else.
    func nextText() throws -> String {
        let event = try next()
        guard case .message(.text(let bytes))? = event else {
            throw ClientFailure("no text but \(String(describing: event))")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
