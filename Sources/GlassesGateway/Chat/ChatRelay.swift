import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket

/// One chat request on its way to an upstream and back.
struct ChatRelay {
    private typealias Answer = GlassesServer.HTTPResponse
    private let upstream: ChatUpstream
    private let redaction: KeyRedaction

    init(to upstream: ChatUpstream) {
        self.upstream = upstream
        redaction = KeyRedaction(key: upstream.key)
    }

    /// Relays the request; `ended` is called once, when the answer is complete or given up.
    func answer(_ chat: ChatRequest, ended: @escaping @Sendable () -> Void) async -> GlassesServer.HTTPResponse {
        do {
            let response = try await HTTPClient(settings: NetworkSettings(caFile: upstream.certificateAuthority))
                .send(try request(chat))
            guard response.status == 200 else {
                ended()
                return refusal(response)
            }
            if chat.isStreamed { return stream(response, ended) }
            let body = try await response.body.collect(limit: GatewayLimits.chatAnswer)
            ended()
            return Answer(
                status: 200, headers: ["Content-Type": "application/json"], body: .bytes(redaction.redacted(body)))
        } catch {
            ended()
            return UpstreamFailure.response(Self.closure(of: error))
        }
    }

    private func request(_ chat: ChatRequest) throws -> GlassesNet.HTTPRequest {
        guard let url = URL(string: upstream.url) else {
            throw ConnectionClosure(code: "invalid_url", message: "The upstream has no usable address.")
        }
        var fields: HTTPFields = ["User-Agent": "extentos-gateway", "Content-Type": "application/json"]
        if let key = upstream.key {
            switch upstream.keyHeader {
            case .authorization: fields.append(name: "Authorization", value: "Bearer \(key)")
            case .apiKey, .googleKey: fields.append(name: upstream.keyHeader.rawValue, value: key)
            }
        }
        let body = JSONValue.object(chat.body.merging(["model": .string(upstream.model)]) { $1 })
        return GlassesNet.HTTPRequest(
            "POST", url, fields: fields, body: .bytes(Array(body.jsonText.utf8)),
            timeout: GatewayLimits.chatTime, idleTimeout: GatewayLimits.chatTime)
    }

    /// What is wrong with a request only its client can mend, and its library does not try that again.
    private func refusal(_ response: GlassesNet.HTTPResponse) -> GlassesServer.HTTPResponse {
        if [400, 404, 422].contains(response.status) {
            return .error(
                400, code: "upstream_refused",
                message: "The upstream did not take the request (status \(response.status)). Check its fields.")
        }
        return UpstreamFailure.response(
            ConnectionClosure(
                code: "refused", message: "", httpStatus: response.status,
                retryAfter: response.fields.values("retry-after").first.flatMap(Double.init)))
    }

    private static func closure(of error: any Error) -> ConnectionClosure {
        let isTimeout = (error as? NetworkError)?.cause == .timeout
        return ConnectionClosure(code: isTimeout ? "timeout" : "unreachable", message: "")
    }

    /// Passes the events on as they come, in whole lines, so that a key cannot hide across two pieces.
    private func stream(
        _ response: GlassesNet.HTTPResponse, _ ended: @escaping @Sendable () -> Void
    ) -> GlassesServer.HTTPResponse {
        let stream = GlassesServer.HTTPBodyStream()
        let writer = BodyWriter(stream)
        let task = Task { [redaction] in
            defer { ended() }
            var rest: [UInt8] = []
            do {
                for try await piece in response.body {
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
            } catch is CancellationError {
                return  // The client left.
            } catch {
                // The head has been sent, so the end can only be told as an event.
                _ = stream.write(Self.lost)
            }
            stream.finish()
        }
        stream.whenAbandoned { task.cancel() }
        return .eventStream(stream)
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
