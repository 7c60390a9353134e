import CGlassesPlugin
import CShims

/// A transport's microphone.
enum MicrophoneCases {
    static let all = StreamCases.all(.microphone, .microphone) + flow + fullness

    /// Half a second holds at least a dozen of the longest blocks.
    private static let listening = Duration.milliseconds(600)
    private static let blockMilliseconds = 10...40
    /// Devices' clocks differ by far less; a machine under load delays the first block.
    private static let rateTolerance = 0.25

    private static let flow = [
        ConformanceCase(
            "microphone.flow", .microphone, "samples flow when start completes", needs: ["microphone.start"]
        ) { run throws(CaseEnd) in
            let stream = try StreamUnderTest.started(.microphone, run)
            try expect(stream.wait(.seconds(1)) { stream.ring.written > 0 }, "No sample came within 1 s after start.")
        },
        ConformanceCase(
            "microphone.blocks", .microphone, "blocks are 10 to 40 ms long, each with the time of its first frame",
            needs: ["microphone.flow"]
        ) { run throws(CaseEnd) in
            let (stream, marks) = try listen(run)
            // On a machine that let us wait for seconds the first marks are overwritten.
            let isWhole = stream.ring.marks < Int64(GLASSES_RING_MARKS)
            try expect(
                !isWhole || marks.first?.frame == 0,
                "The first block has no time mark; the first mark is at frame \(marks.first?.frame ?? -1).")
            try expect(marks.count > 3, "\(marks.count) blocks had a time mark in \(listening.inMilliseconds) ms.")
            let shortest = Int64(stream.frames(blockMilliseconds.lowerBound)) - 1
            let longest = Int64(stream.frames(blockMilliseconds.upperBound)) + 1
            for (mark, next) in zip(marks, marks.dropFirst()) {
                let length = next.frame - mark.frame
                try expect(
                    (shortest...longest).contains(length), "A block has \(length) frames; 10 to 40 ms are allowed.")
            }
        },
        ConformanceCase(
            "microphone.times", .microphone, "times are CLOCK_MONOTONIC, increase, and run as the frames do",
            needs: ["microphone.flow"]
        ) { run throws(CaseEnd) in
            let before = Moment.nanoseconds()
            let (stream, marks) = try listen(run)
            let now = Moment.nanoseconds()
            guard let first = marks.first, let last = marks.last, marks.count > 3 else {
                throw .skipped("too few blocks had a time mark")
            }
            for (mark, next) in zip(marks, marks.dropFirst()) {
                try expect(next.t_ns > mark.t_ns, "The times of two blocks do not increase.")
            }
            // A device may have been capturing before it was asked.
            try expect(
                first.t_ns > before - 1_000_000_000 && last.t_ns <= now,
                "The times are not CLOCK_MONOTONIC in nanoseconds: one is \((last.t_ns - now) / 1_000_000) ms from now."
            )
            let seconds = Double(last.t_ns - first.t_ns) / 1e9
            let rate = Double(last.frame - first.frame) / seconds
            try expect(
                abs(rate / Double(stream.ring.rate) - 1) < rateTolerance,
                "The times say \(Int(rate)) frames a second, describe says \(stream.ring.rate).")
        },
        ConformanceCase(
            "microphone.wake", .microphone, "wake_fd is signalled after each block", needs: ["microphone.flow"]
        ) { run throws(CaseEnd) in
            let stream = try StreamUnderTest.started(.microphone, run)
            var signals: UInt64 = 0
            let end = Moment.now() + listening
            while Moment.now() < end {
                Moment.pause(.milliseconds(5))
                glasses_ring_skip(stream.ring.pointer, stream.ring.written)
                signals += cshims_eventfd_drain(stream.ring.wake)
            }
            let blocks = stream.ring.marks
            if blocks == 0 { throw .skipped("no block had a time mark") }
            // One block may be between its mark and its signal.
            try expect(signals + 1 >= UInt64(blocks), "\(blocks) blocks came with \(signals) signals.")
        },
    ]

    private static let fullness = [
        ConformanceCase(
            "microphone.full", .microphone, "a full ring loses the new block and counts it in dropped",
            needs: ["microphone.flow"]
        ) { run throws(CaseEnd) in
            let stream = try StreamUnderTest.started(.microphone, run, milliseconds: 200)
            let ring = stream.ring
            let isDropping = Moment.wait(.seconds(2)) { ring.dropped > 0 }
            try expect(
                ring.written - ring.read <= Int64(ring.capacity),
                "The ring holds \(ring.written - ring.read) frames; its capacity is \(ring.capacity).")
            try expect(isDropping, "Nothing was counted in dropped within 2 s of a full ring of 200 ms.")
            let samples = glasses_ring_samples(ring.pointer)
            let held = (0..<Int(ring.capacity)).map { samples[$0] }
            let written = ring.written
            Moment.pause(.milliseconds(200))
            try expect(ring.written == written, "The plugin wrote on although the ring was full.")
            try expect(
                (0..<Int(ring.capacity)).allSatisfy { samples[$0] == held[$0] },
                "The plugin overwrote what was not read.")
        },
        ConformanceCase(
            "microphone.bounds", .microphone, "the plugin writes nothing but its own fields and samples",
            needs: ["microphone.flow"]
        ) { run throws(CaseEnd) in
            let stream = try StreamUnderTest.started(.microphone, run, milliseconds: 125)
            // Long enough to come around the ring's end several times.
            let hasWrapped = stream.wait(.seconds(3)) { stream.ring.written > 4 * Int64(stream.ring.capacity) }
            try expect(hasWrapped, "Only \(stream.ring.written) frames came within 3 s.")
            try stream.ring.checkBounds()
        },
    ]

    /// Listens for a while, and answers the marks of the blocks.
    private static func listen(
        _ run: CaseRun
    ) throws(CaseEnd) -> (stream: StreamUnderTest, marks: [glasses_ring_mark]) {
        let stream = try StreamUnderTest.started(.microphone, run)
        _ = stream.wait(.seconds(1)) { stream.ring.written > 0 }
        _ = stream.wait(listening) { false }
        let count = stream.ring.marks
        let oldest = max(0, count - Int64(GLASSES_RING_MARKS) + 1)
        return (stream, (oldest..<max(oldest, count)).compactMap { stream.ring.mark($0) })
    }
}
