import GlassesDomain
import GlassesRealtime
import Synchronization

/// The way of microphone samples to the provider: open between `startUplink` and `stopUplink` of the session machine, and not one
/// sample longer.
final class Uplink: Sendable {
    private struct Storage {
        var connection: (any RealtimeConnection)?
        var sentFrames: Int64 = 0
        var refusedFrames: Int64 = 0
    }

    private let storage = Mutex(Storage())

    /// Sends samples on this connection from now on.
    func start(_ connection: any RealtimeConnection) { storage.withLock { $0.connection = connection } }

    /// Sends nothing from now on: a block that is being sent has been handed over when this returns.
    func stop() { storage.withLock { $0.connection = nil } }

    /// Frames handed to connections, and frames that a connection refused.
    var counts: (sent: Int64, refused: Int64) { storage.withLock { ($0.sentFrames, $0.refusedFrames) } }

    /// Sends a block of samples at the realtime rate, if open.
    func send(_ samples: [Int16]) {
        storage.withLock { storage in
            guard let connection = storage.connection else { return }
            let bytes = PCMBlock(samples: samples, sampleRate: RealtimeAudio.sampleRate).littleEndianBytes
            let message = RealtimeCodec.encode(.inputAudioBufferAppend(audio: bytes))
            switch connection.send(.text(message), lane: .audio) {
            case .accepted: storage.sentFrames += Int64(samples.count)
            case .refused: storage.refusedFrames += Int64(samples.count)
            }
        }
    }
}
