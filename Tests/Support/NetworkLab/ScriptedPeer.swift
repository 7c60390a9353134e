import Foundation

/// One accepted connection in the hands of a script. Used on the connection's own thread, where its calls may wait: each for
/// at most ``limit``, and not beyond the server's end.
public final class ScriptedPeer {
    /// How long a call waits before it throws ``LabError/timeout``.
    public var limit = Duration.seconds(30)
    /// Which connection of the server this is, from 0.
    public let index: Int

    let socket: Int32
    private let transport: any ByteTransport
    private let isStopped: @Sendable () -> Bool
    private var received: [UInt8] = []

    init(socket: Int32, index: Int, transport: any ByteTransport, isStopped: @escaping @Sendable () -> Bool) {
        self.socket = socket
        self.index = index
        self.transport = transport
        self.isStopped = isStopped
    }

    /// Sends everything.
    public func send(_ bytes: [UInt8]) throws { try sendAll(bytes[...]) }

    /// Sends a text as UTF-8.
    public func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends in pieces of `size` bytes, each in a TCP segment of its own as far as the kernel lets it.
    public func send(_ bytes: [UInt8], inPiecesOf size: Int) throws {
        for start in stride(from: 0, to: bytes.count, by: size) {
            try sendAll(bytes[start..<min(start + size, bytes.count)])
        }
    }

    /// Waits for `count` bytes and takes them.
    public func receive(_ count: Int) throws -> [UInt8] {
        try waitUntil { received.count >= count }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    /// Waits for an HTTP head and takes it, its empty line included.
    public func receiveHead() throws -> String {
        let mark = Array("\r\n\r\n".utf8)
        var end = 0
        try waitUntil {
            guard received.count >= 4 else { return false }
            while end + 4 <= received.count {
                if received[end] == 13, Array(received[end..<end + 4]) == mark { return true }
                end += 1
            }
            return false
        }
        defer { received.removeFirst(end + 4) }
        return String(decoding: received[..<(end + 4)], as: UTF8.self)
    }

    /// What has come and was not taken; waits until there is something, nil at the end of the stream.
    public func receiveSome() throws -> [UInt8]? {
        do {
            try waitUntil { !received.isEmpty }
        } catch LabError.closed {
            return nil
        }
        defer { received.removeAll() }
        return received
    }

    /// Waits until the peer closes; what it still sends is thrown away.
    public func waitForEnd() throws {
        while try receiveSome() != nil {}
    }

    /// Does nothing until the peer closes or the server stops, and reads nothing.
    public func hang() {
        // POLLRDHUP, which Swift's Glibc module does not import: the peer has closed, whatever it had sent before.
        var probe = pollfd(fd: socket, events: 0x2000, revents: 0)
        while !isStopped(), poll(&probe, 1, 20) <= 0 {}
    }

    /// Drops the connection with a reset instead of a close.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the server was stopped.
    public var isOver: Bool { isStopped() }

    private func sendAll(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        let deadline = ContinuousClock.now + limit
        while !rest.isEmpty {
            try check(deadline)
            if let count = try rest.withUnsafeBytes({ try transport.write($0) }) { rest.removeFirst(count) }
        }
    }

    private func waitUntil(_ isEnough: () -> Bool) throws {
        let deadline = ContinuousClock.now + limit
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !isEnough() {
            try check(deadline)
            guard let count = try buffer.withUnsafeMutableBytes({ try transport.read(into: $0) }) else { continue }
            if count == 0 { throw LabError.closed }
            received += buffer[..<count]
        }
    }

    private func check(_ deadline: ContinuousClock.Instant) throws {
        if isStopped() { throw LabError.closed }
        if ContinuousClock.now > deadline { throw LabError.timeout }
    }
}
