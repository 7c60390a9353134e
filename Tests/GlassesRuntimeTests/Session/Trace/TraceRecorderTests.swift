import Dispatch
import GlassesAssistant
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesRuntime

/// What becomes of a session's steps on their way to the file.
@Suite struct TraceRecorderTests {
    private final class Paper: Sendable {
        private let text = Mutex("")
        func write(_ line: String) { text.withLock { $0 += line } }
        var bytes: [UInt8] { text.withLock { Array($0.utf8) } }
    }

    private struct DiskFull: Error, CustomStringConvertible {
        var description: String { "the disk is full" }
    }

    private static func step(_ number: Int, _ machine: inout SessionMachine) -> TraceStep {
        var verdicts = TextVerdicts()
        let at = MonotonicTime(nanoseconds: Int64(number))
        let input = SessionInput.operationRequested(OperationID(number), .wake)
        let actions = machine.apply(input, at: at, verdicts: &verdicts)
        return TraceStep(at: at, input: input, verdicts: verdicts.given, actions: actions)
    }

    @Test func everyStepIsWrittenAndReplays() async throws {
        let paper = Paper()
        let recorder = TraceRecorder(privacy: TracePrivacy(), write: paper.write)
        let listener = try #require(recorder.port.begin(SessionConfiguration()))
        var machine = SessionMachine(configuration: SessionConfiguration())
        for number in 1...200 { listener(Self.step(number, &machine)) }
        #expect(await recorder.finish() == nil)
        let trace = try SessionTrace(file: paper.bytes)
        #expect(trace.steps.count == 200)
        #expect(trace.end == .complete)
        #expect(try TraceReplay.firstDifference(in: trace) == nil)
    }

    @Test func onlyTheFirstSessionIsTraced() async throws {
        let paper = Paper()
        let recorder = TraceRecorder(privacy: TracePrivacy(), write: paper.write)
        #expect(recorder.port.begin(SessionConfiguration()) != nil)
        #expect(recorder.port.begin(SessionConfiguration()) == nil)
        #expect(await recorder.finish() == nil)
        #expect(try SessionTrace(file: paper.bytes).steps.isEmpty)
    }

    @Test func aTraceEndsAtItsLimitAndSaysSo() async throws {
        let paper = Paper()
        let recorder = TraceRecorder(privacy: TracePrivacy(), limit: 4_096, write: paper.write)
        let listener = try #require(recorder.port.begin(SessionConfiguration()))
        var machine = SessionMachine(configuration: SessionConfiguration())
        for number in 1...200 { listener(Self.step(number, &machine)) }
        #expect(await recorder.finish()?.hasPrefix("The trace ends where it had") == true)
        #expect(paper.bytes.count <= 4_096 + 64)
        let trace = try SessionTrace(file: paper.bytes)
        #expect(trace.end == .limit)
        #expect((1..<200).contains(trace.steps.count))
        #expect(try TraceReplay.firstDifference(in: trace) == nil)
    }

    /// A disk that takes nothing for long holds the memory of a bounded number of steps, and the session never waits for it.
    @Test func aTraceEndsWhereItsDiskIsTooSlow() async throws {
        let paper = Paper()
        let gate = DispatchSemaphore(value: 0)
        let isHeld = Atomic(true)
        let recorder = TraceRecorder(privacy: TracePrivacy()) { line in
            if isHeld.exchange(false, ordering: .relaxed) { gate.wait() }
            paper.write(line)
        }
        let listener = try #require(recorder.port.begin(SessionConfiguration()))
        var machine = SessionMachine(configuration: SessionConfiguration())
        for number in 1...(TraceRecorder.waitingLimit + 100) { listener(Self.step(number, &machine)) }
        gate.signal()
        #expect(await recorder.finish()?.contains("too slow") == true)
        let trace = try SessionTrace(file: paper.bytes)
        #expect(trace.end == .behind)
        #expect(trace.steps.count == TraceRecorder.waitingLimit)
    }

    @Test func aDiskThatIsFullIsTold() async throws {
        let recorder = TraceRecorder(privacy: TracePrivacy()) { _ in throw DiskFull() }
        let listener = try #require(recorder.port.begin(SessionConfiguration()))
        var machine = SessionMachine(configuration: SessionConfiguration())
        listener(Self.step(1, &machine))
        #expect(await recorder.finish() == "The trace could not be written: the disk is full.")
    }

    @Test func audioIsAHashUnlessItIsAskedFor() async throws {
        for keepsAudio in [false, true] {
            let paper = Paper()
            var privacy = TracePrivacy()
            privacy.keepsAudio = keepsAudio
            let recorder = TraceRecorder(privacy: privacy, write: paper.write)
            let listener = try #require(recorder.port.begin(SessionConfiguration()))
            listener(
                TraceStep(
                    at: .zero, input: .playbackDrained, verdicts: [], actions: SessionActions(), audio: [1, -2, 300]))
            #expect(await recorder.finish() == nil)
            let audio = try #require(SessionTrace(file: paper.bytes).steps.first?.audio)
            #expect(audio["samples"] == 3)
            #expect(audio["hash"]?.stringValue?.count == TraceHash.length)
            #expect(audio["pcm16"] == (keepsAudio ? "AQD+/ywB" : nil))
        }
    }
}
