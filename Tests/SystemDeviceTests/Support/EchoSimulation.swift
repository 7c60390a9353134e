import SeededRandom
import Foundation

@testable import SystemDeviceStreams

/// A loudspeaker, a room and a microphone in memory, and between them what the plugin does with their audio.
struct EchoSimulation {
    /// What the sound goes through.
    struct Path {
        /// The delay that no timestamp tells, in milliseconds…
        var delay: Double
        /// …and by how much it changes at ``jumpAt`` seconds.
        var jump: Double = 0
        var jumpAt: Double = 10
        /// How much faster the loudspeaker's clock runs than the microphone's, in millionths.
        var drift: Double = 0
        /// The level of the echo, dB.
        var gain: Double = -10
        /// The loudspeaker clips above this.
        var ceiling: Double = 32_767
        /// The jitter of timestamps, in milliseconds to both sides.
        var jitter: Double = 3
    }

    /// What came of it.
    struct Outcome {
        /// What the microphone heard.
        var heard: [Int16]
        /// What the host got, in time with ``heard``.
        var cleaned: [Int16]
        /// The seconds that the processing took.
        var seconds: Double

        /// By how many dB the echo is weaker within some seconds.
        func enhancement(_ seconds: Range<Double>) -> Int {
            let range = Int(seconds.lowerBound * 48_000)..<min(Int(seconds.upperBound * 48_000), cleaned.count)
            return Int(Power.decibels(Power.of(heard[range])) - Power.decibels(Power.of(cleaned[range])))
        }

        /// The processing's share of one processor, %.
        var load: Int { Int(100 * seconds * 48_000 / Double(heard.count)) }
    }

    /// Reflections: delay in samples and strength.
    private static let reflections: [(delay: Int, gain: Double)] = [
        (0, 0.8), (71, -0.35), (163, 0.3), (331, -0.25), (487, 0.2), (811, 0.15), (1_193, -0.1), (1_789, 0.07),
        (2_411, -0.05),
    ]
    private static let start: Int64 = 1_000_000_000_000
    /// A quiet room: -61 dBFS.
    private static let noise = 50

    /// Plays `far` while `near` is spoken at the microphone.
    static func run(
        _ path: Path, far: [Int16], near: [Int16] = [],
        settings: ProcessingSettings = ProcessingSettings(cancelsEcho: true)
    ) throws -> Outcome {
        let heard = microphone(path, far, near)
        let timeline = ReferenceTimeline()
        let processor = try MicrophoneProcessor(settings, reference: timeline)
        var generator = SeededGenerator(seed: 7)
        var cleaned = heard
        var played = 0
        let began = ContinuousClock.now
        cleaned.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for frame in 0..<buffer.count / frameLength {
                // The device holds 50 ms.
                let until = Double(frame * frameLength) / 48_000 + 0.06
                while Double(played) / (48_000 * (1 + path.drift / 1e6)) < until, played + frameLength <= far.count {
                    play(far, from: played, path, timeline, &generator)
                    played += frameLength
                }
                let time = Self.start + StreamFormat.nanoseconds(frames: frame * frameLength)
                let processed = processor.process(
                    base + frame * frameLength, capturedAt: time + jitter(path, &generator))
                precondition(processed, "the library refused a frame")
            }
        }
        let spent = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1_000
        let held = Int(processor.latency * 48 / 1_000_000)
        let aligned = Array(cleaned.dropFirst(held)) + [Int16](repeating: 0, count: held)
        return Outcome(heard: heard, cleaned: aligned, seconds: spent)
    }

    private static func play(
        _ far: [Int16], from position: Int, _ path: Path, _ timeline: ReferenceTimeline,
        _ generator: inout SeededGenerator
    ) {
        let rate = 48_000 * (1 + path.drift / 1e6)
        let leaves = Self.start + Int64(Double(position) / rate * 1e9)
        let ends = Self.start + Int64(Double(position + frameLength) / rate * 1e9)
        far.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            timeline.append(base + position, frameLength, leavingAt: leaves + jitter(path, &generator))
        }
        timeline.settle(endLeavingAt: ends + jitter(path, &generator))
    }

    private static func jitter(_ path: Path, _ generator: inout SeededGenerator) -> Int64 {
        let limit = Int64(path.jitter * 1e6)
        return Int64.random(in: -limit...limit, using: &generator)
    }

    private static func microphone(_ path: Path, _ far: [Int16], _ near: [Int16]) -> [Int16] {
        let count = far.count / frameLength * frameLength
        let played = drifted(far, path)
        let gain = pow(10, path.gain / 20)
        var generator = SeededGenerator(seed: 11)
        var heard = [Int16](repeating: 0, count: count)
        heard.withUnsafeMutableBufferPointer { heard in
            played.withUnsafeBufferPointer { played in
                for index in 0..<count {
                    let jumped = Double(index) / 48_000 >= path.jumpAt
                    let origin = index - Int((path.delay + (jumped ? path.jump : 0)) * 48)
                    var sum = 0.0
                    for reflection in reflections where origin >= reflection.delay {
                        sum += reflection.gain * Double(played[origin - reflection.delay])
                    }
                    let noise =
                        Double(Int64(truncatingIfNeeded: generator.next() >> 40) % Int64(2 * Self.noise + 1))
                        - Double(Self.noise)
                    let person = index < near.count ? Double(near[index]) : 0
                    heard[index] = Int16(min(max(sum * gain + noise + person, -32_768), 32_767))
                }
            }
        }
        return heard
    }

    /// `far` as the loudspeaker's clock plays it, clipped.
    private static func drifted(_ far: [Int16], _ path: Path) -> [Float] {
        var played = [Float](repeating: 0, count: far.count)
        let ceiling = path.ceiling
        far.withUnsafeBufferPointer { far in
            played.withUnsafeMutableBufferPointer { played in
                for index in 0..<far.count {
                    let place = Double(index) * (1 + path.drift / 1e6)
                    let whole = Int(place)
                    guard whole + 1 < far.count else { return }
                    let part = place - Double(whole)
                    let sample = Double(far[whole]) * (1 - part) + Double(far[whole + 1]) * part
                    played[index] = Float(min(max(sample, -ceiling), ceiling))
                }
            }
        }
        return played
    }
}
