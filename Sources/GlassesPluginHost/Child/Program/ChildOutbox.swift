import Glibc
import GlassesDomain
import Synchronization

/// The child's way to the host, for every thread of the plugin: no callback waits, except a synthesiser's audio and a photo.
final class ChildOutbox: Sendable {
    /// What may be lost is lost when this much waits.
    private static let lossyLimit = 64 << 10
    /// A few seconds of a synthesiser's audio.
    private static let audioLimit = 1 << 20
    /// What must not be lost ends the child when this much waits.
    private static let limit = 8 << 20
    /// A host that takes nothing for this long hangs.
    private static let patience: Duration = .seconds(5)
    private static let pause: UInt32 = 2_000

    private let socket: MessageSocket
    private let drops = Mutex(Drops())

    private struct Drops {
        var count: UInt64 = 0
        var nextTelling = MonotonicTime.zero
    }

    /// A flood is told about once in this time.
    private static let tellingPeriod: Duration = .milliseconds(500)

    init(_ socket: MessageSocket) { self.socket = socket }

    /// Sends what the host has to get.
    func send(_ message: ChildMessage) {
        if socket.send(message.bytes, limit: Self.limit) == .full { ChildExit.flooded.leave() }
    }

    /// Sends what the host can do without; counts what is lost.
    func sendIfPossible(_ message: ChildMessage) {
        tellDrops()
        if socket.send(message.bytes, limit: Self.lossyLimit) == .full { drops.withLock { $0.count += 1 } }
    }

    /// Sends much at once, and waits for room on the plugin's own thread; false when the host takes none.
    func sendPatiently(_ message: ChildMessage) -> Bool {
        let bytes = message.bytes
        let deadline = SystemClock.now().advanced(by: Self.patience)
        while true {
            switch socket.send(bytes, limit: Self.audioLimit) {
            case .accepted: return true
            case .closed: return false
            case .full:
                // What is longer than the limit goes alone.
                if socket.waitingBytes == 0 { return socket.send(bytes, limit: MessageFrame.messageLimit) == .accepted }
                guard SystemClock.now() < deadline else { return false }
                usleep(Self.pause)
            }
        }
    }

    private func tellDrops() {
        let count = drops.withLock { drops in
            let now = SystemClock.now()
            guard drops.count > 0, now >= drops.nextTelling else { return UInt64(0) }
            defer { drops.count = 0 }
            drops.nextTelling = now.advanced(by: Self.tellingPeriod)
            return drops.count
        }
        if count > 0 { send(.dropped(count)) }
    }
}
