import Dispatch
import GlassesAudio
import GlassesDomain
import GlassesRealtime
import GlassesWebSocket
import Synchronization

/// A session at a server of `extentos.opus.v1`, for a client that sends and receives JSON as always: the receiver of the socket, in front of
/// the client's own.
///
/// Microphone blocks are coded in the call that sends them, on the thread that hands them over (the host's reader thread or the
/// session's executor, never a plugin's audio thread); frames are decoded in the call that brings them.
public final class OpusClientSession: WebSocketReceiver {
    private struct Downlink {
        var hearing = OpusHearing()
        var refusals = OpusRefusals()
    }

    private let client: any WebSocketReceiver
    private let downlink = Mutex(Downlink())
    private let channel = Mutex<OpusClientChannel?>(nil)

    /// The subprotocol that a server has to select.
    public static let subprotocol = OpusWire.subprotocol

    /// Opens a connection and codes its audio if the server has selected that; with every other server nothing changes.
    public static let adapter: WebSocketAdapter = { _, opener, receiver in
        let session = OpusClientSession(receiver)
        return session.channel(to: try await opener(session))
    }

    init(_ client: any WebSocketReceiver) { self.client = client }

    /// What the client sends through.
    func channel(to socket: any WebSocketChannel) -> any WebSocketChannel {
        guard socket.subprotocol == OpusWire.subprotocol else { return socket }
        let made = OpusClientChannel(socket)
        channel.withLock { $0 = made }
        // Said before the channel was known.
        made.take(input: downlink.withLock(\.hearing.takesInput))
        return made
    }

    /// Gives the client an event, or what a frame stands for.
    public func received(_ message: RealtimeMessage) {
        switch message {
        case .text(let bytes):
            let (messages, takesInput) = downlink.withLock {
                ($0.hearing.messages(for: bytes), $0.hearing.takesInput)
            }
            channel.withLock { $0 }?.take(input: takesInput)
            for message in messages { client.received(message) }
        case .binary(let bytes):
            // Without the agreement it is the client's own business.
            guard let channel = channel.withLock({ $0 }) else { return client.received(message) }
            do throws(OpusFrameError) {
                let event = try downlink.withLock { (downlink) throws(OpusFrameError) in
                    try downlink.hearing.event(for: bytes)
                }
                if let event { client.received(event) }
            } catch {
                guard downlink.withLock({ $0.refusals.add() }) else { return }
                channel.close(code: OpusRefusals.closeCode, reason: OpusRefusals.reason)
            }
        }
    }

    /// Passes it on.
    public func drained() { client.drained() }

    /// Passes it on.
    public func closed(_ closure: ConnectionClosure) {
        channel.withLock { $0 = nil }
        client.closed(closure)
    }
}

/// A socket whose microphone audio goes out as frames.
final class OpusClientChannel: WebSocketChannel {
    private struct Uplink {
        var sending: OpusSending?
        var lane = UplinkLane.audio
        var takesInput = true
        /// Blocks so far, for the watch of a silent microphone.
        var blocks = 0
        var isWatched = false
    }

    private let socket: any WebSocketChannel
    private let uplink = Mutex(Uplink())

    /// A microphone that gives nothing for this long has stopped: what the coder holds back is sent.
    private static let pause = DispatchTimeInterval.milliseconds(150)
    /// A longer message is no commit and no clear.
    private static let shortMessage = 4_096
    /// A stream ends before its places are used up: after 12 hours.
    private static let longestStream = 12 * 3_600 * OpusVoiceEncoder.sampleRate

    init(_ socket: any WebSocketChannel) { self.socket = socket }

    func take(input takesInput: Bool) { uplink.withLock { $0.takesInput = takesInput } }

    func send(_ message: RealtimeMessage, lane: UplinkLane) -> UplinkOutcome {
        guard case .text(let bytes) = message else { return socket.send(message, lane: lane) }
        let (outcome, watches) = uplink.withLock { uplink in
            let outcome = send(bytes, lane, &uplink)
            defer { if uplink.sending?.samples ?? 0 > 0 { uplink.isWatched = true } }
            return (outcome, uplink.sending?.samples ?? 0 > 0 && !uplink.isWatched)
        }
        if watches { watch() }
        return outcome
    }

    func close(code: UInt16, reason: String) { socket.close(code: code, reason: reason) }
    func pauseReading() { socket.pauseReading() }
    func resumeReading() { socket.resumeReading() }
    var waitingBytes: Int { socket.waitingBytes }

    /// Under the lock, so that frames go out in the order of their sound.
    private func send(_ bytes: [UInt8], _ lane: UplinkLane, _ uplink: inout Uplink) -> UplinkOutcome {
        do throws(AudioFormatError) {
            switch Self.event(bytes) {
            case .inputAudioBufferAppend(let audio) where uplink.takesInput:
                if uplink.sending == nil { uplink.sending = try OpusSending(stream: 0) }
                uplink.lane = lane
                uplink.blocks += 1
                var frames = try uplink.sending?.add(audio) ?? []
                if uplink.sending?.samples ?? 0 > Self.longestStream { frames += try Self.finish(&uplink) }
                return send(frames, lane)
            case .inputAudioBufferAppend, .inputAudioBufferCommit, .inputAudioBufferClear:
                // With JSON everything before it would have gone out.
                let outcome = send(try Self.finish(&uplink), uplink.lane)
                return outcome == .refused ? .refused : socket.send(.text(bytes), lane: lane)
            default: return socket.send(.text(bytes), lane: lane)
            }
        } catch {
            socket.close(code: 1_011, reason: "The microphone's audio could not be coded.")
            return .refused
        }
    }

    private func send(_ frames: [RealtimeMessage], _ lane: UplinkLane) -> UplinkOutcome {
        for frame in frames where socket.send(frame, lane: lane) == .refused { return .refused }
        return .accepted
    }

    private static func finish(_ uplink: inout Uplink) throws(AudioFormatError) -> [RealtimeMessage] {
        guard let stream = uplink.sending?.stream else { return [] }
        return try uplink.sending?.finish(next: stream &+ 1) ?? []
    }

    /// The event, if it can be one that matters here.
    private static func event(_ bytes: [UInt8]) -> ClientEvent? {
        guard bytes.count <= shortMessage || bytes.starts(with: "{\"audio\":\"".utf8) else { return nil }
        // What is no event is the server's to refuse.
        do { return try RealtimeCodec.decodeClientEvent(bytes).event } catch { return nil }
    }

    /// Looks once in a while whether blocks still come, as long as the coder holds something back.
    private func watch() {
        let blocks = uplink.withLock { $0.blocks }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.look(since: blocks) }
    }

    private func look(since blocks: Int) {
        let goesOn = uplink.withLock { uplink in
            guard uplink.blocks == blocks else { return true }
            uplink.isWatched = false
            do throws(AudioFormatError) {
                // A refusal is told by the next send.
                _ = send(try Self.finish(&uplink), uplink.lane)
            } catch {
                socket.close(code: 1_011, reason: "The microphone's audio could not be coded.")
            }
            return false
        }
        if goesOn { watch() }
    }
}
