import Foundation

/// What waits to be sent: control messages in their order and never dropped, pictures and sound with the oldest given
/// up first.
package struct LinkOutbox: Sendable {
    /// One run of a session's stream.
    package struct Stream: Hashable, Sendable {
        package var session: LinkSession
        package var stream: LinkStream

        /// The run with these identifiers.
        package init(session: LinkSession, stream: LinkStream) {
            self.session = session
            self.stream = stream
        }
    }

    /// What a stream's waiting media are bounded by.
    package struct Limits: Sendable {
        /// Bytes of waiting control messages, photos among them; a peer that lets more pile up counts as gone.
        package var controlBytes = 64 << 20
        /// Waiting pictures: a fifth of a second at thirty a second. Older ones only add delay.
        package var frames = 6
        /// Waiting blocks of sound: 2 s of 20 ms each.
        package var audioBlocks = 100

        /// The defaults.
        package init() {}
    }

    private struct Media {
        var encoded: EncodedLinkMessage
        var stream: Stream
        /// Nil for sound.
        var frame: (needsOthers: Bool, isCoded: Bool)?
    }

    private let limits: Limits
    private var control = MessageQueue<EncodedLinkMessage>()
    private var media: [Media] = []
    private var controlBytes = 0
    /// Streams whose coding lost a picture: their pictures are of no use until one that stands alone.
    private var broken: Set<Stream> = []
    /// How many pictures and blocks of sound were given up.
    package private(set) var dropped = 0
    /// How many further pictures the peer takes.
    private var credit = 0

    /// An empty one.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a message can be sent now.
    package var hasNext: Bool { !control.isEmpty || nextMedia != nil }

    /// The peer takes that many further pictures.
    package mutating func grant(frames: Int) {
        credit = min(credit + frames, Self.creditLimit)
    }

    /// More credit than this is a peer that counts wrongly.
    private static let creditLimit = 1_024

    /// Adds a message.
    package mutating func add(_ message: LinkMessage) -> LinkSendOutcome {
        let encoded: EncodedLinkMessage
        do throws(LinkCodecError) { encoded = try message.encoded() } catch { return .tooLarge }
        switch message {
        case .event(.frame(let session, let stream, let frame)):
            let isCoded = frame.coding != .i420
            return add(
                Media(
                    encoded: encoded, stream: Stream(session: session, stream: stream),
                    frame: (needsOthers: isCoded && !frame.isKeyFrame, isCoded: isCoded)))
        case .event(.audio(let session, let stream, _)):
            return add(Media(encoded: encoded, stream: Stream(session: session, stream: stream), frame: nil))
        case .event(let event): forgetMedia(after: event)
        case .command, .control, .unknown: break
        }
        guard controlBytes + encoded.count <= limits.controlBytes else { return .ended }
        control.append(encoded)
        controlBytes += encoded.count
        return .accepted
    }

    /// Takes the next message to send.
    package mutating func next() -> EncodedLinkMessage? {
        if let first = control.popFirst() {
            controlBytes -= first.count
            return first
        }
        guard let index = nextMedia else { return nil }
        let next = media.remove(at: index)
        if next.frame != nil { credit -= 1 }
        return next.encoded
    }

    /// Sound needs no credit: it is small, and a gap in it is heard.
    private var nextMedia: Int? { media.firstIndex { $0.frame == nil || credit > 0 } }

    /// What follows a stream's pause or end must not be pictures of it.
    private mutating func forgetMedia(after event: LinkEvent) {
        switch event {
        case .streamPaused(let session, let stream), .streamEnded(let session, let stream, _):
            let ended = Stream(session: session, stream: stream)
            media.removeAll { $0.stream == ended }
            broken.remove(ended)
        case .sessionPaused(let session), .sessionEnded(let session, _):
            media.removeAll { $0.stream.session == session }
            broken = broken.filter { $0.session != session }
        case .unavailable:
            media = []
            broken = []
        default: break
        }
    }

    private mutating func add(_ new: Media) -> LinkSendOutcome {
        guard let frame = new.frame else {
            media.append(new)
            let blocks = media.indices.filter { media[$0].frame == nil }
            guard blocks.count > limits.audioBlocks, let oldest = blocks.first else { return .accepted }
            media.remove(at: oldest)
            dropped += 1
            return .dropped(keyFrameNeeded: [])
        }
        if frame.needsOthers, broken.contains(new.stream) {
            dropped += 1
            return .dropped(keyFrameNeeded: [new.stream])
        }
        if frame.isCoded, !frame.needsOthers { broken.remove(new.stream) }
        media.append(new)
        let frames = media.filter { $0.frame != nil }
        guard frames.count > limits.frames, let oldest = frames.first else { return .accepted }
        giveUpFrames(of: oldest.stream)
        return .dropped(keyFrameNeeded: broken.contains(oldest.stream) ? [oldest.stream] : [])
    }

    /// Drops the stream's oldest picture, and those that cannot be decoded without it.
    private mutating func giveUpFrames(of stream: Stream) {
        guard let first = media.firstIndex(where: { $0.stream == stream && $0.frame != nil }) else { return }
        let isCoded = media.remove(at: first).frame?.isCoded ?? false
        dropped += 1
        guard isCoded else { return }
        while let next = media.firstIndex(where: { $0.stream == stream && $0.frame != nil }),
            media[next].frame?.needsOthers == true
        {
            media.remove(at: next)
            dropped += 1
        }
        if !media.contains(where: { $0.stream == stream && $0.frame != nil }) { broken.insert(stream) }
    }
}
