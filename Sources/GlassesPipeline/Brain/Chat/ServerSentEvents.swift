/// Cuts a stream of server-sent events (WHATWG HTML, section 9.2) into the data of its events, whatever pieces it comes in.
struct ServerSentEvents: Equatable, Sendable {
    /// A line was longer than allowed.
    struct TooLong: Error, Equatable {}

    private let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var isAfterCarriageReturn = false
    private var isAtStart = true

    /// A reader that takes lines, and the data of one event, of at most `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// The data of the events that are complete with these bytes, in order. An event without data is none.
    mutating func take(_ bytes: [UInt8]) throws(TooLong) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes {
            let isLineFeedOfPair = isAfterCarriageReturn && byte == UInt8(ascii: "\n")
            isAfterCarriageReturn = byte == UInt8(ascii: "\r")
            if isLineFeedOfPair { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let event = try endLine() { events.append(event) }
            } else {
                guard line.count < limit else { throw TooLong() }
                line.append(byte)
            }
        }
        return events
    }

    /// The event that the end of the stream leaves open: servers are known to forget the last empty line.
    mutating func finish() throws(TooLong) -> [UInt8]? {
        if !line.isEmpty { _ = try endLine() }
        defer { data = nil }
        return data
    }

    private mutating func endLine() throws(TooLong) -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else {
            defer { data = nil }
            return data
        }
        // Comments begin with a colon; of the fields only the data counts here.
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        guard line[..<colon].elementsEqual("data".utf8) else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        guard (data?.count ?? 0) + value.count < limit else { throw TooLong() }
        if data != nil { data?.append(UInt8(ascii: "\n")) }
        data = (data ?? []) + value
        return nil
    }
}
