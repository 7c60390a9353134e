import GlassesDomain
import GlassesWebSocket

// Invariant: an answer reads the same however it is cut, and a request that can be built is one that our server
// accepts.

private struct Outcome: Equatable {
    var answer: UpgradeResponseParser.Answer?
    var failure: WebSocketHandshakeFailure?
}

/// Feeds the bytes in pieces, then the end. The bytes behind a 101 are put together again.
private func parse(_ bytes: [UInt8], piece: Int) -> Outcome {
    var parser = UpgradeResponseParser()
    var start = 0
    do throws(WebSocketHandshakeFailure) {
        while start < bytes.count {
            let end = min(bytes.count, start + piece)
            let answer = try parser.receive(Array(bytes[start..<end]))
            start = end
            switch answer {
            case .switched(let head, let rest):
                return Outcome(answer: .switched(head, rest: rest + bytes[start...]))
            case .refused: return Outcome(answer: answer)
            case nil: break
            }
        }
        return Outcome(answer: try parser.peerEnded())
    } catch {
        return Outcome(failure: error)
    }
}

private func checkAnswer(_ bytes: [UInt8], seed: UInt8) {
    let whole = parse(bytes, piece: max(1, bytes.count))
    guard whole == parse(bytes, piece: 1), whole == parse(bytes, piece: Int(seed) % 40 + 1) else {
        fatalError("the cut changes the answer")
    }
    guard case .switched(let head, _) = whole.answer else { return }
    let key = [UInt8](repeating: seed, count: 16)
    do throws(WebSocketHandshakeFailure) {
        let request = try WebSocketUpgradeRequest(host: "h", path: "/", key: key, subprotocols: ["realtime"])
        let chosen = try request.check(head)
        guard chosen == nil || chosen == "realtime" else { fatalError("an unoffered subprotocol passed") }
    } catch {
        guard error.blame == .remote else { fatalError("our own request was refused") }
    }
}

/// Reads a request as a server would: lines up to an empty one.
private func fields(of request: [UInt8]) -> HTTPFields {
    var fields = HTTPFields()
    for line in String(decoding: request, as: UTF8.self).split(separator: "\r\n").dropFirst() {
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        fields.append(name: String(line[..<colon]), value: String(line[colon...].dropFirst(2)))
    }
    return fields
}

private func checkRequest(_ bytes: [UInt8], seed: UInt8) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 4 else { return }
    let key = [UInt8](repeating: seed, count: 16)
    do {
        let request = try WebSocketUpgradeRequest(
            host: "h", path: "/" + parts[0], key: key, subprotocols: parts[1].isEmpty ? [] : [parts[1]],
            headers: HTTPFields([(parts[2], parts[3])]))
        let lines = request.bytes.count { $0 == 0x0A }
        guard lines == (parts[1].isEmpty ? 8 : 9) else { fatalError("a header broke out of its line") }
        _ = try WebSocketUpgradeOffer(method: "GET", fields: fields(of: request.bytes))
    } catch let failure as WebSocketHandshakeFailure {
        guard failure.blame == .local else { fatalError("a request failed as an answer") }
    } catch {
        fatalError("our server refuses our request")
    }
}

/// Any request of a stranger is accepted or refused.
private func checkOffer(_ bytes: [UInt8]) {
    do throws(WebSocketUpgradeRefusal) {
        _ = try WebSocketUpgradeOffer(method: "GET", fields: fields(of: bytes))
    } catch {
        guard [400, 405, 426].contains(error.status) else { fatalError("a refusal without its status") }
    }
}

/// One input of the fuzzer; a broken invariant ends the process.
@c(LLVMFuzzerTestOneInput)
public func fuzzUpgrade(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard size >= 1 else { return 0 }
    let input = UnsafeBufferPointer(start: data, count: size)
    let bytes = Array(input[1...])
    checkAnswer(bytes, seed: input[0])
    checkRequest(bytes, seed: input[0])
    checkOffer(bytes)
    return 0
}
