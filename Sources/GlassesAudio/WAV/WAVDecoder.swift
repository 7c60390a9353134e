/// Decodes a RIFF/WAVE file while its bytes come, so that a recording of any length needs little memory.
///
/// Reads PCM of 8, 16, 24 and 32 bits and floating point of 32 and 64, also in the extensible form, and the RF64 form of files
/// beyond 4 GiB. Chunks that are not known are skipped. After an error the decoder is of no use.
public struct WAVDecoder: Sendable, Hashable {
    /// How a file ended.
    public enum Ending: Sendable, Hashable {
        /// With all the audio that its header announces.
        case complete
        /// Its sizes were never filled in, because its writer did not finish; everything up to its end was audio.
        case unfinished
        /// Before all the audio that its header announces had come; this many frames are missing.
        case truncated(missingFrames: Int64)
    }

    private enum Part: Sendable, Hashable {
        case opening
        case chunkHeader
        /// A chunk whose first bytes are wanted: its id and its size.
        case known(id: [UInt8], size: Int64)
        case skipped(Int64)
        /// The audio; nil when it lasts to the end of the file.
        case audio(remaining: Int64?)
        case rest
    }

    /// Sizes from here on mean "not known yet": writers to a pipe put 2³¹ or 2³² there, less a header.
    private static let unknownSize: Int64 = 0x7FFF_0000
    /// The size that sends a reader of an RF64 file to its chunk of 64-bit sizes.
    private static let size64 = Int64(UInt32.max)
    /// The longest part of a chunk that is looked at; an extensible format has 40 bytes.
    private static let longestKnown = 64

    /// Frames per second as the file states it, 1…768,000; nil before its format was read.
    public var sampleRate: Int? { format?.sampleRate }
    /// Samples per frame, 1…64; nil before the file's format was read.
    public var channels: Int? { format?.channels }

    private var format: WAVFormat?
    private var part = Part.opening
    private var pending: [UInt8] = []
    /// Bytes of the file before those in `pending`.
    private var position: Int64 = 0
    private var riffSize: Int64 = 0
    private var longDataSize: Int64?

    /// A decoder at the beginning of a file.
    public init() {}

    /// Takes the next bytes of the file, and answers the whole frames of audio that they complete, interleaved.
    /// - Throws: ``AudioFormatError`` with a code that begins with `wav_`, or `unsupported_channel_count`.
    public mutating func decode(_ bytes: some Collection<UInt8>) throws(AudioFormatError) -> [Int16] {
        pending.append(contentsOf: bytes)
        var samples: [Int16] = []
        while try step(&samples) {}
        return samples
    }

    /// Says that no more bytes come.
    /// - Throws: ``AudioFormatError`` when the file ended before its audio.
    public func finish() throws(AudioFormatError) -> Ending {
        switch part {
        case .opening:
            throw pending.starts(with: "RIFF".utf8) || pending.starts(with: "RF64".utf8) ? .wavTruncated : .wavNotRIFF
        case .chunkHeader:
            throw format == nil ? .wavMissingFormat : pending.isEmpty ? .wavMissingData : .wavTruncated
        case .known, .skipped:
            throw .wavTruncated
        case .audio(nil):
            return .unfinished
        case .audio(let remaining?):
            let frames = remaining / Int64(format?.frameBytes ?? 1)
            return remaining > 0 ? .truncated(missingFrames: max(frames, 1)) : .complete
        case .rest:
            return .complete
        }
    }

    /// Goes on by one part of the file; false when more bytes are needed for that.
    private mutating func step(_ samples: inout [Int16]) throws(AudioFormatError) -> Bool {
        switch part {
        case .opening:
            return try readOpening()
        case .chunkHeader:
            return try readChunkHeader()
        case .known(let id, let size):
            return try readKnown(id, size)
        case .skipped(let count):
            let skipped = min(count, Int64(pending.count))
            drop(Int(skipped))
            part = skipped == count ? .chunkHeader : .skipped(count - skipped)
            return skipped == count
        case .audio(let remaining):
            samples += readAudio(remaining)
            return false
        case .rest:
            drop(pending.count)
            return false
        }
    }

    private mutating func readOpening() throws(AudioFormatError) -> Bool {
        guard pending.count >= 12 else { return false }
        var reader = ByteReader(pending[..<12])
        let id = try reader.take(4)
        riffSize = Int64(try reader.uint32())
        let isRIFF = id.elementsEqual("RIFF".utf8) || id.elementsEqual("RF64".utf8)
        guard isRIFF, try reader.take(4).elementsEqual("WAVE".utf8) else { throw .wavNotRIFF }
        drop(12)
        part = .chunkHeader
        return true
    }

    private mutating func readChunkHeader() throws(AudioFormatError) -> Bool {
        guard pending.count >= 8 else { return false }
        var reader = ByteReader(pending[..<8])
        let id = Array(try reader.take(4))
        let size = Int64(try reader.uint32())
        drop(8)
        switch String(decoding: id, as: UTF8.self) {
        case "fmt ", "ds64": part = .known(id: id, size: size)
        case "data": part = try audio(size)
        default: part = .skipped(Self.padded(size))
        }
        return true
    }

    private func audio(_ size: Int64) throws(AudioFormatError) -> Part {
        guard format != nil else { throw .wavMissingFormat }
        if size == Self.size64, let longDataSize { return .audio(remaining: longDataSize) }
        let isUnknown = size >= Self.unknownSize || (size == 0 && riffSize + 8 <= position)
        return .audio(remaining: isUnknown ? nil : size)
    }

    private mutating func readKnown(_ id: [UInt8], _ size: Int64) throws(AudioFormatError) -> Bool {
        let length = Int(min(size, Int64(Self.longestKnown)))
        guard pending.count >= length else { return false }
        let chunk = pending[..<length]
        if id.elementsEqual("fmt ".utf8) {
            format = try WAVFormat(chunk: chunk)
        } else {
            var reader = ByteReader(chunk)
            _ = try reader.take(8)
            longDataSize = Int64(clamping: try reader.uint64())
        }
        drop(length)
        part = .skipped(Self.padded(size) - Int64(length))
        return true
    }

    private mutating func readAudio(_ remaining: Int64?) -> [Int16] {
        guard let format else { return [] }
        let available = min(remaining ?? .max, Int64(pending.count))
        let count = Int(available) / format.frameBytes * format.frameBytes
        let samples = format.samples(of: pending[..<count])
        drop(count)
        guard let remaining else { return samples }
        let left = remaining - Int64(count)
        // A last incomplete frame is no audio.
        part = left < Int64(format.frameBytes) && Int64(pending.count) >= left ? .rest : .audio(remaining: left)
        return samples
    }

    private mutating func drop(_ count: Int) {
        pending.removeFirst(count)
        position += Int64(count)
    }

    /// Chunks begin at even places.
    private static func padded(_ size: Int64) -> Int64 { size + size & 1 }
}
