import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket

/// One chat request on its way to an upstream and back.
struct ChatRelay {
    private typealias Answer = GlassesServer.HTTPResponse
    private let upstream: ChatUpstream
    private let record: SessionRecord
    private let gateway: GatewayParts
    private let redaction: KeyRedaction

    /// A relay to `upstream` that ends `record` once, when the answer is complete or given up.
    init(to upstream: ChatUpstream, record: SessionRecord, gateway: GatewayParts) {
        self.upstream = upstream
        self.record = record
        self.gateway = gateway
        redaction = KeyRedaction(key: upstream.key)
    }

    /// Relays the request. The answer, or the beginning of one in pieces, comes before the server gives the request up.
    func answer(_ chat: ChatRequest) async -> GlassesServer.HTTPResponse {
        let deadline = gateway.clock.now().advanced(by: gateway.chatTime)
        do {
            let response = try await HTTPClient(settings: NetworkSettings(caFile: upstream.certificateAuthority))
                .send(try request(chat))
            guard response.status == 200 else {
                let closure = response.refusal(by: upstream.host, now: Double(gateway.admissions.unixTime))
                return failed(closure, Self.refusal(closure))
            }
            if chat.isStreamed { return stream(response) }
            let body = try await collect(response.body, until: deadline)
            gateway.registry.end(record, closeCode: nil)
            return Answer(
                status: 200, headers: ["Content-Type": "application/json"], body: .bytes(redaction.redacted(body)))
        } catch {
            let closure = Self.closure(of: error)
            return failed(closure, UpstreamFailure.response(closure))
        }
    }

    private func request(_ chat: ChatRequest) throws -> GlassesNet.HTTPRequest {
        guard let url = URL(string: upstream.url) else {
            throw ConnectionClosure(code: "invalid_url", message: "The upstream has no usable address.")
        }
        var fields = HTTPFields(upstreamKey: upstream.key, in: upstream.keyHeader)
        fields.append(name: "Content-Type", value: "application/json")
        let body = JSONValue.object(chat.body.merging(["model": .string(upstream.model)]) { $1 })
        return GlassesNet.HTTPRequest(
            "POST", url, fields: fields, body: .bytes(Array(body.jsonText.utf8)),
            timeout: gateway.chatTime, idleTimeout: gateway.chatTime)
    }

    /// The whole body; a time-out when it comes so slowly that its client would be told of another one.
    private func collect(_ body: HTTPResponseBody, until deadline: MonotonicTime) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await body.collect(limit: GatewayLimits.chatAnswer) }
            group.addTask { [clock = gateway.clock] in
                try await clock.sleepUntil(deadline)
                throw UpstreamFailure.late
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw UpstreamFailure.abandoned }
            return first
        }
    }

    // MARK: - Failures

    /// Tells the operator, ends the record and gives `answer` back.
    private func failed(
        _ closure: ConnectionClosure, _ answer: GlassesServer.HTTPResponse
    ) -> GlassesServer.HTTPResponse {
        gateway.registry.refused(record, redaction.redacted(closure))
        gateway.registry.end(record, closeCode: nil)
        return answer
    }

    /// What is wrong with a request only its client can mend, and its library does not try that again.
    private static func refusal(_ closure: ConnectionClosure) -> GlassesServer.HTTPResponse {
        guard let status = closure.httpStatus, [400, 404, 413, 422].contains(status) else {
            return UpstreamFailure.response(closure)
        }
        return .error(
            400, code: "upstream_refused",
            message: "The upstream did not take the request (status \(status)). Check its fields.")
    }

    private static func closure(of error: any Error) -> ConnectionClosure {
        switch error {
        case let error as NetworkError: ConnectionClosure(error)
        case let closure as ConnectionClosure: closure
        default: UpstreamFailure.abandoned
        }
    }

    // MARK: - Streams

    /// Passes the events on as they come, in whole lines, so that a key cannot hide across two pieces.
    private func stream(_ response: GlassesNet.HTTPResponse) -> GlassesServer.HTTPResponse {
        let stream = GlassesServer.HTTPBodyStream()
        let writer = BodyWriter(stream)
        let task = Task {
            do {
                try await pass(response.body, to: writer)
            } catch is CancellationError {
                // The client left.
            } catch {
                await tellLoss(Self.closure(of: error), writer)
            }
            gateway.registry.end(record, closeCode: nil)
            stream.finish()
        }
        stream.whenAbandoned { task.cancel() }
        return .eventStream(stream)
    }

    private func pass(_ body: HTTPResponseBody, to writer: BodyWriter) async throws {
        var rest: [UInt8] = []
        for try await piece in body {
            rest += piece
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
                if rest.count <= GatewayLimits.chatAnswer { continue }
                throw ConnectionClosure(code: "too_large", message: "An event of the upstream is too long.")
            }
            try await writer.write(redaction.redacted(Array(rest[...end])))
            rest.removeSubrange(...end)
        }
        try Task.checkCancellation()
        if !rest.isEmpty { try await writer.write(redaction.redacted(rest)) }
    }

    /// The head has been sent, so the end can only be told as an event.
    private func tellLoss(_ closure: ConnectionClosure, _ writer: BodyWriter) async {
        gateway.registry.refused(record, redaction.redacted(closure))
        do {
            try await writer.write(Self.lost)
        } catch {
            return  // The client left meanwhile.
        }
    }

    private static let lost: [UInt8] = {
        let error: JSONValue = [
            "error": [
                "message": "The connection to the upstream was lost. Send the request again.", "type": "server_error",
                "param": nil, "code": "upstream_lost",
            ]
        ]
        return Array("data: \(error.jsonText)\n\n".utf8)
    }()
}
