import CGlassesPlugin
import Foundation
import SoundServer
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    /// Devices of every rate, channel count and format, by the fault PCM.
    @Suite(.serialized) struct FormatTests {
        struct Format: CustomTestStringConvertible, Sendable {
            var rate: Int
            var channels: Int
            var format: String
            var testDescription: String { "rate=\(rate) channels=\(channels) format=\(format)" }
        }

        static let formats: [Format] =
            [8_000, 16_000, 44_100, 48_000].flatMap { rate in
                [1, 2].map { Format(rate: rate, channels: $0, format: "S16_LE") }
            } + ["S32_LE", "S24_3LE", "FLOAT_LE"].map { Format(rate: 44_100, channels: 2, format: $0) }
            + [
                Format(rate: 48_000, channels: 6, format: "S32_LE"),
                Format(rate: 96_000, channels: 2, format: "S32_LE"),
            ]

        @Test(arguments: formats)
        func aSineIsCapturedAtItsPitchAndLevel(_ format: Format) async throws {
            let device = FaultPCM(format.testDescription)
            let harness = StreamHarness(.microphone(device.name), timing: StreamTiming(periodMs: 10, bufferMs: 200))
            #expect(await harness.start() == nil)
            let samples = await harness.ring.collect(48_000, within: 4)
            #expect(await harness.stop() == nil)
            harness.end()
            try #require(samples.count >= 48_000)
            let second = Array(samples[4_800..<48_000])
            #expect(abs(Signal.pitch(second) - 1_000) < 2)
            #expect(Signal.purity(second, at: 1_000) > 0.98)
            let loudest = second.map(\.magnitude).max() ?? 0
            // Amplitude 0.5; a mean of two channels that are one signal has it too.
            #expect((15_500...17_200).contains(loudest))
            // The times run as fast as the frames: a wrong rate would show here.
            let marks = harness.ring.marks
            let (first, last) = (try #require(marks.first), try #require(marks.last))
            let rate = Double(last.frame - first.frame) * 1e9 / Double(last.t_ns - first.t_ns)
            #expect(abs(rate - 48_000) < 1_500)
        }

        @Test(arguments: formats)
        func aSineIsPlayedAtItsPitchOnEveryChannel(_ format: Format) async throws {
            let device = FaultPCM(format.testDescription)
            let harness = StreamHarness(.speaker(device.name))
            #expect(await harness.start() == nil)
            #expect(await harness.ring.play(Signal.sine(1_000, frames: 48_000)))
            #expect(await eventually(within: 4) { harness.ring.playback.played_position == 48_000 })
            #expect(await harness.stop() == nil)
            harness.end()
            for channel in 0..<min(format.channels, 2) {
                let samples = Self.channel(channel, of: device, format)
                let runs = Signal.loudRuns(samples, gap: 200)
                let run = try #require(runs.max { $0.count < $1.count })
                #expect(abs(runs.reduce(0) { $0 + $1.count } - format.rate) <= format.rate / 100)
                #expect(abs(Signal.pitch(Array(samples[run]), rate: Double(format.rate)) - 1_000) < 2)
            }
        }

        /// One channel of what the device was given, as 16 bits.
        private static func channel(_ channel: Int, of device: FaultPCM, _ format: Format) -> [Int16] {
            let width = ["S16_LE": 2, "S24_3LE": 3][format.format] ?? 4
            let stride = width * format.channels
            return device.played.withUnsafeBytes { bytes in
                (0..<bytes.count / stride).map { frame in
                    let offset = frame * stride + channel * width
                    guard format.format == "FLOAT_LE" else {
                        return bytes.loadUnaligned(fromByteOffset: offset + width - 2, as: Int16.self)
                    }
                    return Int16(clamping: Int(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self) * 32_767))
                }
            }
        }
    }
}
