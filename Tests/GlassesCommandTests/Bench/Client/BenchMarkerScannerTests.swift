import Testing

@testable import glasses

@Suite("Bench markers")
struct BenchMarkerScannerTests {
    /// Frames of 20 ms with these numbers.
    private func stream(_ numbers: [UInt32]) -> [Int16] {
        numbers.flatMap { number in
            BenchMarker.samples(number) + [Int16](repeating: 7, count: BenchMarker.frame - BenchMarker.count)
        }
    }

    private func numbers(in blocks: [[Int16]]) -> [Int64] {
        var scanner = BenchMarkerScanner()
        var pairs: [BenchPair] = []
        for (index, block) in blocks.enumerated() { scanner.scan(block, at: Int64(index), into: &pairs) }
        return pairs.map(\.second)
    }

    @Test("a marker is the eight bytes of the contract and a little-endian number")
    func bytes() {
        let bytes = BenchMarker.samples(0x0403_0201).flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        #expect(bytes == [0x13, 0x57, 0x9B, 0x2F, 0x24, 0x68, 0xAC, 0x1E, 1, 2, 3, 4])
    }

    @Test(
        "every marker is found once, however the stream is cut",
        arguments: [1, 2, 5, 6, 7, 100, 479, 480, 481, 960, 1_200, 10_000])
    func splits(_ size: Int) {
        let all: [UInt32] = [0, 1, 65_535, 65_536, 0xFFFF_FFFF, 5]
        let samples = stream(all)
        let blocks = stride(from: 0, to: samples.count, by: size).map {
            Array(samples[$0..<min($0 + size, samples.count)])
        }
        #expect(numbers(in: blocks) == all.map(Int64.init))
    }

    @Test("after a gap the next marker is found again", arguments: [1, 100, 479])
    func gap(_ lost: Int) {
        let blocks = [stream([1, 2]), Array(stream([3]).dropFirst(lost)), stream([4, 5])]
        #expect(numbers(in: blocks) == [1, 2, 4, 5])
    }

    @Test("audio without markers has none")
    func unmarked() { #expect(numbers(in: [[Int16](repeating: 0x5713, count: 2_000)]).isEmpty) }

    @Test("a marker that does not fit is none", arguments: [-1, 475, 480, 1_000])
    func edges(_ index: Int) {
        stream([9]).withUnsafeBufferPointer { #expect(BenchMarker.number(in: $0, at: index) == nil) }
    }
}
