import Dispatch
import MWDATCore
import Synchronization

/// Brings events to one user of the simulated world: in order, one after the other, on a queue of its own.
final class LinkMailbox: Sendable {
    /// Pictures that may wait for a user who is slow; the oldest gives way.
    static let frameLimit = 4
    /// Other events that may wait. A user who leaves more than this lying does not read at all, and is told that the link is gone.
    static let eventLimit = 10_000

    fileprivate struct State {
        var events: [LinkEvent] = []
        var frames = 0
        var droppedFrames = 0
        var gate = KeyFrameGate()
        var isDelivering = false
        var isClosed = false
    }

    private let state = Mutex(State())
    // Not of the default class: its threads are those of Swift's shared pool, which an app may have blocked.
    private let queue = DispatchQueue(label: "org.extentos.mock-link", qos: .userInitiated)
    private let deliver: @Sendable (LinkEvent) -> Void

    init(_ deliver: @escaping @Sendable (LinkEvent) -> Void) { self.deliver = deliver }

    /// Pictures that its user was too slow for.
    var droppedFrames: Int { state.withLock { $0.droppedFrames } }

    /// Adds an event; returns at once.
    func post(_ event: LinkEvent) {
        let mustStart = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            state.add(event)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if mustStart { queue.async { [self] in drain() } }
    }

    /// Ends; nothing is delivered after it returned.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.events = []
        }
        queue.sync {}
    }

    /// Returns when what was posted before has been delivered. Not to be called from within `deliver`.
    func flush() { queue.sync {} }

    /// Returns when what was posted before has been delivered.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func drain() {
        while let event = state.withLock({ $0.take() }) { deliver(event) }
    }
}

extension LinkMailbox.State {
    fileprivate mutating func add(_ event: LinkEvent) {
        if let frame = event.frame {
            guard gate.lets(frame) else {
                droppedFrames += 1
                return
            }
            frames += 1
            if frames > LinkMailbox.frameLimit { dropOldest() }
        } else if events.count >= LinkMailbox.eventLimit {
            events = [.unavailable(.notRead)]
            frames = 0
            return
        }
        events.append(event)
    }

    private mutating func dropOldest() {
        guard let oldest = events.firstIndex(where: { $0.frame != nil }) else { return }
        if let frame = events.remove(at: oldest).frame { gate.close(after: frame) }
        droppedFrames += 1
        frames -= 1
    }

    fileprivate mutating func take() -> LinkEvent? {
        guard !isClosed, !events.isEmpty else {
            isDelivering = false
            return nil
        }
        let event = events.removeFirst()
        if event.frame != nil { frames -= 1 }
        return event
    }
}

extension LinkEvent {
    fileprivate var frame: LinkFrame? { if case .frame(_, _, let frame) = self { frame } else { nil } }
}

extension Refusal {
    fileprivate static let notRead = Refusal(
        .transport, "The link's events were not read. Start the app again.", isRetryable: false)
}
