import GlassesAudio
import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct PlaybackMixerTests {
    private static let segment = PlayoutSegmentID(responseID: "r1", itemID: "a1", contentIndex: 0)

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    /// Writes what the mixer wants to write now and answers it.
    private func drain(_ mixer: inout PlaybackMixer, at now: MonotonicTime, room: Int = .max) -> [Int16] {
        var out: [Int16] = []
        while out.count < room, let block = mixer.nextBlock(at: now, room: room - out.count), !block.isEmpty {
            mixer.blockWritten(frames: block.count, at: now)
            out.append(contentsOf: block)
        }
        return out
    }

    @Test func theLoudspeakerIsKept300MillisecondsAhead() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        let value1 = mixer.appendVoice([Int16](repeating: 7, count: 24_000), of: Self.segment)
        #expect(value1)
        let value2 = drain(&mixer, at: time(0))
        #expect(value2.count == 7_200)
        let value3 = drain(&mixer, at: time(0))
        #expect(value3.isEmpty)
        _ = mixer.positionReported(PlaybackPosition(frame: 2_400, time: time(100), isAdvancing: true), at: time(100))
        let value4 = drain(&mixer, at: time(100))
        #expect(value4.count == 2_400)
    }

    @Test func tenMinutesOfVoiceMayWaitAndNoMore() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        let value5 = mixer.appendVoice([Int16](repeating: 0, count: PlaybackMixer.voiceLimit), of: Self.segment)
        #expect(value5)
        let value6 = mixer.appendVoice([0], of: Self.segment)
        #expect(!value6)
    }

    @Test func aDuckingSoundLowersTheVoiceWithoutAJumpAndEndsOnceHeard() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.appendVoice([Int16](repeating: 8_000, count: 12_000), of: Self.segment)
        let ring = PlaybackSound(
            name: "ring", samples: [Int16](repeating: 0, count: 2_400), sampleRate: 24_000, ducks: true)
        let value7 = mixer.append(ring) { _ in }
        #expect(value7)
        let heard = drain(&mixer, at: time(0))
        #expect(heard[1_200] == 2_000, "12 dB lower under the ring")
        #expect(heard[4_000] == 8_000, "back after it")
        let largestStep = zip(heard, heard.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(largestStep < 50, "no click")
        let value8 = mixer.positionReported(.init(frame: 2_000, time: time(80), isAdvancing: true), at: time(80))
        #expect(value8.isEmpty)
        let value9 = mixer.positionReported(.init(frame: 2_400, time: time(100), isAdvancing: true), at: time(100))
        #expect(value9.count == 1)
    }

    @Test func aSoundGoesOnFromWhereItWasHeardWhenTheVoiceIsCut() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.appendVoice([Int16](repeating: 0, count: 12_000), of: Self.segment)
        let samples = (0..<12_000).map { Int16($0) }
        _ = mixer.append(PlaybackSound(name: "ring", samples: samples, sampleRate: 24_000)) { _ in }
        let first = drain(&mixer, at: time(0))
        #expect(first == Array(samples[..<7_200]))
        mixer.beginVoiceCut()
        let value10 = mixer.nextBlock(at: time(100), room: 1_000)
        #expect(value10 == nil, "nothing is written while the cut is under way")
        let heard = mixer.endCut(at: .init(frame: 2_400, time: time(100), isAdvancing: false), now: time(100))
        #expect(heard.map(\.heardMs) == [100])
        let value11 = drain(&mixer, at: time(100))
        #expect(value11 == Array(samples[2_400..<9_600]))
    }

    @Test func cuttingASoundOverTheVoiceLeavesTheVoiceWhole() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.appendVoice([Int16](repeating: 100, count: 12_000), of: Self.segment)
        _ = mixer.append(PlaybackSound(name: "ring", samples: [Int16](repeating: 1, count: 24_000), sampleRate: 24_000))
        { _ in }
        _ = drain(&mixer, at: time(0))
        let cut = mixer.cut(soundsNamed: "ring")
        #expect(cut.ended.count == 1)
        #expect(!cut.needsFlush)
        _ = mixer.positionReported(.init(frame: 7_200, time: time(300), isAdvancing: true), at: time(300))
        let value12 = drain(&mixer, at: time(300))
        #expect(value12 == [Int16](repeating: 100, count: 4_800))
    }

    @Test func aLoneSoundIsCutAtOnce() throws {
        var mixer = try PlaybackMixer(speakerRate: 24_000)
        _ = mixer.append(PlaybackSound(name: "ring", samples: [Int16](repeating: 1, count: 24_000), sampleRate: 24_000))
        { _ in }
        _ = drain(&mixer, at: time(0))
        let value13 = mixer.cut(soundsNamed: "ring")
        #expect(value13.needsFlush)
        let value14 = mixer.cut(soundsNamed: "ring")
        #expect(value14.ended.isEmpty)
    }

    @Test(arguments: [8_000, 16_000, 24_000, 44_100, 48_000])
    func aSegmentKeepsItsLengthAtEverySpeakerRate(rate: Int) throws {
        var mixer = try PlaybackMixer(speakerRate: rate)
        for _ in 0..<10 { _ = mixer.appendVoice([Int16](repeating: 50, count: 2_400), of: Self.segment) }
        mixer.completeVoice(Self.segment)
        var total = 0
        for step in 0..<200 {
            let now = time(Int64(step) * 10)
            total += drain(&mixer, at: now).count
            let played = min(Int64(total), Int64(step * rate / 100))
            _ = mixer.positionReported(.init(frame: played, time: now, isAdvancing: played < Int64(total)), at: now)
        }
        #expect(abs(total - rate) <= 1)
        #expect(mixer.heard(ofResponse: "r1", at: time(3_000)).map(\.heardMs) == [1_000])
        let value15 = mixer.takeEvents(at: time(3_000))
        #expect(value15.last == .drained)
    }
}
