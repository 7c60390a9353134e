import Foundation
import GlassesDomain
import Synchronization

/// Why a call into a plugin brought no answer.
enum PluginCallError: Error, Sendable, Hashable {
    /// A call did not return within its limit, this one or one before it; the queue takes no more.
    case hung(function: String)
    /// Too many calls are waiting.
    case overloaded
}

/// One thread on which calls into a plugin run one after another, watched by a clock.
///
/// Nobody ever waits longer than the limits: a call that hangs keeps its thread, and everything that waits behind it, and
/// everything that comes later, is answered ``PluginCallError/hung(function:)``.
final class PluginCallQueue: Sendable {
    /// A minute of speech in 20 ms blocks, and as much again for everything else.
    private static let waitingLimit = 6_000

    private struct Call {
        var function: String
        var limit: Duration
        var run: @Sendable () -> Void
        var abandon: @Sendable (PluginCallError) -> Void
    }

    private struct State {
        var waiting: [Call] = []
        var running: Call?
        var hungFunction: String?
        var hasThread = false
        var serial = 0
    }

    private let name: String
    private let onHung: @Sendable (_ function: String, _ limit: Duration) -> Void
    private let state = Mutex(State())

    /// A queue whose thread is named `name`; `onHung` is told once, on a thread of the watchdog.
    init(name: String, onHung: @escaping @Sendable (_ function: String, _ limit: Duration) -> Void) {
        self.name = name
        self.onHung = onHung
    }

    /// Runs `body` after everything that was called before, and answers what it returns.
    func call<T: Sendable>(
        _ function: String, limit: Duration, _ body: @escaping @Sendable () -> T
    ) async -> Result<T, PluginCallError> {
        await withCheckedContinuation { (continuation: CheckedContinuation<Result<T, PluginCallError>, Never>) in
            let answer = OnceContinuation(continuation)
            enqueue(
                Call(
                    function: function, limit: limit, run: { answer.resume(.success(body())) },
                    abandon: { answer.resume(.failure($0)) }))
        }
    }

    /// Runs `body` after everything that was called before; nobody waits for it. `abandoned` is called instead when the
    /// call is not accepted, or hangs.
    func post(
        _ function: String, limit: Duration, abandoned: @escaping @Sendable (PluginCallError) -> Void = { _ in },
        _ body: @escaping @Sendable () -> Void
    ) {
        enqueue(Call(function: function, limit: limit, run: body, abandon: abandoned))
    }

    private func enqueue(_ call: Call) {
        var startsThread = false
        let refusal: PluginCallError? = state.withLock { state in
            if let function = state.hungFunction { return .hung(function: function) }
            guard state.waiting.count < Self.waitingLimit else { return .overloaded }
            state.waiting.append(call)
            startsThread = !state.hasThread
            state.hasThread = true
            return nil
        }
        if let refusal {
            call.abandon(refusal)
            return
        }
        if startsThread { HostThread.start(name) { self.drain() } }
    }

    /// Runs what waits, and ends when nothing does: an idle plugin costs no thread.
    private func drain() {
        while let (call, serial) = next() {
            let watchdog = Deadline.after(call.limit) { self.declareHung(serial) }
            call.run()
            watchdog.cancel()
            let isAbandoned = state.withLock { state in
                state.running = nil
                return state.hungFunction != nil
            }
            if isAbandoned { return }
        }
    }

    private func next() -> (Call, Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.hungFunction == nil else {
                state.hasThread = false
                return nil
            }
            let call = state.waiting.removeFirst()
            state.running = call
            state.serial += 1
            return (call, state.serial)
        }
    }

    private func declareHung(_ serial: Int) {
        let (hung, abandoned): (Call?, [Call]) = state.withLock { state in
            guard state.serial == serial, let running = state.running, state.hungFunction == nil else {
                return (nil, [])
            }
            state.hungFunction = running.function
            defer { state.waiting = [] }
            return (running, [running] + state.waiting)
        }
        guard let hung else { return }
        for call in abandoned { call.abandon(.hung(function: hung.function)) }
        onHung(hung.function, hung.limit)
    }
}

/// A continuation that several parties may try to resume: the first one counts.
final class OnceContinuation<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    /// Resumes with `value`; false when it was resumed before.
    @discardableResult
    func resume(_ value: Value) -> Bool {
        let first = continuation.withLock { slot in
            defer { slot = nil }
            return slot
        }
        first?.resume(returning: value)
        return first != nil
    }
}
