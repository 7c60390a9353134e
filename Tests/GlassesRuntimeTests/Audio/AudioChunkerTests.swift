import Foundation
import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct AudioChunkerTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test(arguments: [1, 7, 160, 320, 333, 1_000])
    func blocksOfAnyLengthBecomeChunksOfOneLengthWithNothingLost(block: Int) {
        var chunker = AudioChunker(sampleRate: 16_000, length: 320)
        let samples = (0..<3_200).map { Int16($0) }
        var chunks: [AudioChunk] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            chunks += chunker.append(Array(samples[start..<min(start + block, 3_200)]), time: time(Int64(start / 16)))
        }
        #expect(chunks.count == 10)
        #expect(chunks.allSatisfy { $0.samples.count == 640 && $0.sampleRate == 16_000 })
        #expect(chunks.flatMap { PCMBlock.samples(littleEndian: Array($0.samples)) } == samples)
    }

    @Test func eachChunkCarriesTheTimeOfItsFirstSample() {
        var chunker = AudioChunker(sampleRate: 16_000, length: 320)
        let first = chunker.append([Int16](repeating: 0, count: 800), time: time(1_000))
        #expect(first.map(\.timestampMs) == [1_000, 1_020])
        let second = chunker.append([Int16](repeating: 0, count: 160), time: time(1_050))
        #expect(second.map(\.timestampMs) == [1_040], "its first sample came with the block before")
    }

    @Test func aResetForgetsTheIncompleteChunkAndTakesTheNextBlocksTime() {
        var chunker = AudioChunker(sampleRate: 16_000, length: 320)
        #expect(chunker.append([Int16](repeating: 1, count: 300), time: time(0)).isEmpty)
        chunker.reset()
        let chunks = chunker.append([Int16](repeating: 2, count: 320), time: time(5_000))
        #expect(chunks.map(\.timestampMs) == [5_000])
        #expect(PCMBlock.samples(littleEndian: Array(chunks[0].samples)) == [Int16](repeating: 2, count: 320))
    }
}
