/// The marker at the start of a frame of 20 ms: eight bytes of magic and a little-endian 32-bit number, six samples together.
enum BenchMarker {
    /// Samples of a marker.
    static let count = 6
    /// Samples of a frame: 20 ms at 24 kHz.
    static let frame = 480
    /// `13 57 9B 2F 24 68 AC 1E`, read as little-endian samples.
    private static let magic: (Int16, Int16, Int16, Int16) = (0x5713, 0x2F9B, 0x6824, 0x1EAC)

    /// The number in the marker at `index`; nil when there is none.
    static func number(in samples: UnsafeBufferPointer<Int16>, at index: Int) -> Int64? {
        guard index >= 0, samples.count - index >= count, samples[index] == magic.0, samples[index + 1] == magic.1,
            samples[index + 2] == magic.2, samples[index + 3] == magic.3
        else { return nil }
        let (low, high) = (UInt16(bitPattern: samples[index + 4]), UInt16(bitPattern: samples[index + 5]))
        return Int64(high) << 16 | Int64(low)
    }

    /// The samples of a marker with `number`.
    static func samples(_ number: UInt32) -> [Int16] {
        let (low, high) = (UInt16(truncatingIfNeeded: number), UInt16(truncatingIfNeeded: number >> 16))
        return [magic.0, magic.1, magic.2, magic.3, Int16(bitPattern: low), Int16(bitPattern: high)]
    }
}

/// Finds the markers of a stream that comes in blocks of any size.
///
/// Where a marker was, the next one is expected a frame later; where none is, it is searched for sample by sample, so that the
/// scanner finds its place again after a gap.
struct BenchMarkerScanner {
    /// Samples of the next blocks that lie before the next expected marker.
    private var skip = 0
    /// The last samples of the stream, too few for a marker.
    private var tail: [Int16] = []

    /// Adds a pair of `time` and the number to `pairs` for each marker that `samples` completes.
    mutating func scan(_ samples: [Int16], at time: Int64, into pairs: inout [BenchPair]) {
        let block = tail.isEmpty ? samples : tail + samples
        var index = skip
        block.withUnsafeBufferPointer { block in
            while index + BenchMarker.count <= block.count {
                if let number = BenchMarker.number(in: block, at: index) {
                    pairs.append(BenchPair(time, number))
                    index += BenchMarker.frame
                } else {
                    index += 1
                }
            }
        }
        tail = index < block.count ? Array(block[index...]) : []
        skip = max(0, index - block.count)
    }
}
