import Foundation
import GlassesAudio
import Testing

@testable import glasses

@Suite("Cutting recordings")
struct RecordingCutterTests {
    /// A second of tones that sound like voice to a detector of energy.
    private func burst(_ rate: Int) -> [Int16] {
        (0..<rate).map {
            Int16(8_000 * sin(Double($0) * 2 * .pi * 300 / Double(rate)) * sin(Double($0) * 20 / Double(rate)))
        }
    }

    private func cut(_ file: [UInt8], piece: Int) throws -> (found: [RecordingCutter.Utterance], seconds: Double) {
        var cutter = try RecordingCutter(sampleRate: 16_000)
        var found: [RecordingCutter.Utterance] = []
        for start in stride(from: 0, to: file.count, by: piece) {
            found += try cutter.process(file[start..<min(start + piece, file.count)])
        }
        found += try cutter.finish().utterances
        return (found, cutter.seconds)
    }

    @Test("a stereo recording at another rate is cut into its utterances with their places", arguments: [999, 1 << 16])
    func utterances(piece: Int) throws {
        let rate = 44_100
        let silence = [Int16](repeating: 0, count: rate * 3 / 2)
        let mono = silence + burst(rate) + silence + burst(rate) + silence
        let file = try WAVWriter.file(samples: mono.flatMap { [$0, $0] }, sampleRate: rate, channels: 2)
        let (found, seconds) = try cut(file, piece: piece)
        let starts = found.map { Double($0.startMs) / 1_000 }
        try #require(starts.count == 2)
        #expect(abs(starts[0] - 1.5) < 0.5)
        #expect(abs(starts[1] - 4) < 0.5)
        for utterance in found {
            let seconds = Double(utterance.samples.count) / 16_000
            #expect(seconds > 0.9 && seconds < 2.5)
        }
        #expect(seconds == 6.5)
    }

    @Test("an utterance that lasts to the end of the file is complete")
    func lastUtterance() throws {
        let samples = [Int16](repeating: 0, count: 16_000) + burst(16_000)
        let found = try cut(try WAVWriter.file(samples: samples, sampleRate: 16_000), piece: 1_000).found
        #expect(found.map(\.endMs) == [2_000])
    }

    @Test("speech without a pause is cut into utterances that a recogniser takes, and nothing of it is lost")
    func withoutPause() throws {
        let samples = (0..<100).flatMap { _ in burst(8_000) }
        let found = try cut(try WAVWriter.file(samples: samples, sampleRate: 8_000), piece: 1 << 16).found
        #expect(found.count >= 4)
        #expect(found.allSatisfy { $0.samples.count <= 31 * 16_000 })
        #expect(zip(found, found.dropFirst()).allSatisfy { $1.startMs - $0.endMs < 500 })
        #expect(try #require(found.last).endMs > 99_000)
    }

    @Test("silence holds no utterance")
    func silence() throws {
        let file = try WAVWriter.file(samples: [Int16](repeating: 0, count: 32_000), sampleRate: 16_000)
        #expect(try cut(file, piece: 500).found.isEmpty)
    }
}
