import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket
import NetworkLab
import Synchronization
import Testing

@testable import GlassesGateway

/// What becomes of a chat whose upstream does not serve it: one answer to the client, one event for the operator, one place free again.
@Suite("Chats that an upstream refuses", .timeLimit(.minutes(5)))
struct ChatRefusalTests {
    private func rig(
        _ upstreams: Upstreams, _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) throws -> GatewayRig {
        try GatewayRig {
            $0.tokens = try GatewayTokens(variable: "test-token")
            $0.upstreams = upstreams
            change(&$0)
        }
    }

    private func ask(
        _ rig: GatewayRig, _ text: String = "hello", stream: Bool = false
    ) async throws -> PlainRequest.Answer {
        let body: JSONValue = [
            "model": "small", "messages": [["role": "user", "content": .string(text)]], "stream": .bool(stream),
        ]
        return try await PlainRequest.send(
            rig.http + "/chat/completions", method: "POST", headers: ["Authorization": "Bearer test-token"],
            body: body.jsonText)
    }

    private func refusals(_ rig: GatewayRig) -> [ConnectionClosure] {
        rig.events.compactMap { event in
            guard case .upstreamRefused("small", "127.0.0.1", let closure) = event else { return nil }
            return closure
        }
    }

    /// A status of the upstream and what comes of it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let status: Int
        let told: Int
        let code: String
        let cause: String
        var testDescription: String { "\(status)" }

