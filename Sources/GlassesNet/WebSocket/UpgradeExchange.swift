import GlassesWebSocket

/// The upgrade on a fresh connection: the request out, the answer in.
final class UpgradeExchange {
    enum Outcome {
        case more
        case answered(UpgradeResponseParser.Answer)
        case malformed(WebSocketHandshakeFailure)
        case lost
    }

    let connection: SocketConnection
    private let request: [UInt8]
    private var sent = 0
    private var parser = UpgradeResponseParser()
    /// Whether a part of the answer has come.
    private(set) var hasHeard = false

    init(connection: SocketConnection, request: WebSocketUpgradeRequest) {
        self.connection = connection
        self.request = request.bytes
    }

    /// Sends and receives as far as the socket lets it.
    func goOn() -> Outcome {
        guard send() else { return .lost }
        let outcome = receive()
        if case .more = outcome {
            guard connection.watch(sent < request.count ? [.read, .write] : .read) else { return .lost }
        }
        return outcome
    }

    /// The refusal that has come, if its head is complete but its body is not.
    func refusalSoFar() -> UpgradeResponseParser.Answer? {
        guard hasHeard else { return nil }
        var copy = parser
        do throws(WebSocketHandshakeFailure) {
            return try copy.peerEnded()
        } catch {
            // The head is not complete: there is nothing to tell yet.
            return nil
        }
    }

    private func send() -> Bool {
        while sent < request.count {
            let outcome = request.withUnsafeBytes { connection.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch outcome {
            case .bytes(let count): sent += count
            case .notNow: return true
            case .ended, .broken: return false
            }
        }
        return true
    }

    private func receive() -> Outcome {
        let buffer = connection.loop.scratch
        do throws(WebSocketHandshakeFailure) {
            while true {
                switch connection.receive(into: buffer) {
                case .bytes(let count):
                    hasHeard = true
                    let answer = try parser.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    if let answer { return .answered(answer) }
                case .notNow: return .more
                case .ended, .broken: return hasHeard ? .answered(try parser.peerEnded()) : .lost
                }
            }
        } catch {
            return .malformed(error)
        }
    }
}
