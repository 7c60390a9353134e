import Foundation
import GlassesAudio
import Testing

@testable import SystemDeviceStreams

/// An assistant that speaks into its own microphone, and people who interrupt it, judged by the detector that begins and
/// ends a turn. A minute here; `Scripts/echo-trial` runs ten.
@Suite(.serialized) struct EchoTrialTests {
    private static let minutes = max(1, Int(ProcessInfo.processInfo.environment["EXTENTOS_ECHO_MINUTES"] ?? "") ?? 1)
    private static let interval = 12

    /// One of them is enough for the tests.
    private static let paths = [
        EchoSimulation.Path(delay: 220, jump: 80, jumpAt: 20, drift: -100, ceiling: 12_000),
        EchoSimulation.Path(delay: 40, jump: 80, jumpAt: 20, drift: 100, ceiling: 12_000),
    ].prefix(minutes == 1 ? 1 : 2)

    @Test(arguments: paths)
    func anAssistantThatSpeaksDoesNotAnswerItself(path: EchoSimulation.Path) async throws {
        let far = try await SpeechMaterial.assistant(seconds: 60 * Self.minutes)
        let outcome = try EchoSimulation.run(path, far: far)
        let starts = try Self.detections(in: outcome.cleaned)
        let raw = try Self.detections(in: outcome.heard)
        let enhancement = outcome.enhancement(3..<Double(60 * Self.minutes))
        print(
            "\(Self.minutes) min of speaking: \(enhancement) dB, \(starts.count) self-answers, \(raw.count) without; \(path)"
        )
        #expect(starts.isEmpty)
    }

    @Test func peopleWhoInterruptAreHeard() async throws {
        let people = try SpeechMaterial.people()
        let count = 60 * Self.minutes / Self.interval
        var far = try await SpeechMaterial.assistant(seconds: 60 * Self.minutes)
        var near = [Int16](repeating: 0, count: far.count)
        let onsets = (0..<count).map { (Self.interval * $0 + 7) * 48_000 }
        for (index, onset) in onsets.enumerated() {
            for (offset, sample) in people[index % people.count].prefix(2 * 48_000).enumerated() {
                near[onset + offset] = sample
            }
            // The answer is cut, as it is when a person was heard.
            for place in onset + 28_800..<onset + 4 * 48_000 { far[place] = 0 }
        }
        let path = EchoSimulation.Path(delay: 80, jump: 80, jumpAt: 30, drift: 100, ceiling: 12_000)
        let outcome = try EchoSimulation.run(path, far: far, near: near)
        let starts = try Self.detections(in: outcome.cleaned)
        let waits = onsets.map { onset in
            starts.first { $0 >= onset && $0 < onset + 4 * 48_000 }.map { ($0 - onset) / 48 }
        }
        let heard = waits.compactMap(\.self).filter { $0 <= 400 }
        let others = starts.filter { start in !onsets.contains { start >= $0 && start < $0 + 4 * 48_000 } }
        print(
            "interruptions heard after, ms: \(waits.map { $0.map(String.init) ?? "-" }); \(heard.count) of \(count), others \(others)"
        )
        #expect(10 * heard.count >= 9 * count)
        // An answer that begins after one that was cut may be taken for a person, once in a while.
        #expect(25 * others.count <= count)
    }

    /// Where the detector reports that somebody speaks.
    private static func detections(in samples: [Int16]) throws -> [Int] {
        let resampler = try Resampler(inputRate: 48_000, outputRate: 16_000)
        var detector = try UtteranceDetector(sampleRate: 16_000)
        return stride(from: 0, to: samples.count - 480, by: 480).filter { start in
            detector.process(resampler.process(Array(samples[start..<start + 480]))).contains { event in
                if case .speechStarted = event { true } else { false }
            }
        }.map { $0 + 480 }
    }
}
