import Dispatch
import MWDATCore
import Synchronization

/// Gives the link the connections of admitted phones: those that come, and those that are dialled.
final class BridgeSource: LinkWireSource {
    private struct State {
        var isInterrupted = false
        var hasSaidThatNobodyIsHere = false
        var last: (any LinkWire)?
        /// A phone that was called and is greeting.
        var greeting: (any LinkWire)?
    }

    /// How long a wait lasts before the link looks whether it is to end.
    private static let round = DispatchTimeInterval.seconds(60)
    /// The pauses between two calls to a phone that does not answer.
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(5)

    private let reception: Reception
    /// Calls the phone; nil when the phone calls.
    private let dialler: (any BridgeDialler)?
    private let state = Mutex(State())

    init(reception: Reception, dialler: (any BridgeDialler)?) {
        self.reception = reception
        self.dialler = dialler
    }

    func pause(afterFailures failures: Int) -> Duration? {
        if state.withLock({ $0.isInterrupted }) { return nil }
        return dialler == nil ? .zero : min(Self.firstPause * (1 << min(failures, 10)), Self.longestPause)
    }

    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            return state.greeting
        }?.interrupt()
        dialler?.interrupt()
        reception.ring()
    }

    func next() -> LinkWireResult {
        let last = state.withLock { state in
            defer { state.last = nil }
            return state.last
        }
        if let last { reception.left(last) }
        if let dialler { return call(dialler) }
        // A link's first event tells whether anybody is there.
        if state.withLock({ $0.isInterrupted }) { return .interrupted }
        let isFirst = state.withLock { state in
            defer { state.hasSaidThatNobodyIsHere = true }
            return !state.hasSaidThatNobodyIsHere
        }
        if isFirst, let wire = reception.next(within: .seconds(0)) { return connected(wire) }
        if isFirst { return .failed(Self.nobody) }
        while !state.withLock({ $0.isInterrupted }) {
            if let wire = reception.next(within: Self.round) { return connected(wire) }
        }
        return .interrupted
    }

    private func call(_ dialler: any BridgeDialler) -> LinkWireResult {
        if state.withLock({ $0.isInterrupted }) { return .interrupted }
        switch dialler.dial() {
        case .connected(let wire, heartbeat: _):
            guard let phone = greet(wire) else {
                if state.withLock({ $0.isInterrupted }) { return .interrupted }
                reception.dialFailed(Self.unproved)
                return .failed(Self.unproved)
            }
            reception.handOver(wire, of: phone)
            guard let admitted = reception.next(within: .seconds(0)) else { return .failed(Self.nobody) }
            return connected(admitted)
        case .failed(let refusal):
            reception.dialFailed(refusal)
            return .failed(refusal)
        case .interrupted: return .interrupted
        }
    }

    private func greet(_ wire: any LinkWire) -> PairedPhone? {
        defer { state.withLock { $0.greeting = nil } }
        let isInterrupted = state.withLock { state in
            state.greeting = wire
            return state.isInterrupted
        }
        if isInterrupted { wire.interrupt() }
        return Handshake(wire: wire, reception: reception).run()
    }

    private func connected(_ wire: any LinkWire) -> LinkWireResult {
        state.withLock { $0.last = wire }
        return .connected(wire, heartbeat: reception.heartbeat)
    }

    private static let unproved = Refusal(
        .trust, "The phone was called but did not prove that it is paired. Pair it with a code.", isRetryable: true)
    private static let nobody = Refusal(
        .link, "No phone is connected to the bridge. Open the phone's app and connect it.", isRetryable: true)
}

/// Calls the phone. ``dial()`` is called by the link's thread alone, ``interrupt()`` by any.
protocol BridgeDialler: AnyObject, Sendable {
    func dial() -> LinkWireResult
    /// Makes the call under way, and every later one, end.
    func interrupt()
}
