import CMicrohttpd
import GlassesDomain
import GlassesWebSocket

/// Gives answers to the library. [daemon]
struct ResponseSender {
    /// The connection.
    let handle: OpaquePointer
    /// Whether the connection ends after the answer.
    let isLast: Bool

    /// The lines that the library writes itself.
    private static let own: Set<String> = ["content-length", "transfer-encoding", "connection", "date"]
    /// How many bytes of a stream the library asks for at once.
    private static let block = 16 << 10

    /// Sends the answer of `exchange`; false when the library refused it, which ends the connection.
    func send(
        _ answer: HTTPAnswer, of exchange: Exchange, on connection: ClientConnection, context: UnsafeMutableRawPointer
    ) -> Bool {
        switch answer {
        case .response(let response):
            let isStream = if case .stream = response.body { true } else { false }
            connection.beginSending(isStream: isStream, at: .now)
            return send(response, adding: exchange.crossOrigin)
        case .upgrade(let upgrade):
            connection.beginSending(isStream: false, at: .now)
            guard let offer = exchange.request.webSocket else {
                return refuse(
                    exchange,
                    .error(
                        426, code: "upgrade_required",
                        message: "This endpoint speaks WebSocket. Send Upgrade: websocket.",
                        headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"]))
            }
            if let chosen = upgrade.subprotocol, !offer.subprotocols.contains(chosen) {
                return refuse(
                    exchange,
                    .error(
                        500, code: "subprotocol_not_offered",
                        message: "The server chose a subprotocol that was not offered. Report it."))
            }
            return send(upgrade, accept: offer.accept, context: context)
        }
    }

    private func refuse(_ exchange: Exchange, _ response: HTTPResponse) -> Bool {
        exchange.takeUpgrade()?.abandoned()
        return send(response, adding: exchange.crossOrigin)
    }

    /// Sends a plain answer with the lines of `extra`; false when the library refused it.
    func send(_ response: HTTPResponse, adding extra: HTTPFields) -> Bool {
        var fields = response.headers
        fields.append(extra)
        guard let created = create(response.body) else { return false }
        defer { MHD_destroy_response(created) }
        add(fields, to: created)
        if isLast { MHD_add_response_header(created, "Connection", "close") }
        let status = (200...599).contains(response.status) ? response.status : 500
        return MHD_queue_response(handle, UInt32(status), created) == .YES
    }

    private func send(_ upgrade: WebSocketUpgrade, accept: String, context: UnsafeMutableRawPointer) -> Bool {
        guard let created = MHD_create_response_for_upgrade(DaemonCallbacks.upgraded, context) else { return false }
        defer { MHD_destroy_response(created) }
        MHD_add_response_header(created, "Upgrade", "websocket")
        MHD_add_response_header(created, "Sec-WebSocket-Accept", accept)
        if let subprotocol = upgrade.subprotocol {
            MHD_add_response_header(created, "Sec-WebSocket-Protocol", subprotocol)
        }
        let handshakes = upgrade.headers.all.filter { field in
            let name = field.name.lowercased()
            return name != "upgrade" && !name.hasPrefix("sec-websocket-")
        }
        add(HTTPFields(handshakes.map { (name: $0.name, value: $0.value) }), to: created)
        return MHD_queue_response(handle, 101, created) == .YES
    }

    /// The library refuses a line that could break out of its place; it is left out.
    private func add(_ fields: HTTPFields, to response: OpaquePointer) {
        for field in fields.all where !Self.own.contains(field.name.lowercased()) {
            MHD_add_response_header(response, field.name, field.value)
        }
    }

    private func create(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes {
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            let reader = StreamReader(stream: stream, connection: SuspendedConnection(handle))
            return MHD_create_response_from_callback(
                StreamReader.unknownSize, Self.block, StreamReader.read, Unmanaged.passRetained(reader).toOpaque(),
                StreamReader.free)
        }
    }
}
