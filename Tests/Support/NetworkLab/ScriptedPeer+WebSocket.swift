import GlassesDomain
import GlassesWebSocket

extension ScriptedPeer {
    /// Takes an upgrade request, accepts it and returns its head; `fields` are added to the answer.
    @discardableResult
    public func acceptUpgrade(_ fields: [String] = []) throws -> String {
        let head = try receiveHead()
        try send(Self.acceptance(of: head, fields))
        return head
    }

    /// The answer that accepts an upgrade request.
    public static func acceptance(of head: String, _ fields: [String] = []) -> String {
        let accept = WebSocketKey.accept(for: value("Sec-WebSocket-Key", in: head) ?? "")
        let lines =
            [
                "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Accept: \(accept)",
            ] + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The value of a field in a head.
    public static func value(_ name: String, in head: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingPrefix(" ").description
        }
        return nil
    }

    /// An answer with a status and a body.
    public static func answer(_ status: String, _ fields: [String] = [], body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }

    /// Sends a text message in one frame.
    public func sendMessage(_ text: String) throws {
        var bytes: [UInt8] = []
        WebSocketEncoder(role: .server).append(.text(Array(text.utf8)), mask: 0, to: &bytes)
        try send(bytes)
    }

    /// Sends every message of the client back, answers its pings, and ends when it closes.
    public func echo() throws {
        var decoder = WebSocketDecoder(role: .server, maximumMessage: 128 << 20)
        let encoder = WebSocketEncoder(role: .server)
        while let bytes = try receiveSome() {
            var events: [WebSocketEvent] = []
            try decoder.decode(bytes[...], into: &events)
            for event in events {
                var answer: [UInt8] = []
                switch event {
                case .message(let message): encoder.append(message, mask: 0, to: &answer)
                case .ping(let payload): encoder.appendPong(payload, mask: 0, to: &answer)
                case .pong: break
                case .close(let code, let reason):
                    encoder.appendClose(code: code, reason: reason, mask: 0, to: &answer)
                    try send(answer)
                    return
                }
                try send(answer)
            }
        }
    }
}

/// The server's half of an upgraded connection, event by event.
public final class ScriptedWebSocket {
    private let peer: ScriptedPeer
    private var decoder = WebSocketDecoder(role: .server, maximumMessage: 128 << 20)
    private var events: [WebSocketEvent] = []

    /// What `peer` sends from now on.
    public init(_ peer: ScriptedPeer) { self.peer = peer }

    /// Waits for the client's next event; nil when it closed the connection.
    public func next() throws -> WebSocketEvent? {
        while events.isEmpty {
            guard let bytes = try peer.receiveSome() else { return nil }
            try decoder.decode(bytes[...], into: &events)
        }
        return events.removeFirst()
    }

    /// Sends a frame; control frames may come between the frames of a message.
    public func send(_ opcode: WebSocketOpcode, _ payload: [UInt8] = [], isFinal: Bool = true) throws {
        var bytes: [UInt8] = []
        WebSocketEncoder(role: .server).append(opcode, isFinal: isFinal, payload[...], mask: 0, to: &bytes)
        try peer.send(bytes)
    }

    /// Sends a close frame.
    public func sendClose(_ code: UInt16?, reason: String = "") throws {
        var bytes: [UInt8] = []
        WebSocketEncoder(role: .server).appendClose(code: code, reason: reason, mask: 0, to: &bytes)
        try peer.send(bytes)
    }
}
