import CGlassesPlugin
import GlassesPluginHost
import Glibc
import Synchronization

/// A detector of voice activity.
enum DetectorCases {
    static let all =
        InstanceCases.all(.vad, .vad, checkFacts: FactsCheck.detector) + judgements + bounds + ends + threads

    /// A detector is soon behind its audio; a machine under load takes longer.
    private static let judgementLimit = Duration.seconds(5)
    /// What the ABI lets be open.
    private static let openLimit = 8
    /// What the ABI lets wait, in seconds of sound.
    private static let waitingSeconds = 2

    private static let judgements = [
        ConformanceCase(
            "vad.stream", .vad, "a stream is accepted and judged soon after its audio", needs: ["vad.describe"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            _ = try hear(engine, seconds: 1)
        },
        ConformanceCase(
            "vad.order", .vad, "judgements come in order, without gaps, and never ahead of the audio",
            needs: ["vad.stream"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let (id, pushed) = try hear(engine, seconds: 1.5)
            var next: UInt64 = 0
            for judgement in engine.judgements(of: id) {
                try expect(
                    judgement.first == next,
                    "A judgement begins at frame \(judgement.first), the last one ended at \(next).")
                try expect(judgement.frames > 0, "A judgement has no frames.")
                next = judgement.first + UInt64(judgement.frames)
                try expect(next <= UInt64(pushed), "A judgement ends at frame \(next) of \(pushed).")
            }
        },
        ConformanceCase(
            "vad.probability", .vad, "a probability is from 0 to 1", needs: ["vad.stream"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let (id, _) = try hear(engine, seconds: 1)
            for judgement in engine.judgements(of: id) {
                try expect((0...1).contains(judgement.probability), "A probability is \(judgement.probability).")
            }
        },
        ConformanceCase(
            "vad.reset", .vad, "after a reset the next judgement begins with the next frame", needs: ["vad.order"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let (id, heard) = try hear(engine, seconds: 1)
            // Less than any piece: these frames wait when the reset comes.
            try engine.need(engine.push(id, frames: 40), "push")
            try engine.need(engine.reset(id), "reset")
            let start = UInt64(heard + 40)
            try engine.need(engine.push(id, frames: try engine.frames(seconds: 1)), "push")
            _ = engine.recorder.wait(judgementLimit) {
                DetectorUnderTest.judgements(of: id, in: $0).contains { $0.first >= start }
            }
            guard let next = engine.judgements(of: id).first(where: { $0.first + UInt64($0.frames) > UInt64(heard) })
            else {
                throw .failed("Nothing was judged after the reset.")
            }
            try expect(
                next.first == start, "The judgement after the reset begins at frame \(next.first), not \(start).")
        },
        ConformanceCase(
            "vad.copy", .vad, "push copies: the host may reuse the memory at once", needs: ["vad.stream"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let id = try engine.begin()
            let count = try engine.frames(seconds: 1)
            let bytes = count * MemoryLayout<Int16>.size
            let memory = try GuardedMemory.pages(bytes)
            // Held in its first judgement, the engine has most of the sound before it when the memory goes.
            engine.recorder.holdCalls(true)
            try engine.need(engine.push(id, samples: memory.assumingMemoryBound(to: Int16.self), count: count), "push")
            _ = engine.recorder.wait(judgementLimit) { !$0.isEmpty }
            munmap(memory, bytes)
            engine.recorder.holdCalls(false)
            let isJudged = engine.recorder.wait(judgementLimit) { $0.count > 1 }
            try expect(isJudged, "Nothing was judged within \(judgementLimit.inMilliseconds) ms.")
        },
    ]

    private static let bounds = [
        ConformanceCase(
            "vad.open-limit", .vad, "eight streams may be open, the ninth is refused with BUSY", needs: ["vad.end"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let ids = try (0..<openLimit).map { index throws(CaseEnd) in
                let (id, result) = engine.attemptBegin()
                try expect(result == GLASSES_OK, "begin answered \(KnownResults.name(result)) with \(index) open.")
                return id
            }
            let result = engine.attemptBegin().result
            try expect(result == GLASSES_ERROR_BUSY, "begin answered \(KnownResults.name(result)) with 8 open.")
            for id in ids { try engine.need(engine.end(id), "end") }
            _ = try engine.begin()
        },
        ConformanceCase(
            "vad.audio-limit", .vad, "2 s of sound may wait; then push answers BUSY and takes nothing",
            needs: ["vad.at-once"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let id = try engine.begin()
            let block = try engine.frames(seconds: 0.1)
            // Held in its first judgement, the engine takes nothing more.
            engine.recorder.holdCalls(true)
            defer { engine.recorder.holdCalls(false) }
            var tenths = 0
            var result = glasses_result(GLASSES_OK)
            while result == GLASSES_OK, tenths < 10 * 3 * waitingSeconds {
                result = engine.push(id, frames: block)
                if result == GLASSES_OK { tenths += 1 }
                Moment.pause(.milliseconds(5))
            }
            try expect(
                result == GLASSES_ERROR_BUSY,
                "push answered \(KnownResults.name(result)) when \(tenths) tenths of a second were waiting.")
            try expect(tenths >= 10 * waitingSeconds, "push answered BUSY after only \(tenths) tenths of a second.")
        },
    ]

    private static let ends = [
        ConformanceCase(
            "vad.end", .vad, "after end at most the judgement under way comes", needs: ["vad.stream"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let (id, _) = try hear(engine, seconds: 1)
            let heard = engine.recorder.count
            // Held in a judgement, the engine has most of the sound before it when the stream ends.
            engine.recorder.holdCalls(true)
            try engine.need(engine.push(id, frames: try engine.frames(seconds: 1)), "push")
            _ = engine.recorder.wait(judgementLimit) { $0.count > heard }
            let before = engine.recorder.count
            try engine.need(engine.end(id), "end")
            engine.recorder.holdCalls(false)
            Moment.pause(Endings.silence)
            let late = engine.recorder.count - before
            try expect(late <= 1, "\(late) judgements came after end.")
        },
        ConformanceCase(
            "vad.after-end", .vad, "calls for a stream that has ended, or never was, are harmless",
            needs: ["vad.end"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let id = try engine.begin()
            try engine.need(engine.end(id), "end")
            let frames = try engine.frames(seconds: 1)
            let before = engine.recorder.count
            // A stream may have ended by itself, so any answer will do.
            for gone in [id, 4_711] {
                _ = engine.push(gone, frames: frames)
                _ = engine.reset(gone)
                _ = engine.end(gone)
            }
            try Endings.checkSilence(of: engine.recorder, since: before, after: "the stream had ended")
        },
        ConformanceCase(
            "vad.destroy-open", .vad, "destroy ends open streams within 2 s and in silence",
            needs: ["vad.stream", "vad.destroy"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let id = try engine.begin()
            try engine.need(engine.push(id, frames: try engine.frames(seconds: 1)), "push")
            try Endings.checkDestroy(of: engine.instance)
        },
        ConformanceCase(
            "vad.own-callbacks", .vad, "callbacks come to the instance that they concern",
            needs: ["vad.stream", "vad.instances"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let first = DetectorUnderTest(try InstanceUnderTest.created(.vad, entry, run))
            let second = try Endings.another(.vad, entry, run)
            try first.instance.activate()
            try second.activate()
            _ = try hear(first, seconds: 1)
            try expect(second.recorder.count == 0, "Another instance was told of a stream that is not its own.")
        },
        ConformanceCase(
            "vad.cycles", .vad, "streams over and over leave no memory, thread or descriptor",
            needs: ["vad.end", "vad.at-once"], limit: .seconds(90)
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let block = try engine.frames(seconds: 0.1)
            try GrowthWatch.check(run, "begin, push and end") { _ throws(CaseEnd) in
                let id = try engine.begin()
                _ = engine.push(id, frames: block)
                try engine.need(engine.end(id), "end")
                engine.recorder.clear()
            }
        },
    ]

    private static let threads = [
        ConformanceCase(
            "vad.at-once", .vad, "no call waits for the judgement", needs: ["vad.stream"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            _ = try hear(engine, seconds: 1)
            try engine.checkAtOnce()
        },
        ConformanceCase(
            "vad.any-thread", .vad, "begin, push and end may be called on several threads at once", needs: ["vad.end"]
        ) { run throws(CaseEnd) in
            let engine = try DetectorUnderTest.activated(run)
            let samples = [Int16](repeating: 0, count: try engine.frames(seconds: 0.5))
            let accepted = Atomic(0)
            nonisolated(unsafe) let shared = engine
            // because its whole streams may come from any thread, as the ABI says
            run.call("glasses_vad.begin, push and end on 4 threads") {
                AnotherThread.runAll(
                    (1...4).map { thread in
                        {
                            for number in 0..<5
                            where shared.wholeStream(UInt64(thread * 100 + number), samples: samples) {
                                accepted.add(1, ordering: .relaxed)
                            }
                        }
                    })
            }
            try expect(accepted.load(ordering: .relaxed) > 0, "No stream was accepted on another thread.")
        },
    ]

    /// Pushes so many seconds as fast as they are judged; answers the stream and its frames when nearly all are judged.
    private static func hear(
        _ engine: DetectorUnderTest, seconds: Double
    ) throws(CaseEnd) -> (id: UInt64, frames: Int) {
        let id = try engine.begin()
        let frames = try engine.frames(seconds: seconds)
        try engine.need(engine.push(id, frames: frames), "push")
        // A piece may be 100 ms long, and what makes no whole piece waits.
        let enough = UInt64(frames - (try engine.frames(seconds: 0.1)))
        let isJudged = engine.recorder.wait(judgementLimit) {
            (DetectorUnderTest.judgements(of: id, in: $0).last?.end ?? 0) >= enough
        }
        try expect(
            isJudged,
            "\(engine.judgements(of: id).last?.end ?? 0) of \(frames) frames were judged within \(judgementLimit.inMilliseconds) ms."
        )
        return (id, frames)
    }
}
