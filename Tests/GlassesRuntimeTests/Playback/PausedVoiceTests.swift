import GlassesAudio
import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite struct PausedVoiceTests {
    private static let first = PlayoutSegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)
    private static let second = PlayoutSegmentID(responseID: "r1", itemID: "a2", contentIndex: 0)

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    private func drain(_ mixer: inout PlaybackMixer, at now: MonotonicTime) -> [Int16] {
        var out: [Int16] = []
        while let block = mixer.nextBlock(at: now, room: .max), !block.isEmpty {
            mixer.blockWritten(frames: block.count, at: now)
            out.append(contentsOf: block)
        }
        return out
    }

    private func playing(_ rate: Int) throws -> PlaybackMixer {
        var mixer = try PlaybackMixer(speakerRate: rate)
        _ = mixer.appendVoice((0..<4_800).map { Int16($0 + 1) }, of: Self.first)
        mixer.completeVoice(Self.first)
        _ = mixer.appendVoice((4_800..<9_600).map { Int16($0 + 1) }, of: Self.second)
        mixer.completeVoice(Self.second)
        return mixer
    }

    @Test func everySampleIsHeardOnceAndInOrderOverAPause() throws {
        var mixer = try playing(24_000)
        let before = drain(&mixer, at: time(0))
        #expect(before.count == 7_200)
        let value1 = mixer.beginPause()
        #expect(value1)
        let value2 = mixer.nextBlock(at: time(100), room: 1_000)
        #expect(value2 == nil)
        mixer.endPause(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        let value3 = mixer.nextBlock(at: time(110), room: 1_000)
        #expect(value3 == nil, "the voice stands still")
        mixer.resume()
        let after = drain(&mixer, at: time(500))
        let heard = before.prefix(2_400) + after
        #expect(heard.count == 9_600)
        // The first 20 ms after the pause fade in.
        #expect(heard.dropFirst(2_400 + 480).elementsEqual((2_880..<9_600).map { Int16($0 + 1) }))
        #expect(after[0] == 0 && after[240] == 1_320 && after[479] == 2_880, "\(after[240])")
    }

    @Test func thePausedTimeIsNotHeardTimeAndWhatIsHeardInTheEndIsAllOfIt() throws {
        var mixer = try playing(24_000)
        _ = drain(&mixer, at: time(0))
        _ = mixer.positionReported(.init(frame: 0, time: time(0), isAdvancing: true), at: time(0))
        let value4 = mixer.beginPause()
        #expect(value4)
        mixer.endPause(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        #expect(mixer.heard(ofResponse: "r1", at: time(5_000)).map(\.heardMs) == [100, 0])
        mixer.resume()
        _ = drain(&mixer, at: time(5_000))
        _ = mixer.positionReported(.init(frame: 7_200, time: time(5_000), isAdvancing: true), at: time(5_000))
        #expect(mixer.heard(ofResponse: "r1", at: time(5_050)).map(\.heardMs) == [150, 0])
        let end = Int64(7_200 + 7_200)
        _ = mixer.positionReported(.init(frame: end, time: time(5_400), isAdvancing: false), at: time(5_400))
        let heard = mixer.heard(ofResponse: "r1", at: time(5_400))
        #expect(heard.map(\.heardMs) == [200, 200])
        #expect(heard.allSatisfy { $0.progress == .heard }, "a pause is no cut")
        let events = mixer.takeEvents(at: time(5_400))
        #expect(events.last == .drained)
    }

    @Test func aCutInAPauseCutsWhereThePauseStopped() throws {
        var mixer = try playing(24_000)
        _ = drain(&mixer, at: time(0))
        let value5 = mixer.beginPause()
        #expect(value5)
        mixer.endPause(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        mixer.beginVoiceCut()
        let heard = mixer.endCut(at: .init(frame: 2_400, time: time(300), isAdvancing: false), now: time(300))
        #expect(heard.map(\.heardMs) == [100, 0])
        #expect(heard.map(\.progress) == [.partlyHeard, .unheard])
        mixer.resume()
        let value6 = drain(&mixer, at: time(400))
        #expect(value6.isEmpty)
        _ = mixer.appendVoice([7, 7, 7], of: Self.second)
        let value7 = drain(&mixer, at: time(400))
        #expect(value7 == [7, 7, 7], "the next answer is not held")
    }

    @Test func aCutThatOvertakesThePausesAnswerLeavesNothingToTakeBack() throws {
        var mixer = try playing(24_000)
        _ = drain(&mixer, at: time(0))
        let value8 = mixer.beginPause()
        #expect(value8)
        mixer.beginVoiceCut()
        mixer.endPause(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        let heard = mixer.endCut(at: .init(frame: 2_400, time: time(101), isAdvancing: false), now: time(101))
        #expect(heard.map(\.heardMs) == [100, 0])
        #expect(heard.map(\.progress) == [.partlyHeard, .unheard])
        let value9 = drain(&mixer, at: time(400))
        #expect(value9.isEmpty)
    }

    @Test func aReportThatAlreadyCountsTheFlushedFramesTakesNothingOfTheVoice() throws {
        var mixer = try playing(24_000)
        _ = drain(&mixer, at: time(0))
        let needsFlush = mixer.beginPause()
        #expect(needsFlush)
        _ = mixer.positionReported(.init(frame: 7_200, time: time(101), isAdvancing: false), at: time(101))
        mixer.endPause(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(102))
        mixer.resume()
        let rest = drain(&mixer, at: time(500))
        #expect(rest.count == 7_200, "300 ms ahead")
        #expect(rest[480] == 2_881)
    }

    @Test func audioThatComesInAPauseWaitsForItsEnd() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        let value10 = mixer.beginPause()
        #expect(!value10, "nothing is to be flushed")
        _ = mixer.appendVoice([Int16](repeating: 9, count: 4_800), of: Self.first)
        let value11 = mixer.nextBlock(at: time(0), room: 1_000)
        #expect(value11 == nil)
        mixer.resume()
        let value12 = drain(&mixer, at: time(100))
        #expect(value12.count == 4_800)
    }

    @Test(arguments: [16_000, 48_000])
    func aPauseLosesNothingAtOtherRates(rate: Int) throws {
        var mixer = try playing(rate)
        let before = drain(&mixer, at: time(0))
        let cut = rate / 10
        let value13 = mixer.beginPause()
        #expect(value13)
        mixer.endPause(at: .init(frame: Int64(cut), time: time(100), isAdvancing: false), now: time(100))
        mixer.resume()
        let after = drain(&mixer, at: time(1_000))
        var whole = try playing(rate)
        var expected = drain(&whole, at: time(0))
        _ = whole.positionReported(
            .init(frame: Int64(expected.count), time: time(300), isAdvancing: true), at: time(300))
        expected += drain(&whole, at: time(300))
        #expect(before.prefix(cut).count + after.count == expected.count)
        #expect(after.dropFirst(rate / 50).elementsEqual(expected.dropFirst(cut + rate / 50)))
    }
}
