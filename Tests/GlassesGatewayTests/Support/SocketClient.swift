import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket

/// A client of a gateway over a real socket: JSON in, JSON out.
final class SocketClient: Sendable {
    /// What a test waited for and did not get.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    let channel: any WebSocketChannel
    let subprotocol: String?
    let fields: HTTPFields
    private let inbox: Inbox

    private init(_ opened: OpenedWebSocket, inbox: Inbox) {
        channel = opened.channel
        subprotocol = opened.subprotocol
        fields = opened.fields
        self.inbox = inbox
    }

    /// Connects to `base` + `/realtime`.
    static func open(
        _ base: String, query: String = "model=gpt-realtime", headers: [String: String] = [:],
        subprotocols: [String] = [], caFile: String? = nil
    ) async throws -> SocketClient {
        try await open(url: "\(base)/realtime?\(query)", headers: headers, subprotocols: subprotocols, caFile: caFile)
    }

    /// Connects to this URL.
    static func open(
        url text: String, headers: [String: String] = [:], subprotocols: [String] = [], caFile: String? = nil
    ) async throws -> SocketClient {
        guard let url = URL(string: text) else { throw Missing(description: "no URL: \(text)") }
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(name: name, value: value) }
        let inbox = Inbox()
        let request = WebSocketRequest(
            url: url, fields: fields, subprotocols: subprotocols,
            settings: NetworkSettings(caFile: caFile, proxy: .none), openTimeout: .seconds(100))
        return SocketClient(try await WebSocketClient.open(request, receiver: inbox), inbox: inbox)
    }

    /// The status and the body's error code of a refused connection.
    static func refusal(
        _ base: String, query: String = "model=gpt-realtime", headers: [String: String] = [:],
        subprotocols: [String] = []
    ) async throws -> (status: Int, code: String?, refusal: WebSocketRefusal) {
        do {
            _ = try await open(base, query: query, headers: headers, subprotocols: subprotocols)
            throw Missing(description: "the connection was accepted")
        } catch let failure as WebSocketOpenFailure {
            guard let refusal = failure.refusal else { throw failure }
            let body = try JSONValue(jsonText: refusal.body)
            return (refusal.status, body["error"]?["code"]?.stringValue, refusal)
        }
    }

    func send(_ text: String) { _ = channel.send(.text(Array(text.utf8)), lane: .control) }

    func send(_ event: JSONValue) { send(event.jsonText) }

    /// Sends a typed turn and asks for the answer.
    func say(_ text: String) {
        send(["type": "conversation.item.create", "item": Self.message(text)])
        send(["type": "response.create"])
    }

    static func message(_ text: String) -> JSONValue {
        ["type": "message", "role": "user", "content": [["type": "input_text", "text": .string(text)]]]
    }

    /// Sends 24 kHz audio.
    func hear(_ samples: [Int16]) {
        let audio = Data(PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes).base64EncodedString()
        send(["type": "input_audio_buffer.append", "audio": .string(audio)])
    }

    /// Sends a spoken turn, up to the silence that ends it.
    func speak() {
        hear(Sound.silence(ms: 300))
        hear(Sound.speech(ms: 800))
        hear(Sound.silence(ms: 900))
    }

    /// The next event.
    func event(within seconds: Int = 100) async throws -> JSONValue {
        switch try await inbox.next(within: .seconds(seconds)) {
        case .message(.text(let bytes)): return try JSONValue(jsonText: bytes)
        case .message(.binary): throw Missing(description: "a binary message came")
        case .closed(let closure): throw closure
        }
    }

    /// The events up to the first one of `type`, that one included.
    func events(until type: String) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        while true {
            do {
                events.append(try await event())
            } catch {
                let seen = events.compactMap { $0["type"]?.stringValue }.joined(separator: ", ")
                throw Missing(description: "no \(type) after \(seen): \(error)")
            }
            if events.last?["type"] == .string(type) { return events }
        }
    }

    /// The next event of `type`; those before it are skipped.
    @discardableResult
    func next(_ type: String) async throws -> JSONValue {
        guard let event = try await events(until: type).last else { throw Missing(description: type) }
        return event
    }

    /// The end of the connection; what came before it is skipped.
    func closure() async throws -> ConnectionClosure {
        while true {
            if case .closed(let closure) = try await inbox.next(within: .seconds(100)) { return closure }
        }
    }

    func close() { channel.close(code: 1_000, reason: "") }
}

/// What a socket received, for one reader.
final class Inbox: WebSocketReceiver {
    private let stream: AsyncStream<RealtimeInbound>
    private let continuation: AsyncStream<RealtimeInbound>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    func received(_ message: RealtimeMessage) { continuation.yield(.message(message)) }
    func drained() {}
    func closed(_ closure: ConnectionClosure) {
        continuation.yield(.closed(closure))
        continuation.finish()
    }

    /// The next one; throws when none comes in time.
    func next(within bound: Duration) async throws -> RealtimeInbound {
        let stream = stream
        return try await withThrowingTaskGroup(of: RealtimeInbound?.self) { group in
            group.addTask {
                var iterator = stream.makeAsyncIterator()
                return await iterator.next()
            }
            group.addTask {
                try await Task.sleep(for: bound)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let inbound = first else {
                throw SocketClient.Missing(description: "nothing came within \(bound)")
            }
            return inbound
        }
    }
}
