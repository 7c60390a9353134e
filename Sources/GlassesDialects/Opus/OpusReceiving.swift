import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// One stream that is received: frames in, samples at 24 kHz out.
struct OpusReceiving {
    private let decoder: OpusVoiceDecoder
    private var timeline = OpusTimeline()

    init() throws(OpusFrameError) {
        do { decoder = try OpusVoiceDecoder() } catch { throw .brokenPacket }
    }

    /// The sound so far, in samples.
    var length: Int { timeline.length }

    /// The sound that a frame adds, silence in front of it included.
    mutating func take(_ frame: OpusFrame) throws(OpusFrameError) -> [Int16] {
        switch frame.body {
        case .end:
            timeline.announceEnd(at: frame.start)
            return []
        case .packet(let packet):
            let decoded = try decode(packet)
            let piece = try timeline.take(start: frame.start, count: decoded.count)
            return [Int16](repeating: 0, count: piece.silence) + decoded[piece.kept]
        }
    }

    private func decode(_ packet: [UInt8]) throws(OpusFrameError) -> [Int16] {
        do throws(AudioFormatError) {
            return try packet.withUnsafeBufferPointer { (packet) throws(AudioFormatError) in
                Array(try decoder.decode(packet))
            }
        } catch {
            throw .brokenPacket
        }
    }
}

/// Frames that were refused: counted, and too many of them end the connection.
struct OpusRefusals {
    /// How many frames a connection may send in vain: more than any mishap, less than a second of work.
    static let limit = 100
    /// The close code of a connection that sent more: it breaks the rules (RFC 6455 section 7.4.1, policy violation).
    static let closeCode: UInt16 = 1_008
    static let reason = "Too many binary frames could not be taken."

    private var count = 0

    /// Counts one; true when it is the one too many.
    mutating func add() -> Bool {
        count += 1
        return count == Self.limit
    }
}

/// Changes to a message without a tree of values: the rest of it stays as it came.
enum OpusMessage {
    /// The JSON object `bytes` with a whole number as a further first field.
    static func adding(_ field: String, _ value: Int, to bytes: [UInt8]) -> [UInt8] {
        guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { return bytes }
        return bytes[...brace] + Array("\"\(field)\":\(value),".utf8) + bytes[(brace + 1)...]
    }
}
