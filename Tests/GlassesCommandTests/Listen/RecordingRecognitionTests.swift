import Foundation
import GlassesAudio
import Testing

@testable import glasses

@Suite("Recognition of recordings")
struct RecordingRecognitionTests {
    /// A second of tones that sound like voice to a detector of energy.
    private func burst(_ rate: Int) -> [Int16] {
        (0..<rate).map {
            Int16(8_000 * sin(Double($0) * 2 * .pi * 300 / Double(rate)) * sin(Double($0) * 20 / Double(rate)))
        }
    }

    @Test("a stereo recording at another rate is cut into its utterances with their places")
    func utterances() throws {
        let rate = 44_100
        let silence = [Int16](repeating: 0, count: rate * 3 / 2)
        let mono = silence + burst(rate) + silence + burst(rate) + silence
        let file = try WAVWriter.file(samples: mono.flatMap { [$0, $0] }, sampleRate: rate, channels: 2)
        let found = try RecordingRecognition.utterances(in: try WAVReader.read(file), sampleRate: 16_000)
        #expect(found.count == 2)
        let starts = found.map { Double($0.startMs) / 1_000 }
        try #require(starts.count == 2)
        #expect(abs(starts[0] - 1.5) < 0.5)
        #expect(abs(starts[1] - 4) < 0.5)
        for utterance in found {
            let seconds = Double(utterance.samples.count) / 16_000
            #expect(seconds > 0.9 && seconds < 2.5)
        }
    }

    @Test("silence holds no utterance")
    func silence() throws {
        let file = try WAVWriter.file(samples: [Int16](repeating: 0, count: 32_000), sampleRate: 16_000)
        #expect(try RecordingRecognition.utterances(in: try WAVReader.read(file), sampleRate: 16_000).isEmpty)
    }
}
