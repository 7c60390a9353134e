import COpus
import GlassesAudio
import GlassesDomain

/// Codes an unbroken line of mono sound.
protocol SoundCoder: AnyObject {
    var track: MP4SoundTrack { get }
    /// Takes samples of the plan's rate, and answers what they complete.
    func add(_ samples: [Int16]) throws(MediaError) -> [MP4Sample]
    /// Answers the rest, filled up with silence.
    func finish() throws(MediaError) -> [MP4Sample]
}

/// Opus in packets of 20 ms.
final class OpusSoundCoder: SoundCoder {
    let track: MP4SoundTrack
    private let encoder: OpaquePointer
    private let resampler: Resampler
    /// Resampled, not yet coded.
    private var samples: [Int16] = []
    private let preSkip: Int

    private static let rate = 48_000
    private static let packetSamples = 960
    /// Bits a second: speech and surroundings without audible loss.
    private static let bitrate: Int32 = 48_000
    /// Half of libopus's range: half the time for a difference that is hard to hear.
    private static let complexity: Int32 = 5
    /// The bytes that libopus recommends to have for a packet.
    private static let packetBytes = 4_000

    /// A coder of sound at `rate` samples a second.
    init(rate: Int) throws(MediaError) {
        do {
            resampler = try Resampler(inputRate: rate, outputRate: Self.rate)
        } catch {
            throw .coderFailed(
                code: "sound_rate", message: "Sound at \(rate) Hz cannot be recorded; use 8000–192000 Hz.")
        }
        var code: Int32 = 0
        guard let encoder = opus_encoder_create(Int32(Self.rate), 1, OPUS_APPLICATION_AUDIO, &code) else {
            throw Self.failure(code)
        }
        self.encoder = encoder
        var lookahead: Int32 = 0
        let codes = [
            copus_set_bitrate(encoder, Self.bitrate), copus_set_complexity(encoder, Self.complexity),
            copus_get_lookahead(encoder, &lookahead),
        ]
        preSkip = Int(lookahead)
        track = MP4SoundTrack(rate: Self.rate, coding: .opus(preSkip: preSkip, inputRate: rate))
        guard let failed = codes.first(where: { $0 != OPUS_OK }) else { return }
        throw Self.failure(failed)
    }

    deinit { opus_encoder_destroy(encoder) }

    func add(_ samples: [Int16]) throws(MediaError) -> [MP4Sample] {
        self.samples += resampler.process(samples)
        return try packets()
    }

    func finish() throws(MediaError) -> [MP4Sample] {
        // What the coder holds back comes with as much silence, and a packet is whole.
        samples += resampler.flush() + [Int16](repeating: 0, count: preSkip)
        let rest = samples.count % Self.packetSamples
        if rest > 0 { samples += [Int16](repeating: 0, count: Self.packetSamples - rest) }
        return try packets()
    }

    private func packets() throws(MediaError) -> [MP4Sample] {
        var packets: [MP4Sample] = []
        var start = 0
        while samples.count - start >= Self.packetSamples {
            packets.append(try packet(at: start))
            start += Self.packetSamples
        }
        samples.removeFirst(start)
        return packets
    }

    private func packet(at start: Int) throws(MediaError) -> MP4Sample {
        var length: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.packetBytes) { buffer, count in
            length = samples.withUnsafeBufferPointer { samples in
                guard let first = samples.baseAddress, let target = buffer.baseAddress else { return 0 }
                return opus_encode(
                    encoder, first + start, Int32(Self.packetSamples), target, opus_int32(Self.packetBytes))
            }
            count = Int(max(0, length))
        }
        guard length > 0 else { throw Self.failure(length) }
        return MP4Sample(bytes: bytes, duration: Self.packetSamples, isKey: true)
    }

    private static func failure(_ code: Int32) -> MediaError {
        .coderFailed(code: "opus", message: "Opus refused to work: \(String(cString: opus_strerror(code))).")
    }
}

/// PCM in pieces of 20 ms, which is what QuickTime files have.
final class PCMSoundCoder: SoundCoder {
    let track: MP4SoundTrack
    private var samples: [Int16] = []
    private let pieceSamples: Int

    /// A coder of sound at `rate` samples a second.
    init(rate: Int) throws(MediaError) {
        guard SampleRates.supported.contains(rate) else {
            throw .coderFailed(
                code: "sound_rate", message: "Sound at \(rate) Hz cannot be recorded; use 8000–192000 Hz.")
        }
        track = MP4SoundTrack(rate: rate, coding: .pcm)
        pieceSamples = rate / 50
    }

    func add(_ samples: [Int16]) -> [MP4Sample] {
        self.samples += samples
        return pieces(of: pieceSamples)
    }

    func finish() -> [MP4Sample] { samples.isEmpty ? [] : pieces(of: samples.count) }

    private func pieces(of size: Int) -> [MP4Sample] {
        var pieces: [MP4Sample] = []
        var start = 0
        while samples.count - start >= size {
            let bytes = samples[start..<(start + size)].map(\.littleEndian).withUnsafeBytes { Array($0) }
            pieces.append(MP4Sample(bytes: bytes, duration: size, isKey: true))
            start += size
        }
        samples.removeFirst(start)
        return pieces
    }
}
