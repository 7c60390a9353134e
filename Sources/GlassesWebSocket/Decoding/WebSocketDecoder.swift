import GlassesDomain

/// Turns the bytes of a peer into events, whatever pieces they come in.
///
/// The events and the failure are the same for every way to cut the stream. A message takes one allocation when it is
/// not fragmented. Nothing is allocated for a message above the limit: its announcement fails.
public struct WebSocketDecoder: Sendable {
    /// Without references, so that a step costs no reference counting.
    private enum Position {
        case header
        case payload(FrameHeader, left: Int)
        case closed
    }

    /// This process's end; the frames are the other's.
    public let role: WebSocketRole
    /// The largest message taken, in bytes over all its fragments.
    public let maximumMessage: Int

    private var position = Position.header
    private var failure: WebSocketFailure?
    private var partialHeader: [UInt8] = []
    private var mask = PayloadMask(0)
    private var isMessageOpen = false
    private var isText = false
    private var text = TextCheck()
    private var body: [UInt8] = []
    private var controlBody: [UInt8] = []

    /// A decoder at the first byte after the upgrade. `maximumMessage` is in bytes; a negative one counts as 0.
    public init(role: WebSocketRole, maximumMessage: Int) {
        self.role = role
        self.maximumMessage = max(0, maximumMessage)
    }

    /// Takes the next bytes and appends what they complete to `events`.
    ///
    /// Events that came before a failure are in `events` when it is thrown; every later call throws it again. What
    /// follows a close frame is ignored.
    public mutating func decode(
        _ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]
    ) throws(WebSocketFailure) {
        if let failure { throw failure }
        do {
            var rest = bytes
            while try step(&rest, &events) {}
        } catch {
            failure = error
            (body, controlBody, partialHeader) = ([], [], [])
            throw error
        }
    }

    /// Takes the next bytes; as ``decode(_:into:)-(UnsafeRawBufferPointer,_)``.
    public mutating func decode(
        _ bytes: ArraySlice<UInt8>, into events: inout [WebSocketEvent]
    ) throws(WebSocketFailure) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WebSocketFailure) in
            try decode(UnsafeRawBufferPointer(buffer), into: &events)
        }
    }

    /// Takes the next bytes; as ``decode(_:into:)-(UnsafeRawBufferPointer,_)``.
    public mutating func decode(_ bytes: [UInt8], into events: inout [WebSocketEvent]) throws(WebSocketFailure) {
        try decode(bytes[...], into: &events)
    }

    /// Does one step; false when it needs more bytes.
    private mutating func step(
        _ rest: inout UnsafeRawBufferPointer, _ events: inout [WebSocketEvent]
    ) throws(WebSocketFailure) -> Bool {
        switch position {
        case .closed: return false
        case .header:
            guard let header = try takeHeader(&rest) else { return false }
            begin(header)
            if header.payloadLength == 0 { try finish(header, &events) }
            return true
        case .payload(let header, let left):
            let count = min(left, rest.count)
            guard count > 0 else { return false }
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            try take(piece, of: header)
            position = .payload(header, left: left - count)
            if left == count { try finish(header, &events) }
            return true
        }
    }

    /// The next header, from the input alone when it lies there whole; nil when more bytes are needed.
    private mutating func takeHeader(_ rest: inout UnsafeRawBufferPointer) throws(WebSocketFailure) -> FrameHeader? {
        let context = FrameHeader.Context(
            role: role, isMessageOpen: isMessageOpen, assembled: body.count, maximumMessage: maximumMessage)
        if partialHeader.isEmpty {
            if let header = try FrameHeader.read(rest, in: context) {
                rest = UnsafeRawBufferPointer(rebasing: rest[header.headerLength...])
                return header
            }
            partialHeader.append(contentsOf: rest)
            return nil
        }
        let known = partialHeader.count
        partialHeader.append(contentsOf: rest.prefix(FrameHeader.longest - known))
        let header = try partialHeader.withUnsafeBufferPointer { (buffer) throws(WebSocketFailure) in
            try FrameHeader.read(UnsafeRawBufferPointer(buffer), in: context)
        }
        guard let header else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[(header.headerLength - known)...])
        partialHeader.removeAll(keepingCapacity: true)
        return header
    }

    private mutating func begin(_ header: FrameHeader) {
        mask = PayloadMask(header.mask)
        position = .payload(header, left: header.payloadLength)
        guard !header.opcode.isControl else { return }
        if header.opcode != .continuation {
            isText = header.opcode == .text
            text = TextCheck()
        }
        isMessageOpen = !header.isFinal
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, of header: FrameHeader) throws(WebSocketFailure) {
        guard !header.opcode.isControl else {
            return mask.append(piece, to: &controlBody, whole: header.payloadLength)
        }
        let before = body.count
        // Fragments grow the body by doubling: making room for each of them exactly would copy it each time.
        mask.append(piece, to: &body, whole: header.opcode == .continuation ? piece.count : header.payloadLength)
        guard isText else { return }
        let isValid = body.withUnsafeBytes { text.accept(UnsafeRawBufferPointer(rebasing: $0[before...])) }
        if !isValid { throw .invalidText }
    }

    private mutating func finish(
        _ header: FrameHeader, _ events: inout [WebSocketEvent]
    ) throws(WebSocketFailure) {
        position = .header
        switch header.opcode {
        case .continuation, .text, .binary:
            guard header.isFinal else { return }
            if isText && !text.isAtCharacterEnd { throw .invalidText }
            let whole = body
            body = []
            events.append(.message(isText ? .text(whole) : .binary(whole)))
        case .ping: events.append(.ping(takeControlBody()))
        case .pong: events.append(.pong(takeControlBody()))
        case .close:
            events.append(try Self.close(takeControlBody()))
            position = .closed
        }
    }

    private mutating func takeControlBody() -> [UInt8] {
        let whole = controlBody
        controlBody = []
        return whole
    }

    private static func close(_ body: [UInt8]) throws(WebSocketFailure) -> WebSocketEvent {
        guard !body.isEmpty else { return .close(code: nil, reason: "") }
        guard body.count >= 2 else { throw .shortClose }
        let code = UInt16(body[0]) << 8 | UInt16(body[1])
        guard WebSocketCloseCode.isAllowedOnWire(code) else { throw .closeCodeNotAllowed }
        guard let reason = String(validating: body[2...], as: UTF8.self) else { throw .invalidText }
        return .close(code: code, reason: reason)
    }
}
