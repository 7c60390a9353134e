import Foundation
import GlassesDomain

/// Cuts blocks of any length into chunks of one length, each with the time of its first sample.
struct AudioChunker {
    private let sampleRate: Int
    private let length: Int
    private var samples: [Int16] = []
    private var time = MonotonicTime.zero

    init(sampleRate: Int, length: Int) {
        self.sampleRate = sampleRate
        self.length = length
    }

    /// Adds a block; answers the chunks that are complete.
    mutating func append(_ block: [Int16], time blockTime: MonotonicTime) -> [AudioChunk] {
        if samples.isEmpty { time = blockTime }
        samples.append(contentsOf: block)
        var chunks: [AudioChunk] = []
        var start = 0
        while samples.count - start >= length {
            let block = PCMBlock(samples: Array(samples[start..<start + length]), sampleRate: sampleRate)
            chunks.append(
                AudioChunk(
                    samples: Data(block.littleEndianBytes), sampleRate: sampleRate,
                    timestampMs: time.nanoseconds / 1_000_000))
            time = time.advanced(by: block.duration)
            start += length
        }
        samples.removeFirst(start)
        return chunks
    }

    /// Forgets an incomplete chunk: what comes next does not follow it.
    mutating func reset() { samples = [] }
}
