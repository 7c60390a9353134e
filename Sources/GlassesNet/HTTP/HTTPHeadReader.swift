import GlassesWebSocket

/// Puts a response's head together from the lines that libcurl hands over.
struct HTTPHeadReader {
    private var status: Int?
    private var fields = HTTPFields()
    private var bytes = 0

    /// What a line meant.
    enum Outcome: Equatable {
        case more
        case complete(HTTPHead)
        case tooLarge
    }

    /// Takes one line with its line end. Heads of interim answers (1xx) are passed over; so are the fields behind the body.
    mutating func accept(_ line: UnsafeRawBufferPointer) -> Outcome {
        bytes += line.count
        guard bytes <= NetworkLimits.responseHead else { return .tooLarge }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            fields = HTTPFields()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return .more
        }
        let trimmed = text.trimmingSuffix { $0.isNewline }
        guard trimmed.isEmpty else {
            appendField(trimmed)
            return .more
        }
        guard let status, status >= 200 else { return .more }
        self.status = nil
        return .complete(HTTPHead(status: status, fields: fields))
    }

    private mutating func appendField(_ line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        fields.append(name: String(line[..<colon]), value: String(value.trimmingSuffix { $0 == " " || $0 == "\t" }))
    }
}

extension StringProtocol {
    /// Without the characters at the end that fulfil `predicate`.
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
        return self[startIndex..<end]
    }
}
