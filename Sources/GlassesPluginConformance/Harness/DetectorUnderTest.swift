import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost

/// A detector of voice activity.
final class DetectorUnderTest: EngineUnderTest {
    /// One judgement.
    struct Judgement {
        var first: UInt64
        var frames: UInt32
        var probability: Double
        /// The frame behind its last one.
        var end: UInt64 { first &+ UInt64(frames) }
    }

    private var table: glasses_vad { instance.table.load(as: glasses_vad.self) }

    /// A detector that is ready; skips the case where what it needs is missing.
    static func activated(_ run: CaseRun) throws(CaseEnd) -> DetectorUnderTest {
        DetectorUnderTest(try InstanceUnderTest.activated(.vad, run))
    }

    /// The judgements of a stream so far.
    func judgements(of id: UInt64) -> [Judgement] { Self.judgements(of: id, in: recorder.all) }

    /// The judgements of a stream among `callbacks`.
    static func judgements(of wanted: UInt64, in callbacks: [PluginCallback]) -> [Judgement] {
        callbacks.compactMap { callback in
            guard case .activity(wanted, let first, let frames, let probability) = callback.kind else { return nil }
            return Judgement(first: first, frames: frames, probability: probability)
        }
    }

    /// Begins a stream that may be refused.
    func attemptBegin() -> (id: UInt64, result: glasses_result) {
        let id = instance.newRequest()
        return (id, call("glasses_vad.begin", makes: id) { table.begin(table.instance, id) })
    }

    /// Begins a stream.
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
        call("glasses_vad.push") { table.push(table.instance, id, samples, UInt32(count)) }
    }

    /// Forgets what was heard.
    func reset(_ id: UInt64) -> glasses_result { call("glasses_vad.reset") { table.reset(table.instance, id) } }

    /// Ends the stream.
    func end(_ id: UInt64) -> glasses_result { call("glasses_vad.end") { table.end(table.instance, id) } }

    /// One whole stream on the calling thread; whether it was accepted. [any]
    func wholeStream(_ id: UInt64, samples: [Int16]) -> Bool {
        let table = table
        guard table.begin(table.instance, id) == GLASSES_OK else { return false }
        samples.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { _ = table.push(table.instance, id, start, UInt32(buffer.count)) }
        }
        return table.end(table.instance, id) == GLASSES_OK
    }
}
