import CGlassesPlugin
import CShims

/// A transport's loudspeaker.
enum SpeakerCases {
    static let all = StreamCases.all(.speaker, .speaker) + playback + flushes

    /// The ring of a case that plays: longer than any of them writes.
    private static let ringMilliseconds = 2_000
    /// Playing 200 ms takes 200 ms and the device's latency; a machine under load takes longer.
    private static let playLimit = Duration.seconds(3)
    /// "Within a period", on a machine under load.
    private static let flushLimit = Duration.seconds(1)

    private static func started(_ run: CaseRun) throws(CaseEnd) -> StreamUnderTest {
        try StreamUnderTest.started(.speaker, run, milliseconds: ringMilliseconds)
    }

    private static let playback = [
        ConformanceCase(
            "speaker.plays", .speaker, "what is written is played to its end, and the position says so",
            needs: ["speaker.start"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            let frames = stream.ring.play(stream.frames(200))
            let isPlayed = Moment.wait(playLimit) { stream.ring.playback().played_position >= Int64(frames) }
            try expect(
                isPlayed,
                "\(stream.ring.playback().played_position) of \(frames) frames were reported as played within "
                    + "\(playLimit.inMilliseconds) ms.")
        },
        ConformanceCase(
            "speaker.positions", .speaker, "positions never go back, and never ahead of what was written",
            needs: ["speaker.plays"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            let frames = Int64(stream.ring.play(stream.frames(300)))
            var last = stream.ring.playback()
            let end = Moment.now() + playLimit
            while stream.ring.read < frames, Moment.now() < end {
                let next = stream.ring.playback()
                try expect(next.played_position >= last.played_position, "played_position went back.")
                try expect(
                    next.played_position <= stream.ring.read, "played_position is ahead of what was read from the ring."
                )
                try expect(stream.ring.read <= frames, "read_position is ahead of what was written.")
                last = next
                Moment.pause(.milliseconds(2))
            }
        },
        ConformanceCase(
            "speaker.pace", .speaker, "a second of sound takes about a second", needs: ["speaker.plays"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            let frames = Int64(stream.ring.play(stream.frames(1_000)))
            let start = Moment.now()
            let isPlayed = Moment.wait(.seconds(4)) { stream.ring.playback().played_position >= frames }
            let took = Moment.now() - start
            try expect(isPlayed, "A second of sound was not played within 4 s.")
            try expect(
                took > .milliseconds(600), "A second of sound was reported as played after \(took.inMilliseconds) ms.")
        },
        ConformanceCase(
            "speaker.reports", .speaker,
            "while it plays, each period is published with its time, and wake_fd signalled",
            needs: ["speaker.plays"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            _ = stream.ring.play(stream.frames(800))
            _ = Moment.wait(playLimit) { stream.ring.playback().played_position > 0 }
            _ = cshims_eventfd_drain(stream.ring.wake)
            var times: Set<Int64> = []
            let end = Moment.now() + .milliseconds(500)
            while Moment.now() < end {
                times.insert(stream.ring.playback().played_t_ns)
                Moment.pause(.milliseconds(2))
            }
            // A period of 100 ms would be far too long already.
            try expect(times.count > 4, "\(times.count) reports came within 500 ms.")
            let age = Moment.nanoseconds() - (times.max() ?? 0)
            try expect(abs(age) < 1_000_000_000, "played_t_ns is \(age / 1_000_000) ms from CLOCK_MONOTONIC.")
            // For a position that stands still, as at the start of some sound servers, ten times a second are enough.
            try expect(cshims_eventfd_drain(stream.ring.wake) >= 3, "wake_fd was not signalled with the reports.")
        },
        ConformanceCase(
            "speaker.silence", .speaker, "silence while the ring is empty counts for no position",
            needs: ["speaker.plays"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            let frames = Int64(stream.ring.play(stream.frames(50)))
            _ = Moment.wait(playLimit) { stream.ring.playback().played_position >= frames }
            Moment.pause(.milliseconds(200))
            let position = stream.ring.playback().played_position
            try expect(position == frames, "played_position is \(position) after \(frames) frames and silence.")
        },
        ConformanceCase(
            "speaker.bounds", .speaker, "the plugin writes nothing but its own fields", needs: ["speaker.plays"]
        ) { run throws(CaseEnd) in
            let stream = try started(run)
            let ring = stream.ring
            let frames = ring.play(stream.frames(200))
            let samples = glasses_ring_samples(ring.pointer)
            let written = (0..<frames).map { samples[$0] }
            _ = Moment.wait(playLimit) { ring.playback().played_position >= Int64(frames) }
            try ring.checkBounds()
            try expect(ring.written == Int64(frames), "The plugin moved write_position, which is the host's.")
            try expect(
                (0..<frames).allSatisfy { samples[$0] == written[$0] }, "The plugin changed samples of the host.")
        },
    ]

    private static let flushes = [
        ConformanceCase(
            "speaker.flush", .speaker,
            "a flush cuts what was written, and tells the frame that was leaving the loudspeaker",
            needs: ["speaker.pace"]
        ) { run throws(CaseEnd) in
            let (stream, frames) = try playing(run)
            try stream.flush(1, upto: frames)
            let playback = try flushed(1, stream)
            try expect(
                playback.flushed_position > 0 && playback.flushed_position < frames,
                "flushed_position is \(playback.flushed_position) of \(frames) frames, of which about 100 ms were heard."
            )
            try expect(
                playback.played_position >= frames && stream.ring.read >= frames,
                "After the flush played_position is \(playback.played_position) and read_position \(stream.ring.read); "
                    + "both have to be at least \(frames).")
        },
        ConformanceCase(
            "speaker.flush-thread", .speaker, "flush may be called on any thread", needs: ["speaker.flush"]
        ) { run throws(CaseEnd) in
            let (stream, frames) = try playing(run)
            try stream.flushElsewhere(1, upto: frames)
            _ = try flushed(1, stream)
        },
        ConformanceCase(
            "speaker.flush-later", .speaker, "a later flush replaces an earlier one", needs: ["speaker.flush"]
        ) { run throws(CaseEnd) in
            let (stream, frames) = try playing(run)
            try stream.flush(1, upto: frames / 2)
            try stream.flush(2, upto: frames)
            _ = try flushed(2, stream)
            Moment.pause(.milliseconds(200))
            try expect(stream.ring.playback().flush_id == 2, "An earlier flush was published after a later one.")
        },
        ConformanceCase(
            "speaker.after-flush", .speaker, "what is written after a flush is played", needs: ["speaker.flush"]
        ) { run throws(CaseEnd) in
            let (stream, frames) = try playing(run)
            try stream.flush(1, upto: frames)
            _ = try flushed(1, stream)
            let all = frames + Int64(stream.ring.play(stream.frames(100)))
            let isPlayed = Moment.wait(playLimit) { stream.ring.playback().played_position >= all }
            try expect(isPlayed, "What was written after the flush was not played.")
        },
    ]

    /// A loudspeaker that has played about 100 of 1,500 ms.
    private static func playing(_ run: CaseRun) throws(CaseEnd) -> (StreamUnderTest, frames: Int64) {
        let stream = try started(run)
        let frames = stream.ring.play(stream.frames(1_500))
        let heard = Int64(stream.frames(100))
        let isPlaying = Moment.wait(playLimit) { stream.ring.playback().played_position >= heard }
        try expect(isPlaying, "100 ms were not played within \(playLimit.inMilliseconds) ms.")
        return (stream, Int64(frames))
    }

    private static func flushed(_ id: UInt64, _ stream: StreamUnderTest) throws(CaseEnd) -> glasses_playback {
        let isDone = Moment.wait(flushLimit) { stream.ring.playback().flush_id == id }
        try expect(isDone, "The flush was not carried out within \(flushLimit.inMilliseconds) ms.")
        return stream.ring.playback()
    }
}
