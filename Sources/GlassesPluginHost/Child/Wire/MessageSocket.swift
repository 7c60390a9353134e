import CShims
import Glibc
import Synchronization

/// One end of the socket between host and child: sends never wait, receives never believe.
///
/// Any thread sends; one thread receives and calls ``sendWaiting()`` when the socket can be written again.
final class MessageSocket: Sendable {
    /// What became of a message.
    enum Sending: Sendable, Hashable {
        /// It was sent, or waits for the other side to read.
        case accepted
        /// It waits behind more bytes than it may.
        case full
        /// The connection is over.
        case closed
    }

    /// What there is to receive.
    enum Receipt: Sendable {
        case message([UInt8], descriptors: [Int32])
        case nothing
        case closed
        case wrong(WireError)
    }

    let descriptor: Int32
    /// Signalled when something waits to be sent.
    let waitingDescriptor: Int32
    private let state = Mutex(State())

    private struct Waiting {
        var bytes: [UInt8]
        var descriptors: [Int32]
        /// Long messages weigh what they occupy, not what their datagram does.
        var weight: Int
    }

    private struct State {
        var waiting: [Waiting] = []
        var waitingBytes = 0
        var isClosed = false
    }

    /// Takes over a connected, non-blocking socket; nil when descriptors are used up.
    init?(_ descriptor: Int32) {
        let waiting = cshims_eventfd()
        guard waiting >= 0 else { return nil }
        self.descriptor = descriptor
        waitingDescriptor = waiting
    }

    deinit {
        close()
        Glibc.close(descriptor)
        Glibc.close(waitingDescriptor)
    }

    /// Bytes that wait to be sent.
    var waitingBytes: Int { state.withLock { $0.waitingBytes } }

    /// Sends a message after those before it, unless more than `limit` bytes wait already. The descriptors stay the caller's.
    func send(_ message: [UInt8], descriptors: [Int32] = [], limit: Int) -> Sending {
        let datagram: MessageFrame.Datagram
        do { datagram = try MessageFrame.pack(message) } catch { return .full }
        defer { if let memory = datagram.memory { Glibc.close(memory) } }
        let all = descriptors + (datagram.memory.map { [$0] } ?? [])
        let (result, hasToWait): (Sending, Bool) = state.withLock { state in
            guard !state.isClosed else { return (.closed, false) }
            if state.waiting.isEmpty {
                switch sendNow(datagram.bytes, all) {
                case 0: return (.accepted, false)
                case EAGAIN, ENOBUFS: break
                default: return (.closed, false)
                }
            }
            guard state.waitingBytes + message.count <= limit, let copies = Self.duplicate(all) else {
                return (.full, false)
            }
            state.waiting.append(Waiting(bytes: datagram.bytes, descriptors: copies, weight: message.count))
            state.waitingBytes += message.count
            return (.accepted, true)
        }
        if hasToWait { cshims_eventfd_signal(waitingDescriptor) }
        return result
    }

    /// Sends what waits, as far as the socket takes it; true when something still waits.
    func sendWaiting() -> Bool {
        state.withLock { state in
            var sent = 0
            defer {
                state.waitingBytes -= state.waiting.prefix(sent).reduce(0) { $0 + $1.weight }
                state.waiting.removeFirst(sent)
            }
            for next in state.waiting {
                let failure = sendNow(next.bytes, next.descriptors)
                if failure == EAGAIN || failure == ENOBUFS { return true }
                for copy in next.descriptors { Glibc.close(copy) }
                sent += 1
            }
            return false
        }
    }

    /// The next message. The descriptors become the caller's.
    func receive() -> Receipt {
        var descriptors = [Int32](repeating: -1, count: Int(CSHIMS_DESCRIPTORS_MAX))
        var count = 0
        var size = 0
        let datagram = [UInt8](unsafeUninitializedCapacity: MessageFrame.datagramLimit) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            size = cshims_receive_message(descriptor, start, buffer.count, &descriptors, &count)
            filled = max(size, 0)
        }
        if size < 0 {
            switch errno {
            case EAGAIN: return .nothing
            case EMSGSIZE: return .wrong(.tooLong(MessageFrame.datagramLimit))
            default: return .closed
            }
        }
        guard size > 0 else { return .closed }
        var received = Array(descriptors.prefix(count))
        do {
            let message = try MessageFrame.unpack(datagram, &received)
            return .message(message, descriptors: received)
        } catch {
            for descriptor in received { Glibc.close(descriptor) }
            return .wrong(error)
        }
    }

    /// Sends nothing more; the descriptor itself lives as long as this object.
    func close() {
        let copies = state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = true
            state.waitingBytes = 0
            return state.waiting.flatMap(\.descriptors)
        }
        for copy in copies { Glibc.close(copy) }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// 0, or the error number.
    private func sendNow(_ bytes: [UInt8], _ descriptors: [Int32]) -> Int32 {
        let sent = cshims_send_message(descriptor, bytes, bytes.count, descriptors, descriptors.count)
        return sent < 0 ? errno : 0
    }

    private static func duplicate(_ descriptors: [Int32]) -> [Int32]? {
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        guard copies.allSatisfy({ $0 >= 0 }) else {
            for copy in copies where copy >= 0 { Glibc.close(copy) }
            return nil
        }
        return copies
    }
}
