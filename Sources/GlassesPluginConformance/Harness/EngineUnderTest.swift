import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost

/// The requests of a speech engine, with what became of them.
class EngineUnderTest {
    let instance: InstanceUnderTest
    let run: CaseRun
    /// The requests that the plugin accepted.
    private(set) var accepted: [UInt64] = []
    /// The longest time that a call took to return.
    private(set) var longestCall: (function: String, duration: Duration) = ("", .zero)

    var recorder: Recorder { instance.recorder }

    init(_ instance: InstanceUnderTest) {
        self.instance = instance
        run = instance.run
    }

    /// Calls the plugin; the request counts as accepted when `makes` it and the answer is OK.
    func call(_ function: String, makes id: UInt64? = nil, _ body: () -> glasses_result) -> glasses_result {
        let (result, took) = run.timed(function, body)
        if took > longestCall.duration { longestCall = (function, took) }
        if let id, result == GLASSES_OK { accepted.append(id) }
        return result
    }

    /// Fails unless a call was answered with OK.
    func need(_ result: glasses_result, _ function: String) throws(CaseEnd) {
        try expect(result == GLASSES_OK, "\(function) answered \(KnownResults.name(result)).")
    }

    /// Frames of so many seconds at the engine's rate.
    func frames(seconds: Double) throws(CaseEnd) -> Int {
        guard let rate = try instance.facts()["sampleRate"]?.doubleValue else {
            throw .failed("describe has no sampleRate.")
        }
        return Int(rate * seconds)
    }

    /// Calls `body` with so many frames of a quiet hum.
    func humming(_ frames: Int, _ body: (UnsafePointer<Int16>, Int) -> glasses_result) -> glasses_result {
        let samples = (0..<frames).map { Int16(truncatingIfNeeded: ($0 % 100 - 50) * 4) }
        return samples.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { body($0, buffer.count) } ?? glasses_result(GLASSES_OK)
        }
    }

    /// The result with which a request ended; fails when it did not in time.
    func end(of id: UInt64, within limit: Duration) throws(CaseEnd) -> glasses_result {
        _ = recorder.wait(limit) { $0.contains { $0.ending?.id == id } }
        guard let ending = recorder.endings(of: id).first else {
            throw .failed("on_finished did not come within \(limit.inMilliseconds) ms.")
        }
        return ending.result
    }

    /// Waits until every accepted request has ended, and a little longer; each has to have ended exactly once.
    func checkOnce(within limit: Duration) throws(CaseEnd) {
        for id in accepted { _ = try end(of: id, within: limit) }
        Moment.pause(Endings.silence)
        try Endings.checkOnce(accepted, recorder.all)
    }

    /// No call waits for the engine's work.
    func checkAtOnce() throws(CaseEnd) {
        try expect(
            longestCall.duration < .seconds(1),
            "\(longestCall.function) took \(longestCall.duration.inMilliseconds) ms to return.")
    }
}

/// A speech recogniser.
final class RecogniserUnderTest: EngineUnderTest {
    private var table: glasses_stt { instance.table.load(as: glasses_stt.self) }

    /// A recogniser that is ready; skips the case where what it needs is missing.
    static func activated(_ run: CaseRun) throws(CaseEnd) -> RecogniserUnderTest {
        RecogniserUnderTest(try InstanceUnderTest.activated(.stt, run))
    }

    /// Begins an utterance that may be refused.
    func attemptBegin() -> (id: UInt64, result: glasses_result) {
        let id = instance.newRequest()
        return (id, call("glasses_stt.begin", makes: id) { table.begin(table.instance, id) })
    }

    /// Begins an utterance.
    func begin() throws(CaseEnd) -> UInt64 {
        let (id, result) = attemptBegin()
        try need(result, "begin")
        return id
    }

    /// Pushes so many frames of a quiet hum.
    func push(_ id: UInt64, frames: Int) -> glasses_result {
        humming(frames) { push(id, samples: $0, count: $1) }
    }

    /// Pushes from memory at `samples`.
    func push(_ id: UInt64, samples: UnsafePointer<Int16>, count: Int) -> glasses_result {
        call("glasses_stt.push") { table.push(table.instance, id, samples, UInt32(count)) }
    }

    /// Says that the utterance is complete.
    func finish(_ id: UInt64) -> glasses_result { call("glasses_stt.finish") { table.finish(table.instance, id) } }

    /// Drops the utterance.
    func cancel(_ id: UInt64) -> glasses_result { call("glasses_stt.cancel") { table.cancel(table.instance, id) } }

    /// One whole utterance of a quarter of a second, on the calling thread; its id if it was accepted. [any]
    func wholeUtterance(_ id: UInt64, samples: [Int16]) -> Bool {
        let table = table
        guard table.begin(table.instance, id) == GLASSES_OK else { return false }
        samples.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { _ = table.push(table.instance, id, start, UInt32(buffer.count)) }
        }
        _ = table.finish(table.instance, id)
        return true
    }
}

/// A speech synthesiser.
final class SynthesiserUnderTest: EngineUnderTest {
    private var table: glasses_tts { instance.table.load(as: glasses_tts.self) }

    /// A synthesiser that is ready; skips the case where what it needs is missing.
    static func activated(_ run: CaseRun) throws(CaseEnd) -> SynthesiserUnderTest {
        SynthesiserUnderTest(try InstanceUnderTest.activated(.tts, run))
    }

    /// Speaks a text that may be refused.
    func attemptSpeak(_ text: String, options: String = "{}") -> (id: UInt64, result: glasses_result) {
        let id = instance.newRequest()
        return (id, call("glasses_tts.speak", makes: id) { table.speak(table.instance, id, text, options) })
    }

    /// Speaks a text.
    func speak(_ text: String, options: String = "{}") throws(CaseEnd) -> UInt64 {
        let (id, result) = attemptSpeak(text, options: options)
        try need(result, "speak")
        return id
    }

    /// Ends a request early.
    func cancel(_ id: UInt64) -> glasses_result { call("glasses_tts.cancel") { table.cancel(table.instance, id) } }

    /// Speaks on the calling thread; whether it was accepted. [any]
    func speakHere(_ id: UInt64, _ text: String) -> Bool {
        let table = table
        return table.speak(table.instance, id, text, "{}") == GLASSES_OK
    }
}
