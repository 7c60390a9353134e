import MWDATCore
import Synchronization

/// Tells pictures to listeners that are independent of each other.
final class FrameAnnouncer: Announcer {
    private struct State {
        var mailboxes: [FrameMailbox] = []
        /// States that have to be told before pictures.
        var holds = 0
        var dropped = 0
    }

    private let isCoded: Bool
    private let rule: TokenRule
    private let state = Mutex(State())

    init(isCoded: Bool, rule: TokenRule) {
        self.isCoded = isCoded
        self.rule = rule
    }

    func listen(_ listener: @escaping @Sendable (VideoFrame) -> Void) -> any AnyListenerToken {
        let mailbox = FrameMailbox(isCoded: isCoded, rule: rule)
        let token = mailbox.listen(listener)
        state.withLock { state in
            forgetUnwanted(&state)
            if state.holds > 0 { mailbox.hold() }
            state.mailboxes.append(mailbox)
        }
        return token
    }

    /// The pictures from now on, for one reader; keeps the newest four that are not read, or 256 coded ones.
    var stream: AsyncStream<VideoFrame> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: VideoFrame.self, bufferingPolicy: .bufferingNewest(isCoded ? 256 : 4))
        let token = listen { continuation.yield($0) }
        continuation.onTermination = { _ in (token as? any ReleasableToken)?.cancelAtOnce() }
        return stream
    }

    private func forgetUnwanted(_ state: inout State) {
        for mailbox in state.mailboxes where !mailbox.isWanted { mailbox.retire() }
        state.mailboxes.removeAll { !$0.isWanted }
    }

    /// How many pictures slow listeners have missed.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Puts a picture in every mailbox; true when a slow listener needs one that can be decoded alone. Any thread, also under a lock.
    func announce(_ frame: VideoFrame) -> Bool {
        state.withLock { state in
            forgetUnwanted(&state)
            var needsKeyFrame = false
            for mailbox in state.mailboxes {
                let outcome = mailbox.offer(frame)
                state.dropped += outcome.dropped
                needsKeyFrame = needsKeyFrame || outcome.needsKeyFrame
            }
            return needsKeyFrame
        }
    }

    /// Keeps pictures back until as many calls of ``release()``, so that a state is told before them.
    func hold() {
        state.withLock { state in
            state.holds += 1
            for mailbox in state.mailboxes { mailbox.hold() }
        }
    }

    func release() {
        state.withLock { state in
            state.holds -= 1
            guard state.holds == 0 else { return }
            for mailbox in state.mailboxes { mailbox.release() }
        }
    }

    /// Forgets the pictures that nobody has taken yet: the stream does not stream any more.
    func clear() { state.withLock { state in for mailbox in state.mailboxes { mailbox.clear() } } }
}
