import Dispatch
import GlassesAudio
import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A client's socket at a server that has selected `extentos.opus.v1`: the session behind it sends and receives JSON as always.
///
/// What the session sends is coded on a queue of its own, in order, since coding takes longer than a network loop may wait; frames are
/// decoded in the call that brings them, which takes a tenth of that.
public final class OpusServerChannel: WebSocketChannel {
    private struct Load {
        var bytes = 0
        /// The session has seen so much waiting that it may wait to be told.
        var isAwaited = false
        var isOver = false
    }

    private struct Uplink {
        var stream: UInt8 = 0
        var receiving: OpusReceiving?
        var refusals = OpusRefusals()
        var takesInput = true
    }

    private let socket: any WebSocketChannel
    private let highWater: Int
    private let refused: @Sendable () -> Void
    private let queue = DispatchQueue(label: "org.extentos.opus")
    private let load = Mutex(Load())
    private let answers = Mutex(OpusAnswers())
    private let uplink = Mutex(Uplink())
    private let session = Mutex<(any WebSocketReceiver)?>(nil)

    /// What may wait to be coded; more ends the session.
    private static let waitingBytesLimit = 64 << 20

    /// The client behind `socket`. A session that waits for room is told when no more than `highWater` bytes wait, as `socket` does;
    /// `refused` is called for each frame that is dropped.
    public init(_ socket: any WebSocketChannel, highWater: Int, refused: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.highWater = highWater
        self.refused = refused
    }

    /// What the socket has to tell, for a session; called once, before the socket tells anything.
    public func receiver(for session: any WebSocketReceiver) -> any WebSocketReceiver {
        self.session.withLock { $0 = session }
        return OpusServerReceiver(self)
    }

    /// Queues a message to be coded and sent; callable on any thread.
    public func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return .refused }
        let isAccepted = load.withLock { load in
            guard !load.isOver, load.bytes + bytes.count <= Self.waitingBytesLimit else { return false }
            load.bytes += bytes.count
            if load.bytes + socket.waitingBytes > highWater { load.isAwaited = true }
            return true
        }
        guard isAccepted else { return .refused }
        queue.async { self.pass(bytes, lane) }
        return .accepted
    }

    /// Closes behind what was queued.
    public func close(code: UInt16, reason: String) { queue.async { self.socket.close(code: code, reason: reason) } }
    /// Passes it on.
    public func pauseReading() { socket.pauseReading() }
    /// Passes it on.
    public func resumeReading() { socket.resumeReading() }
    /// What waits to be coded, and what waits for the kernel.
    public var waitingBytes: Int { load.withLock(\.bytes) + socket.waitingBytes }

    private func pass(_ bytes: [UInt8], _ lane: UplinkLane) {
        if !load.withLock(\.isOver) {
            do throws(AudioFormatError) {
                let (messages, takesInput) = try coded(bytes)
                uplink.withLock { $0.takesInput = takesInput }
                for message in messages where socket.send(message, lane: lane) == .refused { end() }
            } catch {
                socket.close(code: 1_011, reason: "The speech could not be coded.")
                end()
            }
        }
        let isRoom = load.withLock { load in
            load.bytes -= bytes.count
            guard load.isAwaited, load.bytes + socket.waitingBytes <= highWater else { return false }
            load.isAwaited = false
            return true
        }
        if isRoom { session.withLock { $0 }?.drained() }
    }

    private func coded(_ bytes: [UInt8]) throws(AudioFormatError) -> ([RealtimeMessage], Bool) {
        try answers.withLock { (answers) throws(AudioFormatError) in
            (try answers.messages(for: bytes), answers.takesInput)
        }
    }

    private func end() { load.withLock { $0.isOver = true } }
}

// The client's side, on the server's loop.
extension OpusServerChannel {
    fileprivate func received(_ message: RealtimeMessage) {
        guard case .binary(let bytes) = message else { return tell(message) }
        let samples: [Int16]
        do throws(OpusFrameError) {
            samples = try uplink.withLock { (uplink) throws(OpusFrameError) in try Self.samples(of: bytes, &uplink) }
        } catch {
            refused()
            if uplink.withLock({ $0.refusals.add() }) {
                socket.close(code: OpusRefusals.closeCode, reason: OpusRefusals.reason)
            }
            return
        }
        if !samples.isEmpty { tell(.text(RealtimeCodec.inputAudioAppend(samples: samples[...]))) }
    }

    fileprivate func drained() { session.withLock { $0 }?.drained() }

    fileprivate func closed(_ closure: ConnectionClosure) {
        end()
        session.withLock { session in
            defer { session = nil }
            return session
        }?.closed(closure)
    }

    private func tell(_ message: RealtimeMessage) { session.withLock { $0 }?.received(message) }

    /// A client's streams follow one another, from 0: each belongs to the input audio buffer.
    private static func samples(of bytes: [UInt8], _ uplink: inout Uplink) throws(OpusFrameError) -> [Int16] {
        let frame = try OpusFrame(bytes)
        guard uplink.takesInput else { throw .otherFormat }
        if uplink.receiving == nil || frame.stream != uplink.stream {
            guard frame.stream == (uplink.receiving == nil ? 0 : uplink.stream &+ 1) else { throw .unboundStream }
            uplink.receiving = try OpusReceiving()
            uplink.stream = frame.stream
        }
        return try uplink.receiving?.take(frame) ?? []
    }
}

/// Hears the socket for an ``OpusServerChannel``.
private final class OpusServerReceiver: WebSocketReceiver {
    private let channel: OpusServerChannel

    init(_ channel: OpusServerChannel) { self.channel = channel }

    func received(_ message: RealtimeMessage) { channel.received(message) }
    func drained() { channel.drained() }
    func closed(_ closure: ConnectionClosure) { channel.closed(closure) }
}
