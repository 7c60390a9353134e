import Foundation
import Glibc
import Synchronization

/// A wire over a connected stream socket.
package final class SocketWire: LinkWire {
    private struct Output {
        var outbox = LinkOutbox()
        var current: EncodedLinkMessage?
        /// Bytes of it that the kernel has.
        var written = 0
        /// Why nothing can be sent any more.
        var end: Refusal?
        var isFinishing = false
        var isInterrupted = false
    }

    /// What the owning thread alone touches.
    private struct Input {
        var decoder = LinkMessageDecoder()
        var messages = MessageQueue<LinkMessage>()
        var buffer = [UInt8](repeating: 0, count: SocketWire.readSize)
        var end: Refusal?

        mutating func decode(_ count: Int) {
            var decoded: [LinkMessage] = []
            end = buffer.withUnsafeBytes { bytes in
                do throws(LinkCodecError) {
                    try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &decoded)
                    return nil
                } catch {
                    return error.refusal
                }
            }
            messages.append(contentsOf: decoded)
        }
    }

    /// Bytes of one read: the kernel's own buffer of a Unix socket.
    private static let readSize = 256 << 10

    private let descriptor: Int32
    private let waker: WakeSocket
    private let output = Mutex(Output())
    private let input = Mutex(Input())

    /// Takes the descriptor over, closes it at the end, and makes it non-blocking; nil when the process has no
    /// descriptor left.
    package init?(descriptor: Int32) {
        guard let waker = WakeSocket() else {
            Glibc.close(descriptor)
            return nil
        }
        self.waker = waker
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
    }

    deinit { Glibc.close(descriptor) }

    package var droppedMedia: Int { output.withLock { $0.outbox.dropped } }

    @discardableResult
    package func send(_ message: LinkMessage) -> LinkSendOutcome {
        let (outcome, needsWake) = output.withLock { output -> (LinkSendOutcome, Bool) in
            guard output.end == nil, !output.isFinishing else { return (.ended, false) }
            let outcome = output.outbox.add(message)
            if outcome == .ended { output.end = Self.slowPeer } else { write(&output) }
            return (outcome, output.end != nil || output.current != nil)
        }
        if needsWake { waker.wake() }
        return outcome
    }

    package func grant(frames: Int) {
        let needsWake = output.withLock { output in
            output.outbox.grant(frames: frames)
            write(&output)
            return output.current != nil
        }
        if needsWake { waker.wake() }
    }

    package func interrupt() {
        output.withLock { $0.isInterrupted = true }
        waker.wake()
    }

    package func abandon(_ refusal: Refusal) {
        output.withLock { output in
            output.outbox = LinkOutbox()
            if output.end == nil { output.end = refusal }
        }
        waker.wake()
    }

    package func receive(until deadline: ContinuousClock.Instant?) -> LinkArrival {
        var isLastLook = false
        while true {
            if let waiting = input.withLock({ $0.messages.popFirst() }) { return .message(waiting) }
            if let end = input.withLock({ $0.end }) ?? output.withLock({ $0.end }) { return .ended(end) }
            let (wasInterrupted, wantsWrite) = output.withLock { output in
                defer { output.isInterrupted = false }
                return (output.isInterrupted, output.current != nil)
            }
            if wasInterrupted { return .interrupted }
            if isLastLook { return .timedOut }
            let left = deadline.map { max(ContinuousClock.now.duration(to: $0), .zero) }
            // What the kernel has already is not late, even when nobody looked in time.
            isLastLook = left == .zero
            wait(forWriting: wantsWrite, at: left)
        }
    }

    package func finish(within bound: Duration) {
        let deadline = ContinuousClock.now.advanced(by: bound)
        output.withLock { $0.isFinishing = true }
        while output.withLock({ $0.end == nil && ($0.current != nil || $0.outbox.hasNext) }) {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { break }
            wait(forWriting: true, at: left)
        }
        // A socket closed with unread bytes resets the connection, and the peer would lose our last words.
        shutdown(descriptor, Int32(SHUT_WR))
        while input.withLock({ $0.end == nil }), output.withLock({ $0.end == nil }) {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { break }
            wait(forWriting: false, at: left)
            input.withLock { $0.messages.removeAll() }
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
        output.withLock { if $0.end == nil { $0.end = Self.closed } }
    }

    private func wait(forWriting: Bool, at left: Duration?) {
        var polled = [
            pollfd(fd: descriptor, events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0),
            pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, left.map(Self.milliseconds) ?? -1) > 0 else { return }
        if polled[1].revents != 0 { waker.drain() }
        if polled[0].revents & Int16(POLLOUT) != 0 { output.withLock { write(&$0) } }
        if polled[0].revents & ~Int16(POLLOUT) != 0 { read() }
    }

    /// Rounded up, so that a wait does not end just before its deadline.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private func read() {
        input.withLock { input in
            let count = recv(descriptor, &input.buffer, input.buffer.count, 0)
            let error = errno
            if count > 0 {
                input.decode(count)
            } else if count == 0 {
                input.end = input.decoder.isInsideMessage ? Self.cut : Self.closed
            } else if error != EAGAIN && error != EINTR {
                input.end = Self.cut
            }
        }
    }

    /// Hands the kernel what it takes.
    private func write(_ output: inout Output) {
        while output.end == nil {
            if output.current == nil { output.current = output.outbox.next() }
            guard let message = output.current else { return }
            let count = Self.send(message, from: output.written, to: descriptor)
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { output.end = Self.cut }
                return
            }
            output.written += count
            if output.written == message.count { (output.current, output.written) = (nil, 0) }
        }
    }

    private static func send(_ message: EncodedLinkMessage, from offset: Int, to descriptor: Int32) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        if offset < message.head.count {
            let isAll = message.payload.isEmpty
            return message.head.withUnsafeBytes { head in
                let rest = UnsafeRawBufferPointer(rebasing: head[offset...])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, flags | (isAll ? 0 : Int32(MSG_MORE)))
            }
        }
        return message.payload.withUnsafeBytes { payload in
            let rest = UnsafeRawBufferPointer(rebasing: payload[(offset - message.head.count)...])
            return Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
        }
    }

    private static let cut = Refusal(
        .transport, "The connection of the link was cut. It is opened again when it can be.", isRetryable: true)
    private static let closed = Refusal(
        .transport, "The other end of the link closed it. Start it again.", isRetryable: true)
    private static let slowPeer = Refusal(
        .transport, "The other end of the link does not read what it is sent. Look whether it hangs.", isRetryable: true
    )
}