        init(_ status: Int, _ told: Int, _ code: String, _ cause: String) {
            (self.status, self.told, self.code, self.cause) = (status, told, code, cause)
        }
    }

    @Test(
        "a status of the upstream is a typed error for the client and one event for the operator, and the wait is passed on",
        arguments: [
            Refusal(401, 502, "upstream_auth", "unauthorized"), Refusal(403, 502, "upstream_auth", "forbidden"),
            Refusal(429, 429, "upstream_rate_limit", "rate_limited"),
            Refusal(503, 503, "upstream_unavailable", "server_error"),
            Refusal(500, 502, "upstream_refused", "server_error"),
            Refusal(504, 502, "upstream_refused", "server_error"), Refusal(307, 502, "upstream_refused", "redirected"),
            Refusal(422, 400, "upstream_refused", "refused"), Refusal(413, 400, "upstream_refused", "refused"),
        ], [false, true])
    func status(_ refusal: Refusal, isStreamed: Bool) async throws {
        let upstream = try ChatUpstreamLab { _ in
            var response = HTTPResponse.error(refusal.status, code: "x", message: "The key operators-key is bad.")
            response.headers.append(name: "Retry-After", value: "7")
            return response
        }
        let rig = try rig(upstream.upstreams()) { $0.maximumSessions = 1 }
        for round in 1...2 {
            let answer = try await ask(rig, stream: isStreamed)
            #expect(answer.status == refusal.told)
            #expect(try answer.errorCode() == refusal.code)
            #expect(answer.fields.first("Retry-After") == ([429, 503].contains(refusal.told) ? "7" : nil))
            #expect(!answer.text.contains("key is bad"))
            #expect(refusals(rig).count == round)
        }
        let closure = try #require(refusals(rig).first)
        #expect(closure.httpStatus == refusal.status)
        #expect(closure.code == refusal.cause)
        #expect(closure.retryAfter == 7)
        #expect(!closure.code.contains("operators-key") && !closure.message.contains("operators-key"))
        await upstream.stop()
    }

    @Test("a wait until a date is passed on in seconds")
    func date() async throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = format.string(from: Date(timeIntervalSinceNow: 1_000))
        let upstream = try ChatUpstreamLab { _ in
            var response = HTTPResponse.error(429, code: "x", message: "Wait.")
            response.headers.append(name: "Retry-After", value: date)
            return response
        }
        let answer = try await ask(try rig(upstream.upstreams()))
        let wait = try #require(answer.fields.first("Retry-After").flatMap { Int($0) })
        #expect((800...1_001).contains(wait))
        await upstream.stop()
    }

    @Test("an upstream that is not there is a 502, and the operator reads why")
    func unreachable() async throws {
        let rig = try rig(ChatUpstreamLab.upstreams(url: "http://127.0.0.1:1/v1"))
        let answer = try await ask(rig)
        #expect(answer.status == 502)
        #expect(try answer.errorCode() == "upstream_unreachable")
        #expect(refusals(rig).map(\.code) == ["connection_refused"])
    }

    @Test("an upstream whose certificate nobody trusts gets neither the key nor the request")
    func certificate() async throws {
        let lab = try await CertificateLab.shared()
        let faults = [(lab.server, lab.otherAuthority), (lab.wrongName, lab.authority), (lab.expired, lab.authority)]
        for (certificate, authority) in faults {
            let upstream = try ChatUpstreamLab(
                tls: TLSFiles(certificate: certificate.certificate, key: certificate.key)
            ) { _ in .json([:]) }
            let rig = try rig(upstream.upstreams(authority: authority))
            let answer = try await ask(rig)
            #expect(answer.status == 502)
            #expect(try answer.errorCode() == "upstream_unreachable")
            #expect(refusals(rig).map(\.code) == ["certificate_refused"])
            #expect(upstream.arrivals.isEmpty)
            await upstream.stop()
        }
    }

    @Test("an upstream that answers nothing, or too slowly to the end, is given up with a 504 and its work ended")
    func late() async throws {
        let silent = try ChatUpstreamLab { _ in nil }
        let dripping = try ChatUpstreamLab { _ in
            let stream = HTTPBodyStream()
            Task { while stream.write([0x20]) { try await Task.sleep(for: .milliseconds(20)) } }
            return HTTPResponse(status: 200, headers: [:], body: .stream(stream))
        }
        for upstream in [silent, dripping] {
            let rig = try rig(upstream.upstreams()) {
                $0.chatTime = .milliseconds(200)
                $0.answerMargin = .seconds(60)
                $0.maximumSessions = 1
            }
            let answer = try await ask(rig)
            #expect(answer.status == 504)
            #expect(try answer.errorCode() == "upstream_timeout")
            #expect(refusals(rig).map(\.code) == ["timeout"])
            try await ChatEndpointTests.eventually { upstream.abandoned == 1 }
            #expect(try await ask(rig).status == 504)
            await upstream.stop()
        }
    }

    @Test("a client that leaves is no refusal of the upstream, and its place is free")
    func leaving() async throws {
        let upstream = try ChatUpstreamLab { $0["messages"]?.jsonText.contains("wait") == true ? nil : .json([:]) }
        let rig = try rig(upstream.upstreams()) { $0.maximumSessions = 1 }
        let asking = Task { try await ask(rig, "wait") }
        try await ChatEndpointTests.eventually { upstream.arrivals.count == 1 }
        #expect(try await ask(rig).status == 503)
        asking.cancel()
        try await ChatEndpointTests.eventually { upstream.abandoned == 1 }
        try await ChatEndpointTests.eventually { try await ask(rig).status == 200 }
        #expect(refusals(rig).isEmpty)
        await upstream.stop()
    }

    @Test("an upstream that is lost in the middle of a stream is told by an event to the client and to the operator")
    func lost() async throws {
        let cut = Mutex<HTTPBodyStream?>(nil)
        let upstream = try ChatUpstreamLab { _ in
            let stream = HTTPBodyStream()
            _ = stream.write(Array("data: {\"n\":1}\n\ndata: {\"n\"".utf8))
            cut.withLock { $0 = stream }
            return HTTPResponse(status: 200, headers: [:], body: .stream(stream))
        }
        let rig = try rig(upstream.upstreams()) { $0.maximumSessions = 1 }
        let asking = Task { try await ask(rig, stream: true) }
        try await ChatEndpointTests.eventually { cut.withLock { $0?.waitingBytes } == 0 }
        await upstream.stop()
        let answer = try await asking.value
        #expect(answer.text.hasPrefix("data: {\"n\":1}\n\n"))
        #expect(answer.text.contains("\"code\":\"upstream_lost\""))
        #expect(!answer.text.contains("{\"n\"data"))
        #expect(refusals(rig).map(\.code) == ["connection_lost"])
        #expect(try await ask(rig).status == 502)
    }

    @Test(
        "answers that come in the moment of either bound end once each, and leave no place taken", arguments: [0, 60])
    func race(marginMs: Int) async throws {
        let crowd = 24
        let upstream = try ChatUpstreamLab { body in
            let text = body["messages"]?.arrayValue?.first?["content"]?.stringValue ?? ""
            Thread.sleep(forTimeInterval: Double(Int(text) ?? 0) / 1_000)
            return .json([:])
        }
        let rig = try rig(upstream.upstreams()) {
            $0.chatTime = .milliseconds(250)
            $0.answerMargin = .milliseconds(marginMs)
            $0.maximumSessions = crowd
        }
        let answers = try await withThrowingTaskGroup(of: PlainRequest.Answer.self) { group in
            for index in 0..<crowd { group.addTask { try await ask(rig, String(200 + index * 5)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == crowd)
        for answer in answers where answer.status != 200 {
            #expect(answer.status == 504)
            #expect(["upstream_timeout", "answer_timeout"].contains(try answer.errorCode()))
        }
        let told = try answers.count { try $0.status != 200 && $0.errorCode() == "upstream_timeout" }
        let late = answers.count { $0.status != 200 }
        #expect((told...max(told, late)).contains(refusals(rig).count))
        try await ChatEndpointTests.eventually { rig.gateway.registry.reserved == 0 }
        await upstream.stop()
    }
}
