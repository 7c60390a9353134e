import Foundation

/// Makes messages of bytes, however these are cut into pieces. After an error it stays failed.
package struct LinkMessageDecoder: Sendable {
    private enum Stage: Sendable {
        case prefix
        case header(count: Int, payload: Int)
        case payload(header: [UInt8], count: Int)
        case failed(LinkCodecError)
    }

    private var stage = Stage.prefix
    private var gathered = Data()

    /// A decoder at the beginning of a connection.
    package init() {}

    /// Takes the next bytes and appends the messages that they complete. Throws ``LinkCodecError``; the messages
    /// before the fault are still appended.
    package mutating func decode(
        _ bytes: UnsafeRawBufferPointer, into messages: inout [LinkMessage]
    ) throws(LinkCodecError) {
        if case .failed(let error) = stage { throw error }
        var rest = bytes[...]
        do throws(LinkCodecError) {
            while !rest.isEmpty {
                let taken = rest.prefix(wanted - gathered.count)
                gathered.append(contentsOf: taken)
                rest = rest.dropFirst(taken.count)
                if case .prefix = stage { try Self.check(mark: gathered) }
                try finishParts(into: &messages)
            }
        } catch {
            (stage, gathered) = (.failed(error), Data())
            throw error
        }
    }

    /// As ``decode(_:into:)-(UnsafeRawBufferPointer,_)``.
    package mutating func decode(_ bytes: [UInt8], into messages: inout [LinkMessage]) throws(LinkCodecError) {
        var thrown: LinkCodecError?
        bytes.withUnsafeBytes { buffer in
            do throws(LinkCodecError) { try decode(buffer, into: &messages) } catch { thrown = error }
        }
        if let thrown { throw thrown }
    }

    /// Whether bytes of an unfinished message wait: an end of the connection now cuts it.
    package var isInsideMessage: Bool {
        switch stage {
        case .prefix: !gathered.isEmpty
        case .header, .payload: true
        case .failed: false
        }
    }

    /// How many bytes the part under way has.
    private var wanted: Int {
        switch stage {
        case .prefix: LinkPrefix.count
        case .header(let count, _): count
        case .payload(_, let count): count
        case .failed: 0
        }
    }

    /// Goes on to the next part as long as the one under way is complete; a payload may be empty.
    private mutating func finishParts(into messages: inout [LinkMessage]) throws(LinkCodecError) {
        while gathered.count == wanted {
            let part = gathered
            gathered = Data()
            switch stage {
            case .prefix: stage = try Self.lengths(part)
            case .header(_, let payload): stage = .payload(header: [UInt8](part), count: payload)
            case .payload(let header, _):
                stage = .prefix
                messages.append(try LinkMessage(header: header, payload: part))
            case .failed: return
            }
        }
    }

    /// A stranger is noticed at its first byte, not only when twelve have come.
    private static func check(mark: Data) throws(LinkCodecError) {
        let expected = LinkPrefix.mark
        let name = min(mark.count, 3)
        guard mark.prefix(name).elementsEqual(expected.prefix(name)) else {
            throw LinkCodecError(.notAMessage, "These bytes are no message of this protocol.")
        }
        guard mark.count < 4 || mark[mark.startIndex + 3] == expected[3] else {
            throw LinkCodecError(.framingVersion, "The peer's framing is of another version.")
        }
    }

    private static func lengths(_ prefix: Data) throws(LinkCodecError) -> Stage {
        let bytes = [UInt8](prefix)
        func length(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (header, payload) = (length(at: 4), length(at: 8))
        guard header <= LinkLimits.header, payload <= LinkLimits.payload else {
            throw LinkCodecError(.tooLarge, "A message is announced as larger than the protocol allows.")
        }
        return .header(count: header, payload: payload)
    }
}

extension LinkMessage {
    private static let kindsWithPayload: Set<String> = ["frame", "audio", "photo", "view.show"]

    /// A message of its two parts; unknown kinds and values are no error.
    init(header: [UInt8], payload: Data) throws(LinkCodecError) {
        guard case .object(let members) = try LinkJSONReader.read(header), case .string(let kind)? = members["kind"]
        else { throw LinkCodecError(.malformed, "A header is no JSON object with a \"kind\".") }
        let fields = LinkFields(members, payload: payload)
        do {
            if let event = try LinkEvent(kind: kind, fields) {
                self = .event(event)
            } else if let command = try LinkCommand(kind: kind, fields) {
                self = .command(command)
            } else if let control = try LinkControl(kind: kind, fields) {
                self = .control(control)
            } else {
                self = .unknown(kind: kind)
                return
            }
            guard payload.isEmpty || Self.kindsWithPayload.contains(kind) else {
                throw LinkCodecError(.malformed, "It has a payload, which its kind has not.")
            }
        } catch let error as LinkCodecError {
            throw LinkCodecError(error.code, "A message of the kind \"\(kind.prefix(64))\": \(error.message)")
        } catch {
            self = .unknown(kind: kind)
        }
    }
}
