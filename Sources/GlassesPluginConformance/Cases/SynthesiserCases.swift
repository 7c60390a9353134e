import CGlassesPlugin
import Foundation
import GlassesPluginHost
import Synchronization

/// A speech synthesiser.
enum SynthesiserCases {
    static let all =
        InstanceCases.all(.tts, .tts, checkFacts: FactsCheck.synthesiser) + speech + limits + ends + threads

    /// A synthesiser on a small board may take several times as long as the sound.
    private static let speechLimit = Duration.seconds(20)
    /// What the ABI lets wait.
    private static let waitingLimit = 64
    /// Several seconds of sound for any voice.
    private static let longText = String(repeating: "One two three four five six seven eight nine ten. ", count: 20)

    private static let speech = [
        ConformanceCase(
            "tts.speak", .tts, "a text is accepted, delivers audio and ends in on_finished with OK",
            needs: ["tts.describe"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let id = try engine.speak("Hello.")
            let result = try engine.end(of: id, within: speechLimit)
            try expect(result == GLASSES_OK, "\"Hello.\" ended with \(KnownResults.name(result)).")
            try expect(engine.audioFrames(of: id) > 0, "\"Hello.\" delivered no audio.")
        },
        ConformanceCase(
            "tts.one-ending", .tts, "each text ends exactly once, after its last audio", needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            for text in ["One.", "Two.", ""] { _ = engine.attemptSpeak(text) }
            try engine.checkOnce(within: speechLimit)
        },
        ConformanceCase(
            "tts.known-values", .tts, "results are those of version 1.0, and messages are UTF-8", needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            _ = try engine.end(of: try engine.speak("Hello."), within: speechLimit)
            let id = try engine.speak(longText)
            _ = engine.cancel(id)
            _ = try engine.end(of: id, within: speechLimit)
            try Endings.checkKnown(engine.recorder.all)
            for callback in engine.recorder.all {
                if let problem = callback.text?.problem { throw .failed("A text of \(callback.name) is \(problem).") }
            }
        },
        ConformanceCase(
            "tts.options", .tts, "unknown keys of the options are ignored", needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let id = try engine.speak("Hello.", options: "{\"org.example.unknown\":[1,null],\"rate\":1,\"pitch\":0}")
            let result = try engine.end(of: id, within: speechLimit)
            try expect(result == GLASSES_OK, "It ended with \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "tts.invalid-options", .tts, "options that are no JSON object are refused with INVALID",
            needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            for options in ["[]", "7", "{", "nonsense"] {
                let result = engine.attemptSpeak("Hello.", options: options).result
                try expect(
                    result == GLASSES_ERROR_INVALID,
                    "speak answered \(KnownResults.name(result)) to the options \(options).")
            }
        },
        ConformanceCase(
            "tts.at-once", .tts, "no call waits for the synthesis", needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let ids = try (0..<3).map { _ throws(CaseEnd) in try engine.speak(longText) }
            for id in ids { _ = engine.cancel(id) }
            try engine.checkAtOnce()
        },
    ]

    private static let limits = [
        ConformanceCase(
            "tts.long-text", .tts, "a text of 64 KiB is accepted, a longer one refused with TOO_LARGE",
            needs: ["tts.cancel"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let word = "word "
            let longest = String(
                String(repeating: word, count: Int(GLASSES_MESSAGE_MAX) / 5 + 1).prefix(Int(GLASSES_MESSAGE_MAX)))
            let id = try engine.speak(longest)
            _ = engine.cancel(id)
            _ = try engine.end(of: id, within: speechLimit)
            let result = engine.attemptSpeak(longest + "x").result
            try expect(
                result == GLASSES_ERROR_TOO_LARGE, "speak answered \(KnownResults.name(result)) to one byte more.")
        },
        ConformanceCase(
            "tts.waiting-limit", .tts, "64 texts may wait; more are refused with BUSY",
            needs: ["tts.cancel", "tts.at-once"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            // The first text is held in its first audio, so that the others wait.
            engine.recorder.holdCalls(true)
            var ids = [try engine.speak(longText)]
            let isHeld = engine.recorder.wait(speechLimit) { !$0.isEmpty }
            var result = glasses_result(GLASSES_OK)
            while result == GLASSES_OK, ids.count < 3 * waitingLimit {
                let (id, answer) = engine.attemptSpeak("Wait.")
                result = answer
                if answer == GLASSES_OK { ids.append(id) }
            }
            for id in ids { _ = engine.cancel(id) }
            engine.recorder.holdCalls(false)
            try expect(isHeld, "A long text delivered no audio within \(speechLimit.inMilliseconds) ms.")
            try expect(
                result == GLASSES_ERROR_BUSY,
                "speak answered \(KnownResults.name(result)) with \(ids.count - 1) texts waiting.")
            // The one that is being spoken may count or not.
            try expect(ids.count >= waitingLimit, "speak answered BUSY with only \(ids.count - 1) texts waiting.")
            try expect(ids.count <= waitingLimit + 1, "\(ids.count - 1) texts were let wait.")
            for id in ids { _ = try engine.end(of: id, within: speechLimit) }
        },
    ]

    private static let ends = [
        ConformanceCase(
            "tts.cancel", .tts, "a cancelled text ends with CANCELLED within 2 s, and nothing comes afterwards",
            needs: ["tts.speak"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            // Held in its first audio, it cannot be over before it is cancelled.
            engine.recorder.holdCalls(true)
            let id = try engine.speak(longText)
            _ = engine.recorder.wait(speechLimit) { !$0.isEmpty }
            try engine.need(engine.cancel(id), "cancel")
            engine.recorder.holdCalls(false)
            let result = try engine.end(of: id, within: TransportUnderTest.Limit.other)
            try expect(result == GLASSES_ERROR_CANCELLED, "It ended with \(KnownResults.name(result)).")
            try Endings.checkSilence(of: engine.recorder, after: "the end of a cancelled text")
        },
        ConformanceCase(
            "tts.refused-audio", .tts, "a text ends when on_audio answers CANCELLED", needs: ["tts.cancel"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            engine.recorder.refuseAudio()
            let id = try engine.speak(longText)
            let result = try engine.end(of: id, within: speechLimit)
            try expect(result == GLASSES_ERROR_CANCELLED, "It ended with \(KnownResults.name(result)).")
            let blocks = engine.recorder.all.count { if case .audio = $0.kind { true } else { false } }
            try expect(blocks == 1, "\(blocks - 1) blocks came after on_audio had answered CANCELLED.")
        },
        ConformanceCase(
            "tts.after-end", .tts, "cancel of a text that has ended, or never was, is harmless",
            needs: ["tts.one-ending"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let id = try engine.speak("Hello.")
            _ = try engine.end(of: id, within: speechLimit)
            let before = engine.recorder.count
            for gone in [id, 4_711] { _ = engine.cancel(gone) }
            try Endings.checkSilence(of: engine.recorder, since: before, after: "the text had ended")
        },
        ConformanceCase(
            "tts.destroy-open", .tts, "destroy ends waiting texts, each once, within 2 s and in silence",
            needs: ["tts.one-ending", "tts.cancel", "tts.destroy"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            // Held in the first one's audio until destroy is under way, the others cannot be over before it.
            let recorder = engine.recorder
            recorder.holdCalls(true)
            let ids = try (0..<3).map { _ throws(CaseEnd) in try engine.speak(longText) }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 0.1)
                recorder.holdCalls(false)
            }
            let took = engine.instance.destroy()
            try expect(took <= Endings.destroyLimit, "destroy took \(took.inMilliseconds) ms.")
            for id in ids {
                let count = engine.recorder.endings(of: id).count
                try expect(count == 1, "A waiting text ended \(count) times before destroy returned.")
            }
            try Endings.checkSilence(of: engine.recorder, after: "destroy returned")
        },
        ConformanceCase(
            "tts.own-callbacks", .tts, "callbacks come to the instance that they concern",
            needs: ["tts.speak", "tts.instances"]
        ) { run throws(CaseEnd) in
            let entry = try EntryUnderTest.activated(run)
            let first = SynthesiserUnderTest(try InstanceUnderTest.created(.tts, entry, run))
            let second = try Endings.another(.tts, entry, run)
            try first.instance.activate()
            try second.activate()
            let id = try first.speak("Hello.")
            _ = Moment.wait(speechLimit) { !first.recorder.endings(of: id).isEmpty || second.recorder.count > 0 }
            try expect(second.recorder.count == 0, "Another instance was told of a text that is not its own.")
        },
        ConformanceCase(
            "tts.cycles", .tts, "texts over and over leave no memory, thread or descriptor",
            needs: ["tts.cancel", "tts.at-once"], limit: .seconds(90)
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            try GrowthWatch.check(run, "speak and cancel") { _ throws(CaseEnd) in
                let id = try engine.speak("One.")
                _ = engine.cancel(id)
                _ = try engine.end(of: id, within: speechLimit)
                engine.recorder.clear()
            }
        },
    ]

    private static let threads = [
        ConformanceCase(
            "tts.any-thread", .tts, "speak may be called on several threads at once", needs: ["tts.one-ending"]
        ) { run throws(CaseEnd) in
            let engine = try SynthesiserUnderTest.activated(run)
            let accepted = Mutex<[UInt64]>([])
            nonisolated(unsafe) let shared = engine
            // because its texts may come from any thread, as the ABI says
            run.call("glasses_tts.speak on 4 threads") {
                AnotherThread.runAll(
                    (1...4).map { thread in
                        {
                            for number in 0..<3 {
                                let id = UInt64(thread * 100 + number)
                                if shared.speakHere(id, "Yes.") { accepted.withLock { $0.append(id) } }
                            }
                        }
                    })
            }
            let ids = accepted.withLock { $0 }
            try expect(!ids.isEmpty, "No text was accepted on another thread.")
            for id in ids { _ = try engine.end(of: id, within: speechLimit) }
            try Endings.checkOnce(ids, engine.recorder.all)
        }
    ]
}

extension EngineUnderTest {
    /// The frames of audio that a request delivered.
    func audioFrames(of wanted: UInt64) -> Int {
        recorder.all.reduce(0) { sum, callback in
            if case .audio(wanted, let frames) = callback.kind { return sum + frames }
            return sum
        }
    }
}
