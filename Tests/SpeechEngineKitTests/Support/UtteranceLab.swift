import CGlassesPlugin
import Foundation
import SpeechEngineKit
import Synchronization

@testable import GlassesPluginKit

/// A queue with a worker on a thread of its own, and what the host was told.
final class UtteranceLab: Sendable {
    /// What was told, as in "1 partial go", "1 done stop", "1 error -5".
    let told = Told()
    let queue = UtteranceQueue()
    private let gate = CallbackGate()
    private let thread = Mutex<EngineThread?>(nil)

    final class Told: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
        func contains(_ line: String) -> Bool { all.contains(line) }
    }

    /// Opens an utterance.
    func begin(_ id: UInt64) throws { try queue.begin(request(id)) }

    /// A request whose answers go to ``told``.
    func request(_ id: UInt64) -> RecognitionRequest {
        let table = glasses_stt_host(
            size: UInt32(MemoryLayout<glasses_stt_host>.size), reserved: 0,
            ctx: Unmanaged.passUnretained(told).toOpaque(),
            on_partial: { context, id, text, _ in
                UtteranceLab.told(context)?.add("\(id) partial \(String(cString: text))")
            },
            on_finished: { context, id, result, text, _ in
                let line = result == glasses_result(GLASSES_OK) ? "done \(String(cString: text))" : "error \(result)"
                UtteranceLab.told(context)?.add("\(id) \(line)")
            })
        return RecognitionRequest(id: id, table: table, gate: gate)
    }

    func push(_ samples: [Int16], to id: UInt64) throws {
        try samples.withUnsafeBufferPointer { try queue.push($0, to: id) }
    }

    /// Starts the worker.
    func work(with recognizer: any UtteranceRecognizer & Sendable, interval: Duration) {
        let queue = queue
        let started = EngineThread(name: "worker") {
            var worker = UtteranceWorker(queue: queue, recognizer: recognizer, interval: interval)
            worker.run()
        }
        thread.withLock { $0 = started }
    }

    /// Ends the queue, answers what was open and waits for the worker.
    func close() -> Bool {
        for request in queue.close() { request.fail(.cancelled) }
        return thread.withLock { $0 }?.join(within: 10) ?? true
    }

    private static func told(_ context: UnsafeMutableRawPointer?) -> Told? {
        context.map { Unmanaged<Told>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Understands each sample as a number; 13 is a failure, and 0 is a pause.
final class NumberRecognizer: UtteranceRecognizer, Sendable {
    private let state = Mutex(State())

    private struct State {
        var numbers: [Int16] = []
        var abandoned = 0
    }

    /// How many utterances were left without an end.
    var abandoned: Int { state.withLock { $0.abandoned } }
    var isAtPause: Bool { state.withLock { $0.numbers.last == 0 } }

    func add(_ slice: [Int16]) throws(PluginFailure) {
        if slice.contains(13) { throw .failed("unlucky", "Thirteen cannot be understood.") }
        state.withLock { $0.numbers += slice }
    }

    func partialText() -> String {
        state.withLock { $0.numbers.filter { $0 != 0 }.map(String.init).joined(separator: " ") }
    }

    func finish(isWanted: () -> Bool) -> (text: String, confidence: Double)? {
        let text = partialText()
        state.withLock { $0.numbers = [] }
        return isWanted() ? (text, 1) : nil
    }

    func abandon() {
        state.withLock { state in
            if !state.numbers.isEmpty { state.abandoned += 1 }
            state.numbers = []
        }
    }
}

/// Waits for a condition, at most `limit`; false when it did not come true.
func eventually(within limit: Duration = .seconds(30), _ condition: @Sendable () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return condition()
}
