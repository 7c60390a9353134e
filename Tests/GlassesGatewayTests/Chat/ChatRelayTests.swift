import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import Testing

@testable import GlassesGateway

@Suite("Chats relayed to an upstream", .timeLimit(.minutes(5)))
struct ChatRelayTests {
    private static let headers = ["Authorization": "Bearer test-token"]
    private static let question: JSONValue = ["role": "user", "content": "hello"]

    private func rig(_ upstream: ChatUpstreamLab) throws -> GatewayRig {
        try GatewayRig {
            $0.tokens = try GatewayTokens(variable: "test-token")
            $0.upstreams = upstream.upstreams()
        }
    }

    private func ask(
        _ rig: GatewayRig, model: String = "small", stream: Bool = false
    ) async throws -> PlainRequest.Answer {
        let body: JSONValue = [
            "model": .string(model), "messages": [Self.question], "stream": .bool(stream), "temperature": 0.3,
        ]
        return try await PlainRequest.send(
            rig.http + "/chat/completions", method: "POST", headers: Self.headers, body: body.jsonText)
    }

    @Test("the request arrives with the upstream's model and the operator's key, and the answer comes back without it")
    func whole() async throws {
        let upstream = try ChatUpstreamLab { _ in
            .json(["model": "their-model", "choices": [["message": ["content": "You used operators-key."]]]])
        }
        let answer = try await ask(try rig(upstream))
        #expect(answer.status == 200)
        #expect(!answer.text.contains("operators-key"))
        #expect(try answer.json()["choices"]?.arrayValue?.first?["message"]?["content"] == "You used *************.")
        let arrival = try #require(upstream.arrivals.first)
        #expect(arrival.path == "/v1/chat/completions")
        #expect(arrival.authorization == ["Bearer operators-key"])
        #expect(
            arrival.body == [
                "model": "their-model", "messages": [Self.question], "stream": false, "temperature": 0.3,
            ])
        await upstream.stop()
    }

    @Test("a stream arrives event by event, and a key that comes in two pieces is hidden too")
    func streamed() async throws {
        let upstream = try ChatUpstreamLab { _ in
            let stream = HTTPBodyStream()
            Task {
                for piece in ["data: {\"a\":\"opera", "tors-key\"}\n\n", "data: [DO", "NE]\n\n"] {
                    _ = stream.write(Array(piece.utf8))
                    try await Task.sleep(for: .milliseconds(30))
                }
                stream.finish()
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
        }
        let answer = try await ask(try rig(upstream), stream: true)
        #expect(answer.text == "data: {\"a\":\"*************\"}\n\ndata: [DONE]\n\n")
        await upstream.stop()
    }

    @Test("a client that leaves ends the upstream's work", arguments: [false, true])
    func leaving(isStreamed: Bool) async throws {
        let upstream = try ChatUpstreamLab { _ in
            guard isStreamed else { return nil }
            let stream = HTTPBodyStream()
            Task {
                // Until nobody reads any more.
                while stream.write(Array("data: {}\n\n".utf8)) { try await Task.sleep(for: .milliseconds(20)) }
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
        }
        let rig = try rig(upstream)
        let url = try #require(URL(string: rig.http + "/chat/completions"))
        let body: JSONValue = ["model": "small", "messages": [Self.question], "stream": .bool(isStreamed)]
        let request = GlassesNet.HTTPRequest(
            "POST", url, fields: ["Authorization": "Bearer test-token"], body: .bytes(Array(body.jsonText.utf8)))
        let asking = Task {
            let response = try await HTTPClient(settings: NetworkSettings(proxy: .none)).send(request)
            _ = try await response.body.collect(limit: 1 << 30)
        }
        try await ChatEndpointTests.eventually { upstream.arrivals.count == 1 }
        asking.cancel()
        try await ChatEndpointTests.eventually { upstream.abandoned == 1 }
        await upstream.stop()
    }

    @Test(
        "what an upstream refuses is told without its words",
        arguments: [
            (401, 502, "upstream_auth"), (429, 429, "upstream_rate_limit"), (503, 503, "upstream_unavailable"),
            (400, 400, "upstream_refused"),
        ])
    func refusal(status: Int, told: Int, code: String) async throws {
        let upstream = try ChatUpstreamLab { _ in .error(status, code: "x", message: "The key operators-key is bad.") }
        let answer = try await ask(try rig(upstream))
        #expect(answer.status == told)
        #expect(try answer.errorCode() == code)
        #expect(!answer.text.contains("key is bad"))
        await upstream.stop()
    }

    @Test("an upstream that is gone is a 502, and a name that is not listed a 404 that tells the names")
    func absent() async throws {
        let upstream = try ChatUpstreamLab { _ in .json([:]) }
        let rig = try rig(upstream)
        let unknown = try await ask(rig, model: "big")
        #expect(unknown.status == 404)
        #expect(unknown.text.contains("local, small"))
        #expect(try await ask(rig, model: "local").status == 200)
        #expect(try await PlainRequest.send(rig.http + "/models/small", headers: Self.headers).status == 200)
        await upstream.stop()
        let answer = try await ask(rig)
        #expect(answer.status == 502)
        #expect(try answer.errorCode() == "upstream_unreachable")
    }
}
