import Dispatch
import Foundation
import Synchronization

/// Whether the program was asked to end: by SIGINT, by SIGTERM, or because nobody reads standard output any more.
///
/// It ends in order then: recordings are finished, the device is released. A second signal ends it at once.
final class EndSignals: Sendable {
    private struct Storage {
        var signals = 0
        var isAsked = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
    }

    private let storage = Mutex(Storage())
    // because: only init writes it, and afterwards it only keeps them alive.
    private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

    /// From now on the two signals do not end the process by themselves.
    init(console: Console) {
        sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let registered = DispatchSemaphore(value: 0)
            source.setEventHandler { @Sendable [weak self] in self?.arrived(number) }
            source.setRegistrationHandler { @Sendable in registered.signal() }
            source.resume()
            // Dispatch puts a handler of its own in place here. Until then a signal ends the process as the system does: one that was
            // ignored before somebody looks for it would be lost.
            _ = registered.wait(timeout: .now() + .seconds(2))
            return source
        }
        console.whenReaderLeaves { [weak self] in self?.ask() }
    }

    /// Whether the end was asked for.
    var isAsked: Bool { storage.withLock { $0.isAsked } }

    /// Returns when the end was asked for, before the call or after it, or when the task is cancelled.
    func wait() async {
        let id = storage.withLock { storage in
            storage.nextID += 1
            return storage.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = storage.withLock { storage in
                    guard !storage.isAsked, !Task.isCancelled else { return true }
                    storage.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            storage.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    /// The value of `operation`; nil when the end is asked for before. The operation is cancelled then and not waited for, since
    /// nothing can interrupt a read from a pipe.
    func unlessAsked<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async -> Value? {
        let asked: @Sendable () async -> Value? = {
            await self.wait()
            return nil
        }
        return await FirstOf.run([operation, asked]) ?? nil
    }

    private func arrived(_ number: Int32) {
        let count = storage.withLock { storage in
            storage.signals += 1
            return storage.signals
        }
        // Whoever asks twice does not want to wait for an orderly end; the code is the one that shells use for a signal.
        if count > 1 { _exit(128 + number) }
        ask()
    }

    private func ask() {
        let waiters = storage.withLock { storage in
            storage.isAsked = true
            let all = Array(storage.waiters.values)
            storage.waiters = [:]
            return all
        }
        for waiter in waiters { waiter.resume() }
    }
}
