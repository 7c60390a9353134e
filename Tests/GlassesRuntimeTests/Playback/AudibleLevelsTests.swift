import GlassesAudio
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct AudibleLevelsTests {
    /// Reads a stream until it ends.
    private final class Reader: Sendable {
        private let read = Mutex<(levels: [Float], hasEnded: Bool)>(([], false))

        init(_ stream: AsyncStream<Float>) {
            Task { [self] in
                for await level in stream { read.withLock { $0.levels.append(level) } }
                read.withLock { $0.hasEnded = true }
            }
        }

        var levels: [Float] { read.withLock { $0.levels } }
        var hasEnded: Bool { read.withLock { $0.hasEnded } }
    }

    /// The level of the harness's tone.
    private static let tone: Float = 8_000 / 32_768 / Float(2).squareRoot()

    @Test func aTurnIsMetered25TimesASecondAndEndsWith0() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let reader = Reader(session.audioLevels())
        await harness.run(.milliseconds(200))
        #expect(reader.levels.isEmpty, "nothing is audible")
        harness.speakAnswer("r1", item: "a1", transcript: "One two three.", milliseconds: 1_000)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        await eventually("the last value") { reader.levels.last == 0 }
        let levels = reader.levels
        #expect((23...27).contains(levels.count), "\(levels.count)")
        #expect(levels.dropLast(2).allSatisfy { abs($0 - Self.tone) < 0.02 }, "\(levels)")
        await harness.run(.milliseconds(500))
        #expect(reader.levels.count == levels.count, "nothing is audible any more")
        await harness.end(session)
        await eventually("the stream ends") { reader.hasEnded }
    }

    @Test(arguments: [true, false])
    func aTurnThatIsCutShortEndsWith0(byVoice: Bool) async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let reader = Reader(session.audioLevels())
        harness.speakAnswer("r1", item: "a1", transcript: "One two three.", milliseconds: 3_000, finish: false)
        await harness.run(.seconds(2)) { reader.levels.count >= 5 }
        if byVoice { harness.userSpeaks() } else { await session.cancelSpeak() }
        await eventually("the cut is told") { harness.events.contains(.assistantAudioFinished) }
        await eventually("the closing 0") { reader.levels.last == 0 }
        let count = reader.levels.count
        #expect(reader.levels.dropLast().allSatisfy { $0 > 0 })
        await harness.run(.milliseconds(300))
        #expect(reader.levels.count == count)
        await harness.end(session)
    }

    @Test func aStreamThatIsMadeBeforeStartIsMeteredToo() async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        var config = AssistantConfig(provider: .managed())
        config.startActive = true
        config.greeting = .off
        let session = harness.glasses.assistant.createSession(config: config)
        let reader = Reader(session.audioLevels())
        try await session.start()
        harness.speakAnswer("r1", item: "a1", transcript: "One two three.", milliseconds: 500)
        await harness.run(.seconds(2)) { harness.events.contains(.assistantAudioFinished) }
        await eventually("values") { reader.levels.contains { abs($0 - Self.tone) < 0.02 } }
        await harness.end(session)
        await eventually("the stream ends") { reader.hasEnded }
        let late = Reader(session.audioLevels())
        await eventually("a stream of a session that is over ends at once") { late.hasEnded }
        #expect(late.levels.isEmpty)
    }

    @Test func aReaderWhoComesInTheMiddleOfAnAnswerHearsTheRestOfIt() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "One two three.", milliseconds: 2_000)
        await harness.run(.seconds(1))
        let reader = Reader(session.audioLevels())
        await harness.run(.seconds(3)) { harness.events.contains(.assistantAudioFinished) }
        await eventually("the closing 0") { reader.levels.last == 0 }
        #expect((12...26).contains(reader.levels.count), "\(reader.levels.count)")
        #expect(reader.levels.first.map { abs($0 - Self.tone) < 0.02 } == true)
        await harness.end(session)
    }

    @Test func aSlowReaderKeepsTheNewest8() async throws {
        let harness = SessionHarness()
        let session = try await harness.awake()
        let stream = session.audioLevels()
        harness.speakAnswer("r1", item: "a1", transcript: "One two three.", milliseconds: 2_000)
        await harness.run(.seconds(4)) { harness.events.contains(.assistantAudioFinished) }
        await harness.end(session)
        let reader = Reader(stream)
        await eventually("the stream ends") { reader.hasEnded }
        #expect(reader.levels.count == 8)
        #expect(reader.levels.last == 0)
    }

    @Test func nothingIsMeasuredWhileNobodyReads() async throws {
        let clock = ManualClock()
        let device = SimulatedDevice(clock: clock.port)
        let output = PlaybackOutput(clock: clock.port, events: .forTests(clock), recorder: nil)
        await output.setPort(device.simulatedSpeaker)
        await output.setConnected(true)
        let levels = AudibleLevels(output: output, clock: clock.port)
        let segment = PlayoutSegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)
        levels.begin()
        #expect(output.play([Int16](repeating: 1_000, count: 24_000), of: segment))
        #expect(output.takeLevel() == nil)
        do {
            let stream = levels.subscribe()
            #expect(output.takeLevel() != nil)
            withExtendedLifetime(stream) {}
        }
        await eventually("measuring ends") {
            clock.advance(by: .milliseconds(10))
            return output.takeLevel() == nil
        }
    }
}
