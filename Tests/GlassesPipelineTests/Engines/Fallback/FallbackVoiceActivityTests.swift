import GlassesDomain
import GlassesRealtime
import Synchronization
import Testing

@testable import GlassesPipeline

/// A detector that takes every sample that is not 0 for speech, in pieces of 512, until it breaks after some samples.
final class FakeDetector: VoiceActivityEngine {
    let id = "fake.detector"
    let sampleRate = 16_000
    private let failsAfter: Int
    private let streams = Mutex(0)

    init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

    /// Streams ever begun.
    var streamCount: Int { streams.withLock { $0 } }

    func start(
        onActivity: @escaping @Sendable (VoiceActivity) -> Void,
        onFailure: @escaping @Sendable (SpeechEngineError) -> Void
    ) -> any VoiceActivityStream {
        streams.withLock { $0 += 1 }
        return Stream(failsAfter: failsAfter, onActivity: onActivity, onFailure: onFailure)
    }

    func shutdown() async {}

    private final class Stream: VoiceActivityStream {
        private struct State {
            var waiting: [Int16] = []
            var judged: Int64 = 0
            var taken = 0
            var hasFailed = false
        }

        private let failsAfter: Int
        private let onActivity: @Sendable (VoiceActivity) -> Void
        private let onFailure: @Sendable (SpeechEngineError) -> Void
        private let state = Mutex(State())

        init(
            failsAfter: Int, onActivity: @escaping @Sendable (VoiceActivity) -> Void,
            onFailure: @escaping @Sendable (SpeechEngineError) -> Void
        ) {
            self.failsAfter = failsAfter
            self.onActivity = onActivity
            self.onFailure = onFailure
        }

        func push(_ samples: [Int16]) {
            let (pieces, fails): ([VoiceActivity], Bool) = state.withLock { state in
                guard !state.hasFailed else { return ([], false) }
                state.taken += samples.count
                state.hasFailed = state.taken > failsAfter
                state.waiting += samples
                var pieces: [VoiceActivity] = []
                while state.waiting.count >= 512 {
                    let isSpeech = state.waiting.prefix(512).contains { $0 != 0 }
                    pieces.append(
                        VoiceActivity(firstFrame: state.judged, frames: 512, probability: isSpeech ? 0.95 : 0.02))
                    state.judged += 512
                    state.waiting.removeFirst(512)
                }
                return (pieces, state.hasFailed)
            }
            for piece in pieces { onActivity(piece) }
            if fails { onFailure(SpeechEngineError(code: "engine_failed", message: "It broke.")) }
        }

        func reset() {}
        func end() {}
    }
}

@Suite("A judge of speech with others behind it", .timeLimit(.minutes(1)))
struct FallbackVoiceActivityTests {
    private static func open(
        _ engines: [FakeDetector], _ notices: EngineNotices = EngineNotices()
    ) async throws -> FallbackVoiceActivity {
        let candidates = engines.enumerated().map { index, engine in
            EngineCandidate<any VoiceActivityEngine>(name: "judge \(index)") { .success(engine) }
        }
        let roster = EngineRoster(
            candidates, clock: ManualClock().port, end: { await $0.shutdown() }, notify: { notices.append($0) })
        return try #require(await FallbackVoiceActivity.open(roster))
    }

    @Test("a stream on which the judge breaks down fails, and the next stream goes to the next judge")
    func breaksDown() async throws {
        let (first, second) = (FakeDetector(failsAfter: 1_000), FakeDetector())
        let notices = EngineNotices()
        let judge = try await Self.open([first, second], notices)
        let failures = Mutex(0)
        let stream = judge.start(onActivity: { _ in }, onFailure: { _ in failures.withLock { $0 += 1 } })
        stream.push([Int16](repeating: 0, count: 2_000))
        #expect(failures.withLock { $0 } == 1)
        try await until { notices.all.count == 2 }
        let heard = Mutex(0)
        try await until {
            let next = judge.start(onActivity: { _ in heard.withLock { $0 += 1 } }, onFailure: { _ in })
            next.push([Int16](repeating: 0, count: 600))
            return second.streamCount > 0
        }
        #expect(heard.withLock { $0 } > 0)
    }

    @Test(
        "a session is judged by the engine, and by energy within the same utterance when it breaks",
        arguments: [Int.max, 9_000])
    func session(failsAfter: Int) async throws {
        let notices = Mutex<[PipelineNotice]>([])
        let recognizer = FakeRecognizer(.words("hello"))
        let engines = PipelineEngines(
            recognizer: recognizer, synthesizer: FakeSynthesizer(),
            voiceActivity: try await Self.open([FakeDetector(failsAfter: failsAfter)]), brain: FakeBrain.echo)
        let connector = PipelineConnector.make(engines: engines, clock: ManualClock().port) { notice in
            notices.withLock { $0.append(notice) }
        }
        let client = TestClient(connection: try await connector.connect(RealtimeRequest()))
        for piece in [Sound.silence(ms: 300), Sound.speech(ms: 800), Sound.silence(ms: 900)] {
            for start in stride(from: 0, to: piece.count, by: 480) { client.hear(Array(piece[start...].prefix(480))) }
        }
        #expect(try await client.nextResponse().status == .completed)
        let samples = try #require(recognizer.finishedSamples.first)
        #expect((19_200...21_800).contains(samples))
        let losses = notices.withLock { $0 }.filter { if case .judgeLost = $0 { true } else { false } }
        #expect(losses == (failsAfter == .max ? [] : [.judgeLost(reason: "failed", losses: 1)]))
        #expect(notices.withLock { $0 }.contains { if case .turnAnswered = $0 { true } else { false } })
    }
}
