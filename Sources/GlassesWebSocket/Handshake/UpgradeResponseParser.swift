/// Reads the answer to an upgrade request, whatever pieces it comes in.
///
/// Only the head decides whether the answer is valid: a refusal's body that breaks its framing ends where it breaks.
public struct UpgradeResponseParser: Sendable {
    /// What the server answered.
    public enum Answer: Sendable, Hashable {
        /// A 101, still to be checked, and the bytes after it that belong to the WebSocket.
        case switched(HTTPResponseHead, rest: [UInt8])
        /// Any other final status, with at most ``HandshakeLimits/body`` bytes of its body.
        case refused(HTTPResponseHead, body: [UInt8])
    }

    private enum Position {
        case statusLine
        case fields(HTTPResponseHead)
        case body(HTTPResponseHead, ResponseBody)
        case answered(Answer)
        case failed(WebSocketHandshakeFailure)
    }

    private var position = Position.statusLine
    private var line: [UInt8] = []
    private var headLength = 0

    /// A parser at the first byte of an answer.
    public init() {}

    /// Takes the next bytes; nil when more are needed. Once answered, the same answer is returned and the bytes are
    /// ignored.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(WebSocketHandshakeFailure) -> Answer? {
        do {
            var rest = bytes[...]
            while try step(&rest) {}
        } catch {
            position = .failed(error)
            throw error
        }
        if case .answered(let answer) = position { return answer }
        return nil
    }

    /// Takes the next bytes; as ``receive(_:)-(UnsafeRawBufferPointer)``.
    public mutating func receive(_ bytes: [UInt8]) throws(WebSocketHandshakeFailure) -> Answer? {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WebSocketHandshakeFailure) in
            try receive(UnsafeRawBufferPointer(buffer))
        }
    }

    /// The peer sent all it will: the answer, which a body without a length ends so, or the failure that none came.
    public mutating func peerEnded() throws(WebSocketHandshakeFailure) -> Answer {
        switch position {
        case .answered(let answer): return answer
        case .failed(let failure): throw failure
        case .body(let head, let body):
            let answer = Answer.refused(head, body: body.bytes)
            position = .answered(answer)
            return answer
        case .statusLine, .fields:
            position = .failed(.ended)
            throw .ended
        }
    }

    /// Does one step; false when it needs more bytes or is done.
    private mutating func step(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(WebSocketHandshakeFailure) -> Bool {
        switch position {
        case .failed(let failure): throw failure
        case .answered: return false
        case .statusLine:
            guard let complete = try takeLine(&rest) else { return false }
            position = .fields(try HTTPResponseHead(statusLine: complete[...]))
            return true
        case .fields(var head):
            guard let complete = try takeLine(&rest) else { return false }
            guard complete.isEmpty else {
                try head.append(fieldLine: complete[...])
                position = .fields(head)
                return true
            }
            finish(head, &rest)
            return true
        case .body(let head, var body):
            let isComplete = body.take(&rest)
            position = isComplete ? .answered(.refused(head, body: body.bytes)) : .body(head, body)
            return false
        }
    }

    private mutating func finish(_ head: HTTPResponseHead, _ rest: inout Slice<UnsafeRawBufferPointer>) {
        switch head.status {
        case 101:
            position = .answered(.switched(head, rest: Array(rest)))
            rest = rest[rest.endIndex...]
        case 100..<200: position = .statusLine
        default: position = .body(head, ResponseBody(of: head))
        }
    }

    /// The next line without its end; nil when it is not complete. A bare line feed ends a line too (RFC 9112 section
    /// 2.2).
    private mutating func takeLine(
        _ rest: inout Slice<UnsafeRawBufferPointer>
    ) throws(WebSocketHandshakeFailure) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let piece = rest[..<(end ?? rest.endIndex)]
        headLength += piece.count + (end == nil ? 0 : 1)
        guard headLength <= HandshakeLimits.head else { throw .headTooLong }
        line.append(contentsOf: piece)
        guard let end else {
            rest = rest[rest.endIndex...]
            return nil
        }
        rest = rest[(end + 1)...]
        var complete = line
        line.removeAll(keepingCapacity: true)
        if complete.last == UInt8(ascii: "\r") { complete.removeLast() }
        return complete
    }
}
