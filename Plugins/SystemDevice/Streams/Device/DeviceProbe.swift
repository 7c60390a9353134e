import GlassesPluginKit
import Synchronization

/// Finds out whether a device can be opened, without waiting longer than it may.
package enum DeviceProbe {
    /// How long a connect waits for its devices; the host waits 10 s.
    static let limit: Int64 = 3_000 * millisecond
    /// Probes that are stuck in a device call; with that many the next one is refused at once, so that a sound server that
    /// hangs for a day costs four threads.
    private static let strandedLimit = 4
    private static let openCount = Atomic(0)

    private final class Outcome: Sendable {
        let signal = EventSignal()
        private let result = Mutex<Result<Void, StreamFailure>?>(nil)

        func set(_ value: Result<Void, StreamFailure>) {
            result.withLock { $0 = value }
            signal.signal()
        }

        var value: Result<Void, StreamFailure>? { result.withLock { $0 } }
    }

    /// Opens and closes the devices of `ports` side by side, on threads of their own, and calls `ending` within 3 s with the
    /// first failure in the order of `ports`, or nil.
    package static func run(
        _ ports: [(StreamPort, StreamTiming)], ending: @escaping @Sendable (PluginFailure?) -> Void
    ) {
        let started = DetachedThread.spawn(named: "device probe") {
            let outcomes = ports.map { port, timing in (port, probe(port, timing)) }
            let deadline = monotonicNow() + limit
            ending(
                outcomes.lazy.compactMap { port, outcome in awaited(outcome, until: deadline).map(port.failure) }.first)
        }
        if !started { ending(.noThread) }
    }

    private static func probe(_ port: StreamPort, _ timing: StreamTiming) -> Outcome {
        let outcome = Outcome()
        guard openCount.add(1, ordering: .relaxed).newValue <= strandedLimit else {
            openCount.subtract(1, ordering: .relaxed)
            outcome.set(.failure(StreamFailure(.hung)))
            return outcome
        }
        let started = DetachedThread.spawn(named: "device probe") {
            outcome.set(open(port, timing))
            openCount.subtract(1, ordering: .relaxed)
        }
        if !started {
            openCount.subtract(1, ordering: .relaxed)
            outcome.set(.failure(StreamFailure(.failed)))
        }
        return outcome
    }

    private static func open(_ port: StreamPort, _ timing: StreamTiming) -> Result<Void, StreamFailure> {
        do throws(StreamFailure) {
            try ALSADevice.open(port.device, port.direction, timing: timing).close()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private static func awaited(_ outcome: Outcome, until deadline: Int64) -> StreamFailure? {
        while outcome.value == nil {
            let left = deadline - monotonicNow()
            guard left > 0 else { return StreamFailure(.timedOut) }
            outcome.signal.wait(nanoseconds: left)
        }
        guard case .failure(let failure) = outcome.value else { return nil }
        return failure
    }
}
