import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost
import Glibc
import Synchronization

/// A speech recogniser.
enum RecogniserCases {
    static let all =
        InstanceCases.all(.stt, .stt, checkFacts: FactsCheck.recogniser) + utterances + bounds + ends + threads

    /// A recogniser on a small board may take several times as long as the sound.
    private static let recognitionLimit = Duration.seconds(20)
    /// What the ABI lets be open.
    private static let openLimit = 8
    /// What the ABI lets wait, in seconds of sound.
    private static let waitingSeconds = 60

    private static let utterances = [
        ConformanceCase(
            "stt.utterance", .stt, "an utterance is accepted and ends in on_finished with OK", needs: ["stt.describe"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let id = try speak(engine)
            let result = try engine.end(of: id, within: recognitionLimit)
            try expect(result == GLASSES_OK, "A hum of half a second ended with \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "stt.one-ending", .stt, "each utterance ends exactly once, and nothing comes for it afterwards",
            needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            for _ in 0..<3 { _ = try speak(engine) }
            try engine.checkOnce(within: recognitionLimit)
        },
        ConformanceCase(
            "stt.order", .stt, "utterances are worked off in order", needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let ids = try (0..<4).map { _ throws(CaseEnd) in try speak(engine) }
            for id in ids { _ = try engine.end(of: id, within: recognitionLimit) }
            var order: [UInt64] = []
            for ending in engine.recorder.all.compactMap(\.ending) where !order.contains(ending.id) {
                order.append(ending.id)
            }
            try expect(order == ids, "The utterances \(ids) ended in the order \(order).")
        },
        ConformanceCase(
            "stt.texts", .stt, "texts are UTF-8, and a confidence is from 0 to 1", needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            _ = try engine.end(of: try speak(engine), within: recognitionLimit)
            for callback in engine.recorder.all {
                if let problem = callback.text?.problem { throw .failed("A text of \(callback.name) is \(problem).") }
                guard let confidence = callback.confidence else { continue }
                try expect((0...1).contains(confidence), "\(callback.name) came with the confidence \(confidence).")
            }
        },
        ConformanceCase(
            "stt.known-values", .stt, "results are those of version 1.0", needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            _ = try engine.end(of: try speak(engine), within: recognitionLimit)
            let cancelled = try engine.begin()
            _ = engine.cancel(cancelled)
            _ = try engine.end(of: cancelled, within: TransportUnderTest.Limit.other)
            let empty = try engine.begin()
            try engine.need(engine.finish(empty), "finish")
            _ = try engine.end(of: empty, within: recognitionLimit)
            try Endings.checkKnown(engine.recorder.all)
        },
        ConformanceCase(
            "stt.copy", .stt, "push copies: the host may reuse the memory at once", needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let id = try engine.begin()
            let count = try engine.frames(seconds: 0.5)
            let bytes = count * MemoryLayout<Int16>.size
            let memory = try GuardedMemory.pages(bytes)
            try engine.need(engine.push(id, samples: memory.assumingMemoryBound(to: Int16.self), count: count), "push")
            munmap(memory, bytes)
            try engine.need(engine.finish(id), "finish")
            _ = try engine.end(of: id, within: recognitionLimit)
        },
        ConformanceCase(
            "stt.at-once", .stt, "no call waits for the recognition", needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            for _ in 0..<3 { _ = try speak(engine) }
            try engine.checkAtOnce()
        },
    ]

    private static let bounds = [
        ConformanceCase(
            "stt.open-limit", .stt, "eight utterances may be open, the ninth is refused with BUSY",
            needs: ["stt.one-ending", "stt.cancel"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let ids = try (0..<openLimit).map { index throws(CaseEnd) in
                let (id, result) = engine.attemptBegin()
                try expect(result == GLASSES_OK, "begin answered \(KnownResults.name(result)) with \(index) open.")
                return id
            }
            let result = engine.attemptBegin().result
            try expect(result == GLASSES_ERROR_BUSY, "begin answered \(KnownResults.name(result)) with 8 open.")
            for id in ids { _ = engine.cancel(id) }
            for id in ids { _ = try engine.end(of: id, within: TransportUnderTest.Limit.other) }
            _ = try engine.begin()
        },
        ConformanceCase(
            "stt.audio-limit", .stt, "60 s of sound may wait; then push answers BUSY and takes nothing",
            needs: ["stt.one-ending", "stt.cancel"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            // Utterances are worked off in order, so what belongs to the second one waits.
            let first = try engine.begin()
            let second = try engine.begin()
            let block = try engine.frames(seconds: 1)
            var seconds = 0
            var result = glasses_result(GLASSES_OK)
            while result == GLASSES_OK, seconds < 3 * waitingSeconds {
                result = engine.push(second, frames: block)
                if result == GLASSES_OK { seconds += 1 }
            }
            try expect(
                result == GLASSES_ERROR_BUSY,
                "push answered \(KnownResults.name(result)) when \(seconds) s of sound were waiting.")
            try expect(seconds >= waitingSeconds, "push answered BUSY when only \(seconds) s of sound were waiting.")
            for id in [first, second] { _ = engine.cancel(id) }
            for id in [first, second] { _ = try engine.end(of: id, within: TransportUnderTest.Limit.other) }
            let id = try speak(engine)
            _ = try engine.end(of: id, within: recognitionLimit)
        },
        ConformanceCase(
            "stt.after-end", .stt, "calls for an utterance that has ended, or never was, are harmless",
            needs: ["stt.one-ending", "stt.cancel"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let id = try speak(engine)
            _ = try engine.end(of: id, within: recognitionLimit)
            let frames = try engine.frames(seconds: 0.1)
            let before = engine.recorder.count
            for gone in [id, 4_711] {
                let pushed = engine.push(gone, frames: frames)
                try expect(pushed != GLASSES_OK, "push answered OK for an utterance that is not open.")
                let finished = engine.finish(gone)
                try expect(finished != GLASSES_OK, "finish answered OK for an utterance that is not open.")
                _ = engine.cancel(gone)
            }
            try Endings.checkSilence(of: engine.recorder, since: before, after: "the utterance had ended")
        },
    ]

    private static let ends = [
        ConformanceCase(
            "stt.cancel", .stt, "a cancelled utterance ends with CANCELLED within 2 s, and nothing comes afterwards",
            needs: ["stt.utterance"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let id = try engine.begin()
            try engine.need(engine.push(id, frames: try engine.frames(seconds: 2)), "push")
            try engine.need(engine.cancel(id), "cancel")
            let result = try engine.end(of: id, within: TransportUnderTest.Limit.other)
            try expect(result == GLASSES_ERROR_CANCELLED, "It ended with \(KnownResults.name(result)).")
            try Endings.checkSilence(of: engine.recorder, after: "the end of a cancelled utterance")
        },
        ConformanceCase(
            "stt.destroy-open", .stt, "destroy ends open utterances with CANCELLED within 2 s and in silence",
            needs: ["stt.one-ending", "stt.cancel", "stt.destroy"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let ids = try (0..<3).map { _ throws(CaseEnd) in try engine.begin() }
            for id in ids { try engine.need(engine.push(id, frames: try engine.frames(seconds: 1)), "push") }
            let took = engine.instance.destroy()
            try expect(took <= Endings.destroyLimit, "destroy took \(took.inMilliseconds) ms.")
            for id in ids {
                let results = engine.recorder.endings(of: id).map { KnownResults.name($0.result) }
                try expect(results == ["CANCELLED"], "An open utterance ended with \(results) before destroy returned.")
            }
            try Endings.checkSilence(of: engine.recorder, after: "destroy returned")
        },
        ConformanceCase(
            "stt.own-callbacks", .stt, "callbacks come to the instance that they concern",
            needs: ["stt.utterance", "stt.instances"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let first = RecogniserUnderTest(try InstanceUnderTest.created(.stt, entry, run))
            let second = try Endings.another(.stt, entry, run)
            try first.instance.activate()
            try second.activate()
            let id = try speak(first)
            _ = Moment.wait(recognitionLimit) {
                !first.recorder.endings(of: id).isEmpty || second.recorder.count > 0
            }
            try expect(second.recorder.count == 0, "Another instance was told of an utterance that is not its own.")
        },
        ConformanceCase(
            "stt.cycles", .stt, "utterances over and over leave no memory, thread or descriptor",
            needs: ["stt.cancel", "stt.at-once"], limit: .seconds(90)
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let block = try engine.frames(seconds: 0.1)
            try GrowthWatch.check(run, "begin, push and cancel") { _ throws(CaseEnd) in
                let id = try engine.begin()
                _ = engine.push(id, frames: block)
                _ = engine.cancel(id)
                _ = try engine.end(of: id, within: TransportUnderTest.Limit.other)
                engine.recorder.clear()
            }
        },
    ]

    private static let threads = [
        ConformanceCase(
            "stt.any-thread", .stt, "begin, push and finish may be called on several threads at once",
            needs: ["stt.one-ending"]
        ) { run throws(CaseEnd) in
            let engine = try RecogniserUnderTest.activated(run)
            let samples = [Int16](repeating: 0, count: try engine.frames(seconds: 0.25))
            let accepted = Mutex<[UInt64]>([])
            nonisolated(unsafe) let shared = engine
            // because its whole utterances may come from any thread, as the ABI says
            run.call("glasses_stt.begin, push and finish on 4 threads") {
                AnotherThread.runAll(
                    (1...4).map { thread in
                        {
                            for number in 0..<2 {
                                let id = UInt64(thread * 100 + number)
                                if shared.wholeUtterance(id, samples: samples) { accepted.withLock { $0.append(id) } }
                            }
                        }
                    })
            }
            let ids = accepted.withLock { $0 }
            try expect(!ids.isEmpty, "No utterance was accepted on another thread.")
            for id in ids { _ = try engine.end(of: id, within: recognitionLimit) }
            try Endings.checkOnce(ids, engine.recorder.all)
        }
    ]

    /// A whole utterance of half a second.
    private static func speak(_ engine: RecogniserUnderTest) throws(CaseEnd) -> UInt64 {
        let id = try engine.begin()
        try engine.need(engine.push(id, frames: try engine.frames(seconds: 0.5)), "push")
        try engine.need(engine.finish(id), "finish")
        return id
    }
}

extension PluginCallback {
    /// How sure the recogniser is; nil for every other callback and for an ending that is no success.
    var confidence: Double? {
        switch kind {
        case .partial(_, _, let confidence): confidence
        case .finished(_, let result, _, let confidence): result == GLASSES_OK ? confidence : nil
        case .state, .completed, .event, .audio, .activity, .broken, .photo, .stream, .registration, .permission, .url,
            .power, .input:
            nil
        }
    }
}
