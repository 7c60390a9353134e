/// Mono signed 16-bit PCM at a stated rate: the only audio that travels inside the runtime.
public struct PCMBlock: Sendable, Hashable {
    /// The samples, one a frame.
    public var samples: [Int16]
    /// Frames per second, above 0.
    public var sampleRate: Int
    /// When the first sample was (or will be) at the microphone or the loudspeaker; nil when no device clock is known.
    public var time: MonotonicTime?

    /// `samples` at `sampleRate` frames per second.
    public init(samples: [Int16], sampleRate: Int, time: MonotonicTime? = nil) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.time = time
    }

    /// How long the samples last at their rate; zero for a rate that is not positive.
    public var duration: Duration {
        sampleRate > 0 ? .nanoseconds(Int64(samples.count) * 1_000_000_000 / Int64(sampleRate)) : .zero
    }

    /// The samples as little-endian bytes, two a frame.
    public var littleEndianBytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: samples.count * 2) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            for index in samples.indices {
                raw.storeBytes(of: samples[index].littleEndian, toByteOffset: 2 * index, as: Int16.self)
            }
            count = samples.count * 2
        }
    }

    /// Little-endian bytes as samples; a last odd byte is left out.
    public static func samples(littleEndian bytes: some Collection<UInt8>) -> [Int16] {
        // Bytes that lie side by side are read without a call for each, which costs hundreds of times as much.
        bytes.withContiguousStorageIfAvailable(samples(in:)) ?? Array(bytes).withUnsafeBufferPointer(samples(in:))
    }

    private static func samples(in bytes: UnsafeBufferPointer<UInt8>) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: bytes.count / 2) { samples, count in
            let raw = UnsafeRawBufferPointer(bytes)
            for index in 0..<bytes.count / 2 {
                let sample = raw.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
                samples.initializeElement(at: index, to: Int16(littleEndian: sample))
            }
            count = bytes.count / 2
        }
    }
}
