import SeededRandom
import CWebRTCAudio
import GlassesPluginKit
import Testing

@testable import SystemDeviceStreams

/// The real library.
@Suite struct AudioProcessorTests {
    @Test func aMissingLibraryIsAnErrorThatSaysWhatToInstall() {
        #expect(throws: AudioProcessor.Failure.libraryMissing) {
            try AudioProcessor(ProcessingSettings(cancelsEcho: true), library: "libextentos_none.so.1")
        }
        #expect(AudioProcessor.Failure.libraryMissing.pluginFailure.message.contains("libwebrtc-audio-processing1"))
    }

    @Test func aLibraryThatIsAnotherOneIsRefusedBeforeItIsCalled() {
        #expect(throws: AudioProcessor.Failure.libraryMissing) {
            try AudioProcessor(ProcessingSettings(cancelsEcho: true), library: "libasound.so.2")
        }
    }

    @Test(arguments: [(24_000, 0), (0, 0), (44_100, 0), (48_000, 4)])
    func whatTheLibraryLacksIsRefused(rate: Int, noiseSuppression: Int) {
        var settings = cwebrtc_settings(
            sample_rate: UInt32(rate), echo_cancellation: 1, noise_suppression: UInt8(noiseSuppression),
            automatic_gain: 0, reserved: 0)
        var processor: OpaquePointer?
        #expect(cwebrtc_create(CWEBRTC_LIBRARY, &settings, &processor) == CWEBRTC_UNSUPPORTED)
        #expect(processor == nil)
    }

    @Test(arguments: [
        ProcessingSettings(cancelsEcho: true), ProcessingSettings(noiseSuppression: .low),
        ProcessingSettings(cancelsEcho: true, noiseSuppression: .high), ProcessingSettings(hasAutomaticGain: true),
        ProcessingSettings(cancelsEcho: true, noiseSuppression: .moderate, hasAutomaticGain: true),
    ])
    func aSoundIsHeldBackAsLongAsTheLatencySays(settings: ProcessingSettings) throws {
        let person = try #require(try SpeechMaterial.people().first)
        let processor = try MicrophoneProcessor(settings, reference: nil)
        let silence = [Int16](repeating: 0, count: 4_800)
        var samples = silence + person + silence
        Self.process(&samples, with: processor)
        let held = Self.delay(of: samples, after: silence + person + silence)
        let told = Int(processor.latency * 48 / 1_000_000)
        #expect(abs(held - told) <= 48, "\(held) samples, \(told) told")
    }

    @Test(arguments: [(-30, 316), (-6, 5_012), (0, 10_000), (10, 31_623), (30, 32_767)])
    func aFixedGainStopsAtTheEndOfTheRange(decibels: Int, level: Int) {
        var samples: [Int16] = [10_000, -10_000]
        samples.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { FixedGain(decibels: decibels).apply(to: base, 2) }
        }
        #expect(abs(Int(samples[0]) - level) <= 1)
        #expect(abs(Int(samples[1]) + level) <= 1)
    }

    @Test func noiseSuppressionTakesTheNoiseAndLeavesThePerson() throws {
        var generator = SeededGenerator(seed: 4)
        let person = try #require(try SpeechMaterial.people().first)
        let noise = (0..<4 * 48_000).map { _ in Int16.random(in: -600...600, using: &generator) }
        var samples = noise
        for (index, sample) in person.prefix(48_000).enumerated() { samples[3 * 48_000 + index] = sample }
        let before = Power.decibels(Power.of(samples[96_000..<144_000]))
        Self.process(
            &samples, with: try MicrophoneProcessor(ProcessingSettings(noiseSuppression: .high), reference: nil))
        let after = Power.decibels(Power.of(samples[96_000..<144_000]))
        let speech = Power.decibels(Power.of(samples[144_000..<192_000]))
        print("noise suppression: \(before - after) dB of white noise; a person is \(speech - after) dB above the rest")
        #expect(before - after > 10)
        #expect(speech - after > 15)
    }

    @Test func automaticGainRaisesAQuietPerson() throws {
        let person = try #require(try SpeechMaterial.people().dropFirst(6).first)
        let quiet = person.map { $0 / 16 }
        var samples = quiet
        Self.process(
            &samples, with: try MicrophoneProcessor(ProcessingSettings(hasAutomaticGain: true), reference: nil))
        #expect(Power.decibels(Power.of(samples[...])) > Power.decibels(Power.of(quiet[...])) + 6)
    }

    private static func process(_ samples: inout [Int16], with processor: MicrophoneProcessor) {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for frame in 0..<buffer.count / frameLength {
                #expect(processor.process(base + frame * frameLength, capturedAt: Int64(frame) * 10 * millisecond))
            }
        }
    }

    /// The delay at which `later` is most like `earlier`, in samples.
    private static func delay(of later: [Int16], after earlier: [Int16]) -> Int {
        let (count, from) = (24_000, 4_800)
        let likenesses = (0..<1_200).map { delay in
            stride(from: from, to: from + count, by: 3).reduce(0.0) { sum, index in
                sum + Double(earlier[index]) * Double(later[index + delay])
            }
        }
        return likenesses.indices.max { likenesses[$0] < likenesses[$1] } ?? 0
    }
}
