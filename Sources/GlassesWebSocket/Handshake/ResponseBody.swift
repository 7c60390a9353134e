/// The body of a refused upgrade, as far as it is kept.
struct ResponseBody {
    private enum Framing {
        case nothing
        case length(left: Int)
        case untilEnd
        case chunkSize(line: [UInt8])
        case chunk(left: Int)
        case chunkEnd
    }

    /// A chunk's size line is a few hexadecimal digits and rarely an extension.
    private static let longestChunkLine = 1_024

    private(set) var bytes: [UInt8] = []
    private var framing: Framing

    /// The body that the header of `head` announces.
    init(of head: HTTPResponseHead) {
        let lengths = Set(head.fields.elements("Content-Length"))
        if head.status == 204 || head.status == 304 {
            framing = .nothing
        } else if head.fields.elements("Transfer-Encoding").last?.lowercased() == "chunked" {
            framing = .chunkSize(line: [])
        } else if lengths.count == 1, let text = lengths.first, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        {
            framing = .length(left: length)
        } else {
            framing = .untilEnd
        }
    }

    /// Takes bytes from the front of `rest`; true when the body is complete, full, or breaks its framing.
    mutating func take(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        while true {
            if bytes.count == HandshakeLimits.body { return true }
            switch framing {
            case .nothing: return true
            case .length(let left):
                let taken = keep(&rest, atMost: left)
                framing = .length(left: left - taken)
                if taken == left { return true }
                if rest.isEmpty { return false }
            case .untilEnd:
                _ = keep(&rest, atMost: .max)
                if rest.isEmpty { return bytes.count == HandshakeLimits.body }
            case .chunk(let left):
                let taken = keep(&rest, atMost: left)
                framing = taken == left ? .chunkEnd : .chunk(left: left - taken)
                if taken < left && rest.isEmpty { return bytes.count == HandshakeLimits.body }
            case .chunkEnd:
                guard let byte = rest.popFirst() else { return false }
                if byte == UInt8(ascii: "\n") { framing = .chunkSize(line: []) }
                if byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n") { return true }
            case .chunkSize(var line):
                guard let byte = rest.popFirst() else { return false }
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    framing = .chunkSize(line: line)
                    if line.count > Self.longestChunkLine { return true }
                } else {
                    guard let size = Self.size(line), size > 0 else { return true }
                    framing = .chunk(left: size)
                }
            }
        }
    }

    private mutating func keep(_ rest: inout Slice<UnsafeRawBufferPointer>, atMost count: Int) -> Int {
        let piece = rest.prefix(min(count, HandshakeLimits.body - bytes.count))
        bytes.append(contentsOf: piece)
        rest = rest[piece.endIndex...]
        return piece.count
    }

    /// The size that a chunk's first line gives; nil when it is not one.
    private static func size(_ line: [UInt8]) -> Int? {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }
        guard !digits.isEmpty, digits.count <= 15 else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
