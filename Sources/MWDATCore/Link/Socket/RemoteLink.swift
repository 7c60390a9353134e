import Dispatch
import Synchronization

/// The toolkit's end of a link whose other end is in another process or machine.
///
/// One thread of its own connects, delivers what comes, and connects again as its source says. When the other end is
/// gone, ``LinkEvent/unavailable(_:)`` is delivered, and every session and request has ended with it.
package final class RemoteLink: WearablesLink {
    private struct State {
        var wire: (any LinkWire)?
        var isClosing = false
        var thread: LinkThread?
        /// Answers to commands that could not be sent.
        var answers: [LinkEvent] = []
    }

    /// Pictures under way at once: they hide a round trip of 0.1 s at thirty a second, and more of them only add delay.
    package static let picturesUnderWay = 4
    /// How long an end of our own may take to reach the other end.
    private static let farewell = Duration.milliseconds(500)

    private let source: any LinkWireSource
    private let state = Mutex(State())
    private let pauseSignal = LinkPause()

    /// A link that gets its connections from `source`.
    package init(source: any LinkWireSource) { self.source = source }

    package func open(_ deliver: @escaping @Sendable (LinkEvent) -> Void) {
        state.withLock { state in
            guard state.thread == nil else { return }
            state.thread = LinkThread(name: "dat-link") { [self] in run(deliver) }
        }
    }

    package func send(_ command: LinkCommand) {
        guard let wire = state.withLock({ $0.wire }) else { return }
        guard wire.send(.command(command)) == .tooLarge else { return }
        let refusal = Refusal(
            .media, "What was to be sent is larger than 16 MB. Send less at once.", isRetryable: false)
        guard let answer = command.answer(refusing: refusal) else { return }
        state.withLock { $0.answers.append(answer) }
        wire.interrupt()
    }

    package func close() {
        let (thread, wire) = state.withLock { state in
            state.isClosing = true
            return (state.thread, state.wire)
        }
        guard let thread else { return }
        source.interrupt()
        wire?.interrupt()
        pauseSignal.end()
        thread.wait(within: .seconds(5))
    }

    private var isClosing: Bool { state.withLock { $0.isClosing } }

    private func run(_ deliver: @Sendable (LinkEvent) -> Void) {
        var failures = 0
        // Who was told that there is nobody is not told again why there still is nobody.
        var isToldSo = false
        while !isClosing {
            switch source.next() {
            case .connected(let wire, let heartbeat):
                failures = 0
                let end = converse(over: wire, heartbeat: heartbeat, deliver)
                if let end { deliver(.unavailable(end)) }
                isToldSo = true
                wire.finish(within: Self.farewell)
            case .failed(let refusal):
                if !isToldSo, !isClosing { deliver(.unavailable(refusal)) }
                isToldSo = true
                failures += 1
            case .interrupted: break
            }
            guard let pause = source.pause(afterFailures: failures) else { return }
            pauseSignal.wait(for: pause)
        }
    }

    /// Carries messages until the end; nil when it was ours.
    private func converse(
        over wire: any LinkWire, heartbeat: Duration?, _ deliver: @Sendable (LinkEvent) -> Void
    ) -> Refusal? {
        wire.send(.control(.credit(frames: Self.picturesUnderWay)))
        state.withLock { $0.wire = wire }
        defer { state.withLock { ($0.wire, $0.answers) = (nil, []) } }
        var pulse = LinkPulse(interval: heartbeat, at: .now)
        while true {
            guard !isClosing else {
                wire.send(.control(.bye(nil)))
                return nil
            }
            switch wire.receive(until: pulse.deadline) {
            case .message(let message):
                pulse.heard(at: .now)
                if let end = handle(message, from: wire, deliver) { return end }
            case .timedOut:
                switch pulse.due(at: .now) {
                case .nothing: break
                case .ask: wire.send(.control(.ping))
                case .gone: return Self.silent
                }
            case .interrupted:
                for answer in state.withLock({ state in
                    defer { state.answers = [] }
                    return state.answers
                }) {
                    deliver(answer)
                }
            case .ended(let refusal): return refusal
            }
        }
    }

    /// Takes a message; returns why the link ends with it.
    private func handle(
        _ message: LinkMessage, from wire: any LinkWire, _ deliver: @Sendable (LinkEvent) -> Void
    ) -> Refusal? {
        switch message {
        case .event(let event):
            deliver(event)
            if case .frame = event { wire.send(.control(.credit(frames: 1))) }
            return nil
        case .unknown(kind: "frame"):
            // A picture of a coding that this version does not know has used its credit all the same.
            wire.send(.control(.credit(frames: 1)))
            return nil
        case .control(.ping):
            wire.send(.control(.pong))
            return nil
        case .control(.bye(let refusal)): return refusal ?? Self.farewellHeard
        // A command has no place here, and what this version does not know is left out.
        case .control, .command, .unknown: return nil
        }
    }

    private static let silent = Refusal(
        .timeout, "The other end of the link gave no sign of life. Look whether it runs and is reachable.",
        isRetryable: true)
    private static let farewellHeard = Refusal(
        .transport, "The other end of the link has ended. Start it again.", isRetryable: true)
}

/// A pause that can be cut short, once and for all.
private final class LinkPause: Sendable {
    private let ended = DispatchSemaphore(value: 0)

    func wait(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(clamping: min(seconds, 3_600)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        if ended.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { ended.signal() }
    }

    func end() { ended.signal() }
}
