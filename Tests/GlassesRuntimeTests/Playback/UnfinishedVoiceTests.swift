import GlassesAudio
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct UnfinishedVoiceTests {
    private static let first = PlayoutSegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)
    private static let second = PlayoutSegmentID(responseID: "r2", itemID: "a2", contentIndex: 0)

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    /// Plays what the mixer holds for two seconds; answers how many frames it wrote and what it told.
    private func play(
        _ mixer: inout PlaybackMixer, rate: Int, written: Int = 0
    ) -> (frames: Int, told: [PlaybackEvent]) {
        var (total, told): (Int, [PlaybackEvent]) = (written, [])
        for step in 0..<200 {
            let now = time(Int64(step) * 10)
            while let block = mixer.nextBlock(at: now, room: .max) {
                mixer.blockWritten(frames: block.count, at: now)
                total += block.count
            }
            let played = min(Int64(total), Int64(step * rate / 100))
            _ = mixer.positionReported(.init(frame: played, time: now, isAdvancing: played < Int64(total)), at: now)
            told += mixer.takeEvents(at: now)
        }
        return (total, told)
    }

    @Test(arguments: [16_000, 24_000, 44_100, 48_000])
    func aSegmentWhoseEndWasNeverToldDoesNotHoldUpTheNextOne(rate: Int) throws {
        var mixer = try PlaybackMixer(speakerRate: rate)
        _ = mixer.appendVoice([Int16](repeating: 50, count: 12_000), of: Self.first)
        _ = mixer.appendVoice([Int16](repeating: 50, count: 12_000), of: Self.second)
        mixer.completeVoice(Self.second)
        let played = play(&mixer, rate: rate)
        #expect(abs(played.frames - rate) <= 2)
        #expect(played.told.contains(.started(Self.second)))
        #expect(played.told.contains(.progressed(Self.second, heardMs: 500)))
        #expect(played.told.last == .drained)
    }

    @Test(arguments: [16_000, 48_000])
    func anUnfinishedSegmentThatHasRunDryMakesRoomForALaterOne(rate: Int) throws {
        var mixer = try PlaybackMixer(speakerRate: rate)
        _ = mixer.appendVoice([Int16](repeating: 50, count: 2_400), of: Self.first)
        var written = 0
        while let block = mixer.nextBlock(at: time(0), room: .max) {
            mixer.blockWritten(frames: block.count, at: time(0))
            written += block.count
        }
        _ = mixer.appendVoice([Int16](repeating: 50, count: 2_400), of: Self.second)
        let played = play(&mixer, rate: rate, written: written)
        #expect(played.told.contains(.started(Self.second)))
    }

    @Test func afterADropInMidAnswerTheNextAnswerIsHeardOnA48KilohertzSpeaker() async throws {
        let harness = SessionHarness(speakerRate: 48_000)
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "one", milliseconds: 500, finish: false)
        await harness.run(.milliseconds(300)) { !harness.device.simulatedSpeaker.heard.isEmpty }
        harness.connection?.drop(ConnectionClosure(code: "transport_error", message: "The connection broke."))
        await harness.run(.seconds(10)) {
            harness.provider.connections.count == 2 && session.state.current == .active
        }
        try #require(harness.provider.connections.count == 2)
        let before = harness.device.simulatedSpeaker.heard.count
        harness.speakAnswer("r2", item: "a2", transcript: "two", milliseconds: 500)
        await harness.run(.seconds(3)) { harness.device.simulatedSpeaker.heard.count >= before + 23_998 }
        #expect(harness.device.simulatedSpeaker.heard.count >= before + 23_998)
        await harness.run(.seconds(1)) { harness.events.contains(.assistantSpoke(transcript: "two")) }
        #expect(harness.events.contains(.assistantSpoke(transcript: "two")))
        await session.stop()
    }

    @Test func anAnswerThatEndsWithoutTheEndOfItsAudioIsStillHeardInFull() async throws {
        let harness = SessionHarness(speakerRate: 48_000)
        let session = try await harness.awake()
        harness.speakAnswer("r1", item: "a1", transcript: "one", milliseconds: 500, finish: false)
        harness.connection?.say(
            .responseDone(.init(id: "r1", status: .completed, conversationId: "conv")))
        await harness.run(.seconds(3)) { harness.events.contains(.assistantAudioFinished) }
        #expect(harness.events.contains(.assistantAudioFinished))
        #expect(abs(harness.device.simulatedSpeaker.heard.count - 24_000) <= 2)
        await session.stop()
    }

    @Test func aLoudspeakerThatClosesTellsTheLastHeardMilliseconds() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.appendVoice([Int16](repeating: 50, count: 24_000), of: Self.first)
        while let block = mixer.nextBlock(at: time(0), room: .max) {
            mixer.blockWritten(frames: block.count, at: time(0))
        }
        _ = mixer.positionReported(.init(frame: 2_400, time: time(100), isAdvancing: true), at: time(100))
        let value1 = mixer.takeEvents(at: time(100))
        #expect(value1 == [.started(Self.first), .progressed(Self.first, heardMs: 100)])
        let value2 = mixer.takeEvents(at: time(170))
        #expect(value2.isEmpty)
        let closed = mixer.close(at: time(170))
        #expect(closed.told == [.progressed(Self.first, heardMs: 170)])
        #expect(!mixer.isVoiceLive)
    }

    @Test func aCutThatIsUnderWayWhenTheLoudspeakerClosesStillAnswersWhatWasHeard() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.appendVoice([Int16](repeating: 50, count: 24_000), of: Self.first)
        while let block = mixer.nextBlock(at: time(0), room: .max) {
            mixer.blockWritten(frames: block.count, at: time(0))
        }
        mixer.beginVoiceCut()
        _ = mixer.close(at: time(100))
        let heard = mixer.endCut(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        #expect(heard.map(\.heardMs) == [100])
        #expect(!mixer.isVoiceLive)
    }
}
