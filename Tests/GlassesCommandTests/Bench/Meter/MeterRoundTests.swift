import GlassesCore
import Testing

@testable import glasses

@Suite("One round on one timeline")
struct MeterRoundTests {
    private static let rate = 48_000
    private static let start: Int64 = 5_000_000_000

    private func speech(_ samples: [Int16]) throws -> MeterSpeech {
        try MeterSpeech(
            PCMBlock(samples: samples, sampleRate: Self.rate), speakerRate: Self.rate, microphoneRate: Self.rate)
    }

    /// Four seconds of silence in blocks whose times jitter by a millisecond; `lost` milliseconds are missing in the middle.
    private func capture(lost: Int = 0) -> CaptureTrack {
        var track = CaptureTrack(sampleRate: Self.rate)
        for block in 0..<400 {
            let jitter = Int64(block % 5 - 2) * 500_000
            let late = Int64(block < 200 ? 0 : lost) * 1_000_000
            track.add(
                PCMBlock(
                    samples: [Int16](repeating: 0, count: 480), sampleRate: Self.rate,
                    time: MonotonicTime(nanoseconds: Self.start + Int64(block) * 10_000_000 + jitter + late)))
        }
        return track
    }

    /// Positions of a loudspeaker whose frame 7,000 leaves it `delay` milliseconds after the recording began.
    private func positions(delay: Int, stutter: Int64 = 0) -> [ClockFit.Mark] {
        (0..<150).map { step in
            let frame = Int64(6_800 + step * 480)
            let time = Self.start + Int64(delay) * 1_000_000 + (frame - 7_000) * 1_000_000_000 / Int64(Self.rate)
            let jitter = Int64(step % 3 - 1) * 700_000 + (step > 60 ? stutter * 1_000_000 : 0)
            return ClockFit.Mark(frame: frame, time: MonotonicTime(nanoseconds: time + jitter))
        }
    }

    private func round(
        _ capture: CaptureTrack, _ positions: [ClockFit.Mark], refusal: MeterRefusal? = nil
    ) throws -> MeterRound {
        let samples = (0..<48_000).map { Int16($0 % 100 < 50 ? 9_000 : -9_000) }
        return MeterRound(
            capture: capture, positions: positions, speakerRate: Self.rate,
            question: .init(speech: try speech(samples), start: 7_000), interruption: nil, noise: 0, refusal: refusal)
    }

    @Test("what was played stands in the recording where it was heard, by the device's times", arguments: [100, 1_234])
    func aligned(delay: Int) throws {
        let round = try round(capture(), positions(delay: delay))
        #expect(round.played.count == round.recorded.count)
        let first = try #require(round.played.firstIndex { $0 != 0 })
        #expect(abs(first - delay * 48) <= 1)
        let take = try round.take.get()
        #expect(take.question.lowerBound == delay || take.question.lowerBound == delay - 1)
        #expect(take.recorded.count == 4_000)
        let spread = try #require(round.clockSpread)
        #expect(spread > 1 && spread < 4)
    }

    @Test("a stuttering loudspeaker, missing audio and a device without times give no figure")
    func refused() throws {
        let failure = { (round: MeterRound) -> MeterRefusal? in
            if case .failure(let refusal) = round.take { refusal } else { nil }
        }
        #expect(failure(try round(capture(), positions(delay: 100, stutter: 60))) == .playbackGap)
        #expect(failure(try round(capture(), [])) == .playbackGap)
        #expect(failure(try round(capture(lost: 80), positions(delay: 100))) == .recordingGap)
        #expect(failure(try round(capture(), positions(delay: 100), refusal: .neverQuiet)) == .neverQuiet)
    }

    @Test("missing audio is silence in the recording, so that what follows keeps its place")
    func gap() {
        let track = capture(lost: 80)
        #expect(track.hasGap)
        #expect(abs(track.samples.count - (4_000 + 80) * 48) <= 2 * 48)
        #expect(!capture().hasGap)
    }
}
