import CShims
import Foundation

/// The host's side of one instance: keeps every callback in order, and answers audio as the case wants.
final class Recorder: @unchecked Sendable {
    // because every field is read and written under `condition`
    private let condition = NSCondition()
    private var callbacks: [PluginCallback] = []
    private var isHoldingCalls = false
    private var refusesAudio = false

    /// A case looks at a few hundred at most; a plugin that floods its host must not fill the memory.
    private static let limit = 200_000

    /// Everything so far.
    var all: [PluginCallback] {
        condition.lock()
        defer { condition.unlock() }
        return callbacks
    }

    /// How many there are.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return callbacks.count
    }

    /// Forgets everything so far.
    func clear() {
        condition.lock()
        callbacks.removeAll(keepingCapacity: true)
        condition.unlock()
    }

    /// The endings of one request.
    func endings(of id: UInt64) -> [(id: UInt64, result: Int32)] { all.compactMap(\.ending).filter { $0.id == id } }

    /// The plugin called. [any]
    func record(_ kind: PluginCallback.Kind) {
        let callback = PluginCallback(kind: kind, thread: cshims_thread_id(), time: Moment.now())
        condition.lock()
        if callbacks.count < Self.limit { callbacks.append(callback) }
        condition.broadcast()
        condition.unlock()
    }

    /// The plugin delivered audio or a judgement; false when it shall stop. Waits as long as the case holds such calls, except in a
    /// call that came from within one of the host's. [any]
    @discardableResult
    func recordHeld(_ kind: PluginCallback.Kind) -> Bool {
        record(kind)
        condition.lock()
        defer { condition.unlock() }
        while isHoldingCalls, !Thread.isMainThread { condition.wait() }
        return !refusesAudio
    }

    /// Makes every `on_audio` and `on_activity` wait in its call, or lets them go on.
    func holdCalls(_ isHolding: Bool) {
        condition.lock()
        isHoldingCalls = isHolding
        condition.broadcast()
        condition.unlock()
    }

    /// Makes every `on_audio` answer CANCELLED from now on.
    func refuseAudio() {
        condition.lock()
        refusesAudio = true
        condition.unlock()
    }

    /// Waits until the callbacks so far satisfy `isEnough`, at most `limit`; false when they did not.
    func wait(_ limit: Duration, until isEnough: ([PluginCallback]) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: Double(limit.inMilliseconds) / 1_000)
        condition.lock()
        defer { condition.unlock() }
        while !isEnough(callbacks) {
            if !condition.wait(until: end) { return isEnough(callbacks) }
        }
        return true
    }
}
