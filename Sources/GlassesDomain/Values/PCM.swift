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
        var bytes = [UInt8]()
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }

    /// Little-endian bytes as samples; a last odd byte is left out.
    public static func samples(littleEndian bytes: some Collection<UInt8>) -> [Int16] {
        var samples = [Int16]()
        samples.reserveCapacity(bytes.count / 2)
        var iterator = bytes.makeIterator()
        while let low = iterator.next(), let high = iterator.next() {
            samples.append(Int16(bitPattern: UInt16(low) | UInt16(high) << 8))
        }
        return samples
    }
}
