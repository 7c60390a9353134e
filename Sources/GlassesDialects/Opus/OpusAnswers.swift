import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// What a server sends to a client of `extentos.opus.v1`: speech becomes frames, everything else stays.
struct OpusAnswers {
    private struct Part: Hashable {
        let responseId: String
        let itemId: String
        let contentIndex: Int

        init(_ place: PartReference) {
            (responseId, itemId, contentIndex) = (place.responseId, place.itemId, place.contentIndex)
        }
    }

    /// Parts whose speech is under way at a time; the speech of more is sent as base64.
    private static let openStreams = 16

    private var streams: [Part: OpusSending] = [:]
    private var lastStream: UInt8 = .max
    private var isStandard = true
    /// Whether the client's frames stand for the session's input format.
    private(set) var takesInput = true

    /// What goes out for a message; throws when the coder fails, which ends the session.
    mutating func messages(for bytes: [UInt8]) throws(AudioFormatError) -> [RealtimeMessage] {
        let event: ServerEvent
        do { event = try RealtimeCodec.decodeServerEvent(bytes).event } catch { return [.text(bytes)] }
        switch event {
        case .sessionCreated(let session), .sessionUpdated(let session):
            isStandard = session.output.format == .standard
            takesInput = session.input.format == .standard
        case .responseContentPartAdded(let added):
            guard case .outputAudio = added.part, let stream = try bind(added.place) else { break }
            return [.text(OpusMessage.adding(OpusWire.streamField, Int(stream), to: bytes))]
        case .responseOutputAudioDelta(let delta):
            return try streams[Part(delta.place)]?.add(delta.audio) ?? [.text(bytes)]
        case .responseOutputAudioDone(let done):
            return try end(done, bytes)
        case .responseDone(let response):
            var frames: [RealtimeMessage] = []
            for part in streams.keys where part.responseId == response.id { frames += try finish(part) }
            return frames + [.text(bytes)]
        default: break
        }
        return [.text(bytes)]
    }

    private mutating func bind(_ place: PartReference) throws(AudioFormatError) -> UInt8? {
        guard isStandard, streams.count < Self.openStreams else { return nil }
        let taken = Set(streams.values.map(\.stream))
        repeat { lastStream &+= 1 } while taken.contains(lastStream)
        streams[Part(place)] = try OpusSending(stream: lastStream)
        return lastStream
    }

    private mutating func end(_ done: OutputAudioDone, _ bytes: [UInt8]) throws(AudioFormatError) -> [RealtimeMessage] {
        let part = Part(done.place)
        guard let samples = streams[part]?.samples else { return [.text(bytes)] }
        let frames = try finish(part)
        guard done.audioMs == nil else { return frames + [.text(bytes)] }
        let length = samples * 1_000 / OpusVoiceEncoder.sampleRate
        return frames + [.text(OpusMessage.adding("audio_ms", length, to: bytes))]
    }

    private mutating func finish(_ part: Part) throws(AudioFormatError) -> [RealtimeMessage] {
        defer { streams[part] = nil }
        return try streams[part]?.finish(next: 0) ?? []
    }
}

/// What a client of `extentos.opus.v1` receives: frames become speech of the part that their stream is bound to.
struct OpusHearing {
    private struct Bound {
        let place: PartReference
        var receiving: OpusReceiving
    }

    private var streams: [UInt8: Bound] = [:]
    private var lastEvent = 0
    /// Whether the session takes PCM at 24 kHz, for which frames stand.
    private(set) var takesInput = true

    /// A longer message cannot be one that is looked at.
    private static let inspectedBytes = 2 << 20

    /// What a text message stands for: itself, behind silence that a part still lacks.
    mutating func messages(for bytes: [UInt8]) -> [RealtimeMessage] {
        guard bytes.count <= Self.inspectedBytes else { return [.text(bytes)] }
        let message: Identified<ServerEvent>
        do { message = try RealtimeCodec.decodeServerEvent(bytes) } catch { return [.text(bytes)] }
        switch message.event {
        case .sessionCreated(let session), .sessionUpdated(let session):
            takesInput = session.input.format == .standard
        case .responseContentPartAdded(let added):
            guard let number = message.extra[OpusWire.streamField]?.intValue, let stream = UInt8(exactly: number)
            else { break }
            do { streams[stream] = Bound(place: added.place, receiving: try OpusReceiving()) } catch { break }
        case .responseOutputAudioDone(let done):
            return (end(done).map { [$0] } ?? []) + [.text(bytes)]
        case .responseDone(let response):
            streams = streams.filter { $0.value.place.responseId != response.id }
        default: break
        }
        return [.text(bytes)]
    }

    /// The event that a frame stands for; nil when it adds nothing.
    mutating func event(for bytes: [UInt8]) throws(OpusFrameError) -> RealtimeMessage? {
        let frame = try OpusFrame(bytes)
        guard var bound = streams[frame.stream] else { throw .unboundStream }
        defer { streams[frame.stream] = bound }
        let samples = try bound.receiving.take(frame)
        return samples.isEmpty ? nil : delta(samples, at: bound.place)
    }

    private mutating func end(_ done: OutputAudioDone) -> RealtimeMessage? {
        guard let (stream, bound) = streams.first(where: { Self.isSame($0.value.place, done.place) }) else {
            return nil
        }
        streams[stream] = nil
        // Less than a millisecond is rounding.
        let missing = (done.audioMs ?? 0) * 24 - bound.receiving.length
        guard missing > 24 else { return nil }
        return delta([Int16](repeating: 0, count: min(missing, OpusWire.longestGap / 2)), at: bound.place)
    }

    private mutating func delta(_ samples: [Int16], at place: PartReference) -> RealtimeMessage {
        lastEvent += 1
        let audio = PCMBlock(samples: samples, sampleRate: OpusVoiceDecoder.sampleRate).littleEndianBytes
        return .text(
            RealtimeCodec.encode(
                .responseOutputAudioDelta(OutputAudio(place: place, audio: Array(audio))),
                eventId: "opus_\(lastEvent)"))
    }

    private static func isSame(_ one: PartReference, _ other: PartReference) -> Bool {
        one.responseId == other.responseId && one.itemId == other.itemId && one.contentIndex == other.contentIndex
    }
}
