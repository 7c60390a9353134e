import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

/// A client of a session through its connection port: bytes in, bytes out.
final class TestClient {
    let connection: any RealtimeConnection
    private var inbound: AsyncStream<RealtimeInbound>.Iterator
    private(set) var events: [ServerEvent] = []

    init(_ engines: PipelineEngines, clock: ManualClock = ManualClock()) async throws {
        let connector = PipelineConnector.make(engines: engines, clock: clock.port)
        connection = try await connector.connect(RealtimeRequest())
        inbound = connection.inbound.makeAsyncIterator()
    }

    init(connection: any RealtimeConnection) {
        self.connection = connection
        inbound = connection.inbound.makeAsyncIterator()
    }

    func send(_ event: ClientEvent, id: String? = nil) {
        let lane: UplinkLane = if case .inputAudioBufferAppend = event { .audio } else { .control }
        _ = connection.send(.text(RealtimeCodec.encode(event, eventId: id)), lane: lane)
    }

    func hear(_ samples: [Int16]) {
        send(.inputAudioBufferAppend(audio: PCMBlock(samples: samples, sampleRate: 24_000).littleEndianBytes))
    }

    /// A spoken turn.
    func speak() {
        hear(Sound.silence(ms: 300))
        hear(Sound.speech(ms: 800))
        hear(Sound.silence(ms: 900))
    }

    /// Reads up to the first event of a type and gives it.
    @discardableResult
    func next(_ type: String) async throws -> ServerEvent {
        while let message = await inbound.next() {
            guard case .message(.text(let bytes)) = message else { break }
            let event = try RealtimeCodec.decodeServerEvent(bytes).event
            events.append(event)
            if event.type == type { return event }
        }
        throw Missing(type: type, seen: events.map(\.type))
    }

    /// Reads up to the end of the connection.
    func closure() async -> ConnectionClosure? {
        while let message = await inbound.next() {
            if case .closed(let closure) = message { return closure }
        }
        return nil
    }

    /// The response that ends next.
    func nextResponse() async throws -> RealtimeResponse {
        guard case .responseDone(let response) = try await next("response.done") else {
            throw Missing(type: "", seen: [])
        }
        return response
    }

    struct Missing: Error {
        let type: String
        let seen: [String]
    }
}
