import Foundation
import MWDATCore

/// What the simulated microphone hears: a quiet tone.
enum TestTone {
    /// Frames per second.
    static let sampleRate = 16_000
    /// Hertz; A above middle C.
    static let frequency = 440.0
    /// A tenth of full scale.
    static let amplitude = 3_277.0
    /// More than this is left out: after a gap the sound is that of the last second.
    private static let longestBlock: UInt64 = 1_000_000_000

    /// The sound between two times of a stream, in nanoseconds since it began; nil when there is none between them.
    static func block(from start: UInt64, to end: UInt64) -> LinkAudio? {
        let start = end > longestBlock ? max(start, end - longestBlock) : start
        let (first, last) = (index(of: start), index(of: end))
        guard first < last else { return nil }
        var bytes = Data(capacity: Int(last - first) * 2)
        for number in first..<last {
            let angle = 2 * Double.pi * frequency * Double(number) / Double(sampleRate)
            withUnsafeBytes(of: Int16(amplitude * sin(angle)).littleEndian) { bytes.append(contentsOf: $0) }
        }
        return LinkAudio(sampleRate: sampleRate, time: start, bytes: bytes)
    }

    /// The first sample at or after a time.
    private static func index(of time: UInt64) -> UInt64 { time / 1_000 * UInt64(sampleRate) / 1_000_000 }
}
