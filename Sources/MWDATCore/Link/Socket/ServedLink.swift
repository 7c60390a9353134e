import Dispatch
import Synchronization

/// One connection of a server: greets, then carries commands to a link of this process and its events back.
final class ServedLink: Sendable {
    private struct State {
        var isStopping = false
        /// Streams whose pictures were dropped so that the next one has to stand alone.
        var wantsKeyFrame: Set<LinkOutbox.Stream> = []
        /// Something that must arrive was too large to send.
        var isBroken = false
        var thread: LinkThread?
    }

    /// How long a client may take for its greeting.
    private static let patience = Duration.seconds(5)
    private static let farewell = Duration.milliseconds(500)

    private let wire: any LinkWire
    private let state = Mutex(State())

    /// Starts on a thread of its own; without `makeLink` the client is turned away. `ended` is called once, on that
    /// thread.
    init(
        wire: any LinkWire, makeLink: (@Sendable () -> any WearablesLink)?,
        ended: @escaping @Sendable (_ wasServed: Bool, _ dropped: Int) -> Void
    ) {
        self.wire = wire
        let thread = LinkThread(name: "dat-mock-client") { [self] in
            let wasServed = serve(makeLink)
            wire.finish(within: Self.farewell)
            ended(wasServed, wire.droppedMedia)
        }
        state.withLock { $0.thread = thread }
    }

    var droppedMedia: Int { wire.droppedMedia }

    func stop() {
        state.withLock { $0.isStopping = true }
        wire.interrupt()
    }

    func wait(within bound: DispatchTimeInterval) {
        state.withLock { $0.thread }?.wait(within: bound)
    }

    private func serve(_ makeLink: (@Sendable () -> any WearablesLink)?) -> Bool {
        guard let makeLink else {
            wire.send(.control(.refused(LinkRefused(.occupied, Self.crowded, retryAfter: 1_000))))
            return false
        }
        guard greet() else { return false }
        let link = makeLink()
        link.open { [self] event in forward(event) }
        carry(to: link)
        link.close()
        return true
    }

    private func greet() -> Bool {
        guard case .message(.control(.hello(let hello))) = wire.receive(until: .now.advanced(by: Self.patience)) else {
            wire.send(
                .control(
                    .refused(LinkRefused(.order, "A greeting was expected. Use the same version in both programs."))))
            return false
        }
        guard hello.versions.contains(LinkLimits.version) else {
            wire.send(.control(.refused(LinkRefused(.version, Self.otherVersion))))
            return false
        }
        wire.send(.control(.welcome(LinkWelcome(version: LinkLimits.version, name: "mock link", heartbeat: 0))))
        return true
    }

    private func carry(to link: any WearablesLink) {
        while true {
            switch wire.receive(until: nil) {
            case .message(.command(let command)): link.send(command)
            case .message(.control(.credit(let frames))): wire.grant(frames: frames)
            case .message(.control(.ping)): wire.send(.control(.pong))
            case .message(.control(.bye)), .ended: return
            // Events have no place here, and what this version does not know is left out.
            case .message(.control), .message(.event), .message(.unknown), .timedOut: break
            case .interrupted: if !attend(to: link) { return }
            }
        }
    }

    /// Does what another thread asked for; false at the end.
    private func attend(to link: any WearablesLink) -> Bool {
        let (isOver, streams) = state.withLock { state in
            defer { state.wantsKeyFrame = [] }
            return (state.isStopping || state.isBroken, state.wantsKeyFrame)
        }
        guard !isOver else {
            wire.send(.control(.bye(Refusal(.transport, Self.stopped, isRetryable: true))))
            return false
        }
        for stream in streams { link.send(.requestKeyFrame(stream.session, stream.stream)) }
        return true
    }

    /// On the served link's own thread.
    private func forward(_ event: LinkEvent) {
        switch wire.send(.event(event)) {
        case .accepted, .ended: break
        case .dropped(let streams):
            guard !streams.isEmpty else { return }
            state.withLock { $0.wantsKeyFrame.formUnion(streams) }
            wire.interrupt()
        case .tooLarge: forwardTooLarge(event)
        }
    }

    private func forwardTooLarge(_ event: LinkEvent) {
        switch event {
        case .frame, .audio: break
        case .photo(let session, let request, _):
            let refusal = Refusal(
                .media, "The photo is larger than 16 MB and cannot be carried. Set a smaller picture.",
                isRetryable: false)
            wire.send(.event(.photoFailed(session, request, refusal)))
        default:
            state.withLock { $0.isBroken = true }
            wire.interrupt()
        }
    }

    private static let crowded = "Too many programs use this mock link already. End one of them."
    private static let otherVersion = "This mock link speaks version 1 alone. Use the same version in both programs."
    private static let stopped = "The app has disabled its mock device kit. Enable it again."
}
