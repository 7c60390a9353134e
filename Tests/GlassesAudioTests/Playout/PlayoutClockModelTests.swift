import SeededRandom
import GlassesAudio
import GlassesDomain
import Testing

/// A loudspeaker that is simulated frame by frame (1 frame = 1 ms) and remembers what really sounded.
private struct ModelSpeaker {
    private(set) var now: Int64 = 0
    private(set) var written: [Int?] = []
    private(set) var heard: [Int: Int64] = [:]
    private var place = 0
    var isPaused = false

    var position: PlaybackPosition {
        PlaybackPosition(
            frame: Int64(place), time: PlayoutClockTests.ms(now), isAdvancing: !isPaused && place < written.count)
    }

    mutating func write(_ segment: Int?, frames: Int) { written += [Int?](repeating: segment, count: frames) }

    mutating func play(milliseconds: Int) {
        for _ in 0..<milliseconds {
            now += 1
            guard !isPaused, place < written.count else { continue }
            if let segment = written[place] { heard[segment, default: 0] += 1 }
            place += 1
        }
    }

    mutating func flush() -> PlaybackPosition {
        let cut = position
        place = written.count
        return cut
    }
}

@Suite struct PlayoutClockModelTests {
    static func id(_ segment: Int) -> PlayoutSegmentID {
        PlayoutSegmentID(responseID: "r\(segment / 2)", itemID: "i\(segment)", contentIndex: 0)
    }

    /// At 8 kHz a millisecond is 8 frames.
    static func scaled(_ position: PlaybackPosition) -> PlaybackPosition {
        PlaybackPosition(frame: position.frame * 8, time: position.time, isAdvancing: position.isAdvancing)
    }

    @Test("Whatever happens in whatever order, the clock says what really sounded", arguments: UInt64(1)...40)
    func agreesWithModel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var speaker = ModelSpeaker()
        var clock = try PlayoutClock(speakerRate: 8_000, providerRate: 24_000)
        var segment = 0
        for _ in 0..<300 {
            let now = PlayoutClockTests.ms(speaker.now)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...3:
                let frames = Int.random(in: 1...120, using: &generator)
                let target = Int.random(in: 0..<6, using: &generator) == 0 ? nil : segment
                if let target { clock.audioReceived(Self.id(target), frames: frames * 24) }
                clock.audioWritten(target.map(Self.id), frames: frames * 8, at: now)
                speaker.write(target, frames: frames)
            case 4: segment += 1
            case 5: speaker.isPaused.toggle()
            case 6:
                clock.flushBegan()
                let cut = speaker.flush()
                clock.flushCompleted(Self.scaled(cut), at: now)
            default: speaker.play(milliseconds: Int.random(in: 1...60, using: &generator))
            }
            let later = PlayoutClockTests.ms(speaker.now)
            clock.positionReported(Self.scaled(speaker.position), at: later)
            for known in 0...segment {
                let status = clock.status(of: Self.id(known), at: later)
                #expect(status?.heardMs ?? 0 == speaker.heard[known] ?? 0)
            }
            #expect((clock.end(at: later) == .played) == (speaker.position.frame == speaker.written.count))
        }
    }
}
