import Foundation
import GlassesAudio
import GlassesCore
import Synchronization
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

    private func cut(_ file: [UInt8], piece: Int) async throws -> (found: [RecordingCutter.Utterance], seconds: Double)
    {
        var cutter = try RecordingCutter(sampleRate: 16_000)
        var found: [RecordingCutter.Utterance] = []
        for start in stride(from: 0, to: file.count, by: piece) {
            found += try await cutter.process(file[start..<min(start + piece, file.count)])
        }
        found += try await cutter.finish().utterances
        return (found, cutter.seconds)
    }

    @Test("a stereo recording at another rate is cut into its utterances with their places", arguments: [999, 1 << 16])
    func utterances(piece: Int) async throws {
        let rate = 44_100
        let silence = [Int16](repeating: 0, count: rate * 3 / 2)
        let mono = silence + burst(rate) + silence + burst(rate) + silence
        let file = try WAVWriter.file(samples: mono.flatMap { [$0, $0] }, sampleRate: rate, channels: 2)
        let (found, seconds) = try await cut(file, piece: piece)
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
    func lastUtterance() async throws {
        let samples = [Int16](repeating: 0, count: 16_000) + burst(16_000)
        let found = try await cut(try WAVWriter.file(samples: samples, sampleRate: 16_000), piece: 1_000).found
        #expect(found.map(\.endMs) == [2_000])
    }

    @Test("speech without a pause is cut into utterances that a recogniser takes, and nothing of it is lost")
    func withoutPause() async throws {
        let samples = (0..<100).flatMap { _ in burst(8_000) }
        let found = try await cut(try WAVWriter.file(samples: samples, sampleRate: 8_000), piece: 1 << 16).found
        #expect(found.count >= 4)
        #expect(found.allSatisfy { $0.samples.count <= 31 * 16_000 })
        #expect(zip(found, found.dropFirst()).allSatisfy { $1.startMs - $0.endMs < 500 })
        #expect(try #require(found.last).endMs > 99_000)
    }

    @Test("silence holds no utterance")
    func silence() async throws {
        let file = try WAVWriter.file(samples: [Int16](repeating: 0, count: 32_000), sampleRate: 16_000)
        #expect(try await cut(file, piece: 500).found.isEmpty)
    }
}

/// An engine that hears speech wherever a sample is loud, and may break or hang.
private final class LoudnessDetector: VoiceActivityEngine {
    enum Behaviour { case works, breaks(after: Int), hangs }

    let id = "test.loudness"
    let sampleRate = 8_000
    private let behaviour: Behaviour

    init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    func start(
        onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) -> any VoiceActivityStream { Stream(behaviour, onActivity, onFailure) }

    func shutdown() async {}

    private final class Stream: VoiceActivityStream {
        private let behaviour: Behaviour
        private let onActivity: @Sendable (VoiceActivity) -> Void
        private let onFailure: @Sendable (SpeechEngineError) -> Void
        private let waiting = Mutex<(samples: [Int16], taken: Int64)>(([], 0))

        init(
            _ behaviour: Behaviour, _ onActivity: @escaping @Sendable (VoiceActivity) -> Void,
            _ onFailure: @escaping @Sendable (SpeechEngineError) -> Void
        ) {
            self.behaviour = behaviour
            self.onActivity = onActivity
            self.onFailure = onFailure
        }

        func push(_ samples: [Int16]) {
            if case .hangs = behaviour { return }
            let judged = waiting.withLock { waiting in
                waiting.samples += samples
                var judged: [VoiceActivity] = []
                while waiting.samples.count >= 256 {
                    let isLoud = waiting.samples.prefix(256).contains { $0.magnitude > 500 }
                    judged.append(
                        VoiceActivity(firstFrame: waiting.taken, frames: 256, probability: isLoud ? 1 : 0))
                    waiting.samples.removeFirst(256)
                    waiting.taken += 256
                }
                return judged
            }
            for activity in judged {
                if case .breaks(let end) = behaviour, activity.firstFrame >= end {
                    return onFailure(SpeechEngineError(code: "engine_failed", message: "It broke."))
                }
                onActivity(activity)
            }
        }

        func reset() {}
        func end() {}
    }
}

@Suite("Cutting recordings where an engine judges")
struct JudgedRecordingTests {
    private static let rate = 16_000

    /// 3 s of a steady tone, which the level alone takes for noise, between silences.
    private static let samples: [Int16] = {
        let tone = (0..<3 * rate).map { Int16(6_000 * sin(Double($0) * 2 * .pi * 440 / Double(rate))) }
        return [Int16](repeating: 0, count: 2 * rate) + tone + [Int16](repeating: 0, count: 2 * rate)
    }()

    private static func cut(
        by detector: LoudnessDetector?, patience: Duration = .seconds(20), piece: Int = 1 << 16
    ) async throws -> (found: [RecordingCutter.Utterance], failure: SpeechEngineError?) {
        let file = try WAVWriter.file(samples: samples, sampleRate: rate)
        var cutter = try RecordingCutter(sampleRate: rate, detector: detector, patience: patience)
        var found: [RecordingCutter.Utterance] = []
        for start in stride(from: 0, to: file.count, by: piece) {
            found += try await cutter.process(file[start..<min(start + piece, file.count)])
        }
        found += try await cutter.finish().utterances
        return (found, cutter.judgeFailure)
    }

    @Test(
        "What the engine takes for speech is one utterance with its pre-roll and its silence",
        arguments: [333, 1 << 16])
    func engine(piece: Int) async throws {
        let (found, failure) = try await Self.cut(by: LoudnessDetector(.works), piece: piece)
        #expect(failure == nil)
        let utterance = try #require(found.first)
        #expect(found.count == 1)
        #expect(abs(utterance.startMs - 1_700) <= 40)
        #expect(abs(utterance.endMs - 5_440) <= 100)
        #expect(
            utterance.samples
                == Array(
                    Self.samples[Int(utterance.startMs) * 16..<Int(utterance.startMs) * 16 + utterance.samples.count]))
    }

    @Test("Without an engine the level judges, to which a steady tone is no speech for long")
    func level() async throws {
        let found = try await Self.cut(by: nil).found
        #expect(found.allSatisfy { $0.endMs < 4_000 })
    }

    @Test("An engine that breaks is named, and the level judges from there without losing what was begun")
    func breaks() async throws {
        let (found, failure) = try await Self.cut(by: LoudnessDetector(.breaks(after: 3 * 8_000)))
        #expect(failure?.code == "engine_failed")
        #expect(found.count == 1)
        #expect(abs(try #require(found.first).startMs - 1_700) <= 40)
    }

    @Test("An engine that never answers is given up after its patience, and the file is read to its end")
    func hangs() async throws {
        let (_, failure) = try await Self.cut(by: LoudnessDetector(.hangs), patience: .milliseconds(50))
        #expect(failure?.code == "timeout")
    }
}
