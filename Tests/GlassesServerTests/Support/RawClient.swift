import Foundation
import GlassesWebSocket
import Glibc

/// A TCP client that writes and reads bytes as a test says, on the test's own thread. Every wait ends after 20 s.
///
/// because a test sends on one thread at a time and reads on one, and the two share nothing but the socket.
final class RawClient: @unchecked Sendable {
    private(set) var descriptor: Int32
    private var unread: [UInt8] = []

    /// Called once with the close.
    private let onClose: @Sendable () -> Void

    /// Uses a connected socket, and closes it.
    init(descriptor: Int32, onClose: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.onClose = onClose
    }

    /// Connects to a port of 127.0.0.1, or of ::1.
    init(port: UInt16, isIPv6: Bool = false, receiveBuffer: Int32? = nil) throws {
        onClose = {}
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ClientFailure("no socket: \(errno)") }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        guard isIPv6 ? connect6(port) : connect4(port) else {
            let error = errno
            Glibc.close(descriptor)
            descriptor = -1
            throw ClientFailure("not connected: \(error)")
        }
    }

    private func connect4(_ port: UInt16) -> Bool {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func connect6(_ port: UInt16) -> Bool {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        name.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    deinit { close() }

    /// Closes the socket in the usual way.
    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
        onClose()
    }

    /// Closes it with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close()
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ClientFailure("sending failed after \(offset) bytes: \(errno)") }
            offset += count
        }
    }

    /// The next bytes, at most `most`; empty at the end of the connection, by a reset too.
    func read(atMost most: Int = 65_536) throws -> [UInt8] {
        if !unread.isEmpty {
            defer { unread.removeFirst(min(most, unread.count)) }
            return Array(unread.prefix(most))
        }
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, most, 0)
        if count < 0 && errno == ECONNRESET { return [] }
        guard count >= 0 else { throw ClientFailure("reading failed: \(errno)") }
        return Array(buffer.prefix(count))
    }

    /// Everything until the peer ends the connection.
    func readToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = try read()
            if piece.isEmpty { return all }
            all += piece
        }
    }

    /// Puts bytes back, to be read next.
    func putBack(_ bytes: [UInt8]) { unread = bytes + unread }
}

/// An HTTP answer as it came.
struct RawResponse: Sendable {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension RawClient {
    /// Reads one answer. `hasBody` is false for the answer to HEAD.
    func readResponse(hasBody: Bool = true) throws -> RawResponse {
        var bytes: [UInt8] = []
        let separator = Array("\r\n\r\n".utf8)
        while bytes.firstRange(of: separator) == nil {
            let piece = try read()
            guard !piece.isEmpty else {
                throw ClientFailure("ended in the head: \(String(decoding: bytes, as: UTF8.self))")
            }
            bytes += piece
        }
        let end = bytes.firstRange(of: separator)!
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append(name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        putBack(Array(bytes[end.upperBound...]))
        guard hasBody, status != 101, status != 204, status != 304 else {
            return RawResponse(status: status, fields: fields, body: [])
        }
        return RawResponse(status: status, fields: fields, body: try readBody(fields))
    }

    private func readBody(_ fields: HTTPFields) throws -> [UInt8] {
        if fields.contains("Transfer-Encoding", token: "chunked") { return try readChunks() }
        guard let length = fields.first("Content-Length").flatMap({ Int($0) }) else { return try readToEnd() }
        return try readExactly(length)
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = Int(try readLine(), radix: 16) ?? -1
            guard size >= 0 else { throw ClientFailure("a malformed chunk") }
            body += try readExactly(size)
            _ = try readLine()
            if size == 0 { return body }
        }
    }

    /// The next line without its end.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while true {
            let byte = try readExactly(1)[0]
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            if byte != 0x0D { line.append(byte) }
        }
    }

    func readExactly(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try read(atMost: min(count - bytes.count, 1 << 20))
            guard !piece.isEmpty else { throw ClientFailure("ended after \(bytes.count) of \(count) bytes") }
            bytes += piece
        }
        return bytes
    }

    /// Sends a request and reads its answer.
    func request(
        _ method: String, _ path: String, host: String? = "test.example", headers: [String] = [], body: [UInt8] = []
    ) throws -> RawResponse {
        var lines = ["\(method) \(path) HTTP/1.1"]
        if let host { lines.append("Host: \(host)") }
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        try send(Array((lines + headers).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8) + body)
        return try readResponse(hasBody: method != "HEAD")
    }
}
