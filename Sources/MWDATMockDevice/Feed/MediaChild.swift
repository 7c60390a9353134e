import CShims
import Foundation
import Glibc
import GlassesDomain
import MWDATCore

/// A program that writes pictures to a pipe, and may read some; owned by one thread, which ends it.
///
/// Every wait is bounded. It inherits nothing but its pipes, and it ends with them when this process ends.
final class MediaChild {
    /// For one picture, also the first: opening a large file on a loaded machine takes seconds.
    static let patience = Duration.seconds(8)
    /// What is kept of its complaints.
    private static let complaintLimit = 400
    /// What is read at once.
    private static let portion = 64 << 10

    private let process: pid_t
    private let output: Int32
    private let complaints: Int32
    /// A socket rather than a pipe, so that writing to a dead child raises no SIGPIPE; -1 without input.
    private let input: Int32
    private var complaint = ""
    private var rest = Data()
    private var hasEnded = false

    /// Starts the program.
    init(_ program: String, _ arguments: [String], takesInput: Bool) throws(Refusal) {
        var ends = PipeEnds()
        guard ends.open(takesInput: takesInput) else {
            ends.closeAll()
            throw .decoderFailed("there are no descriptors left")
        }
        guard let process = Self.spawn(program, arguments, ends) else {
            ends.closeAll()
            throw .decoderFailed("it cannot be started")
        }
        ends.closeChildSide()
        self.process = process
        (input, output, complaints) = (ends.input, ends.output, ends.complaints)
    }

    deinit { end() }

    static func deadline() -> MonotonicTime { .now.advanced(by: patience) }

    /// Exactly `count` bytes.
    func read(_ count: Int) throws(Refusal) -> Data {
        let deadline = Self.deadline()
        while rest.count < count { rest.append(try readSome(until: deadline)) }
        let wanted = Data(rest.prefix(count))
        rest = Data(rest.dropFirst(count))
        return wanted
    }

    /// Whatever comes next, at least one byte.
    func readSome(until deadline: MonotonicTime) throws(Refusal) -> Data {
        while true {
            guard try wait(until: deadline, forWriting: false).isReadable else { continue }
            let piece = Self.readOnce(output, Self.portion)
            guard let piece else { continue }
            if piece.isEmpty { throw .decoderFailed(lastWords()) }
            return piece
        }
    }

    /// Writes `bytes`, taking in what comes meanwhile.
    func exchange(writing bytes: Data, _ received: (Data) -> Void) throws(Refusal) {
        let deadline = Self.deadline()
        var position = 0
        while position < bytes.count {
            let ready = try wait(until: deadline, forWriting: true)
            if ready.isReadable, let piece = Self.readOnce(output, Self.portion) {
                if piece.isEmpty { throw .decoderFailed(lastWords()) }
                received(piece)
            }
            guard ready.isWritable else { continue }
            let sent = bytes.withUnsafeBytes { buffer in
                send(
                    input, buffer.baseAddress.map { $0 + position }, buffer.count - position,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent > 0 { position += sent }
            if sent < 0, errno != EAGAIN, errno != EINTR { throw .decoderFailed(lastWords()) }
        }
    }

    /// Ends the program, if it has not ended, and forgets it. Does not wait for more than the kernel's work.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        for descriptor in [input, output, complaints] where descriptor >= 0 { close(descriptor) }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    // MARK: Waiting

    private func wait(
        until deadline: MonotonicTime, forWriting: Bool
    ) throws(Refusal) -> (isReadable: Bool, isWritable: Bool) {
        let left = MonotonicTime.now.duration(to: deadline).wholeMilliseconds
        guard left > 0 else { throw .decoderFailed("it was silent for \(Self.patience.components.seconds) s") }
        var watched = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: complaints, events: Int16(POLLIN), revents: 0),
            pollfd(fd: forWriting ? input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&watched, nfds_t(watched.count), Int32(min(left, 1_000))) > 0 else { return (false, false) }
        if watched[1].revents != 0 { listen() }
        return (watched[0].revents != 0, watched[2].revents != 0)
    }

    /// Takes in what it complains about, so that it never waits for us.
    private func listen() {
        guard let piece = Self.readOnce(complaints, 4 << 10), complaint.count < Self.complaintLimit else { return }
        complaint += String(decoding: piece, as: UTF8.self)
    }

    private func lastWords() -> String {
        listen()
        let line = complaint.split(separator: "\n").last.map(String.init) ?? "it ended without a word"
        return String(line.prefix(Self.complaintLimit))
    }

    /// Nil when nothing is there, empty at the end.
    private static func readOnce(_ descriptor: Int32, _ capacity: Int) -> Data? {
        var buffer = [UInt8](repeating: 0, count: capacity)
        let count = Glibc.read(descriptor, &buffer, capacity)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : Data() }
        return Data(buffer.prefix(count))
    }
}
