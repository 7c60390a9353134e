import GlassesDomain
import GlassesRealtime
import Synchronization

/// Measures the answers' audio that comes over the connections of a connector.
final class ReceivedAudio: Sendable {
    private let bytes = Mutex(0)

    /// All received so far, in milliseconds.
    var milliseconds: Int { bytes.withLock { $0 / 48 } }

    /// `connector`, measured.
    func observe(_ connector: RealtimeConnector) -> RealtimeConnector {
        var observed = connector
        observed.connect = { request in
            ObservedConnection(try await connector.connect(request)) { message in
                guard case .text(let text) = message else { return }
                do {
                    let event = try RealtimeCodec.decodeServerEvent(text).event
                    if case .responseOutputAudioDelta(let audio) = event {
                        self.bytes.withLock { $0 += audio.audio.count }
                    }
                } catch {
                    print("a server event that cannot be read: \(error)")
                }
            }
        }
        return observed
    }
}

/// A connection whose messages somebody else sees too.
private final class ObservedConnection: RealtimeConnection {
    let inbound: AsyncStream<RealtimeInbound>
    private let connection: any RealtimeConnection

    init(_ connection: any RealtimeConnection, _ see: @escaping @Sendable (RealtimeMessage) -> Void) {
        self.connection = connection
        let (inbound, continuation) = AsyncStream<RealtimeInbound>.makeStream()
        self.inbound = inbound
        Task {
            for await message in connection.inbound {
                if case .message(let message) = message { see(message) }
                continuation.yield(message)
            }
            continuation.finish()
        }
    }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome { connection.send(message, lane: lane) }

    func close(code: UInt16, reason: String) { connection.close(code: code, reason: reason) }
}
