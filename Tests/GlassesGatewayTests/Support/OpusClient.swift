import Foundation
import GlassesDialects
import GlassesDomain
import GlassesNet
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A client as apps have it, through the connection port, which counts what is on the wire.
final class OpusClient {
    /// What went over the wire.
    final class Wire: Sendable {
        struct Count {
            var bytes = 0
            var binary = 0
        }

        let sent = Mutex(Count())
        let received = Mutex(Count())

        static func count(_ message: RealtimeMessage, _ count: inout Count) {
            switch message {
            case .text(let bytes): count.bytes += bytes.count
            case .binary(let bytes):
                count.bytes += bytes.count
                count.binary += 1
            }
        }
    }

    let connection: any RealtimeConnection
    let wire: Wire
    private var iterator: AsyncStream<RealtimeInbound>.Iterator

    init(_ connection: any RealtimeConnection, _ wire: Wire) {
        self.connection = connection
        self.wire = wire
        iterator = connection.inbound.makeAsyncIterator()
    }

    /// Opens one connection to `base`.
    static func open(
        _ base: String, _ audio: GatewayAudio, model: String = "local", token: String? = nil, caFile: String? = nil
    ) async throws -> OpusClient {
        let (connector, wire) = try connector(base, audio, token: token, caFile: caFile)
        return OpusClient(try await connector.connect(RealtimeRequest(model: model)), wire)
    }

    /// What opens connections to `base`.
    static func connector(
        _ base: String, _ audio: GatewayAudio, token: String? = nil, caFile: String? = nil
    ) throws -> (RealtimeConnector, Wire) {
        guard let url = URL(string: base) else { throw SocketClient.Missing(description: base) }
        let wire = Wire()
        var endpoint = GatewayEndpoint(
            url: url, token: token.map { token in { @Sendable () async throws -> String in token } },
            authorities: caFile, proxy: .none)
        endpoint.audio = audio
        var options = GatewayConnectorOptions()
        options.openTimeout = .seconds(100)
        let counting: @Sendable (@escaping WebSocketOpener) -> WebSocketOpener = { opener in
            { receiver in CountingChannel(try await opener(CountingReceiver(receiver, wire)), wire) }
        }
        if audio == .pcm {
            options.adapter = { _, opener, receiver in try await counting(opener)(receiver) }
        } else {
            options.opus = SubprotocolOffer(name: OpusWire.subprotocol) { request, opener, receiver in
                try await OpusClientSession.adapter(request, counting(opener), receiver)
            }
        }
        return (GatewayConnector.make(endpoint, options: options), wire)
    }

    func send(_ event: JSONValue) { _ = connection.send(.text(Array(event.jsonText.utf8)), lane: .control) }

    /// Sends sound at 24 kHz as a microphone does, in blocks of `block` samples.
    func hear(_ samples: [Int16], block: Int = 480) {
        for start in stride(from: 0, to: samples.count, by: block) {
            let piece = samples[start..<min(start + block, samples.count)]
            _ = connection.send(.text(RealtimeCodec.inputAudioAppend(samples: piece)), lane: .control)
        }
    }

    func speak() { hear(Sound.silence(ms: 300) + Sound.speech(ms: 800) + Sound.silence(ms: 900)) }

    /// The events up to the first of `type`.
    func events(until type: String) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        while let inbound = await iterator.next() {
            switch inbound {
            case .message(.text(let bytes)): events.append(try JSONValue(jsonText: bytes))
            case .message(.binary): throw SocketClient.Missing(description: "a binary message reached the session")
            case .closed(let closure): throw closure
            }
            if events.last?["type"] == .string(type) { return events }
        }
        throw SocketClient.Missing(description: "no \(type)")
    }

    func close() { connection.close(code: 1_000, reason: "") }
}

/// The samples of all speech in these events.
func speechSamples(in events: [JSONValue]) -> [Int16] {
    events.filter { $0["type"] == "response.output_audio.delta" }.flatMap { event -> [Int16] in
        let bytes = [UInt8](Data(base64Encoded: event["delta"]?.stringValue ?? "") ?? Data())
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}

private final class CountingChannel: WebSocketChannel {
    private let socket: any WebSocketChannel
    private let wire: OpusClient.Wire

    init(_ socket: any WebSocketChannel, _ wire: OpusClient.Wire) {
        self.socket = socket
        self.wire = wire
    }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        wire.sent.withLock { OpusClient.Wire.count(message, &$0) }
        return socket.send(message, lane: lane)
    }
    func close(code: UInt16, reason: String) { socket.close(code: code, reason: reason) }
    func pauseReading() { socket.pauseReading() }
    func resumeReading() { socket.resumeReading() }
    var waitingBytes: Int { socket.waitingBytes }
    var subprotocol: String? { socket.subprotocol }
}

private final class CountingReceiver: WebSocketReceiver {
    private let receiver: any WebSocketReceiver
    private let wire: OpusClient.Wire

    init(_ receiver: any WebSocketReceiver, _ wire: OpusClient.Wire) {
        self.receiver = receiver
        self.wire = wire
    }

    func received(_ message: RealtimeMessage) {
        wire.received.withLock { OpusClient.Wire.count(message, &$0) }
        receiver.received(message)
    }
    func drained() { receiver.drained() }
    func closed(_ closure: ConnectionClosure) { receiver.closed(closure) }
}
