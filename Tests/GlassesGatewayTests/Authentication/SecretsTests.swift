import Foundation
import GlassesDomain
import GlassesNet
import GlassesServer
import GlassesWebSocket
import Testing

@testable import GlassesGateway

/// Whatever an upstream quotes and whatever a client presents: no answer, event or metric of a gateway holds a secret.
@Suite("A secret is told to nobody", .timeLimit(.minutes(5)))
struct SecretsTests {
    /// One made of a key's usual characters, and one of words, which a machine code could be.
    private static let keys = ["sk-Operator_KEY-12345", "operators.key_of_words"]
    private static let token = "client-token-12345"
    private static let wrong = "wrong-token-67890"

    private func upstreams(_ key: String, _ realtime: ScriptedUpstream, _ chat: ChatUpstreamLab) -> Upstreams {
        let upstream = Upstream(
            url: realtime.url + "/realtime?model=m", host: "127.0.0.1", model: "m", key: key, keyHeader: .authorization,
            certificateAuthority: nil, capabilities: .init())
        var all = chat.upstreams(key: key)
        all = Upstreams(models: ["fast": upstream], defaultModel: nil, chat: all.chat)
        return all
    }

    /// An upstream's error whose every field is the key.
    private static func quoting(_ key: String) -> String {
        let text = JSONValue.string(key)
        return JSONValue.object(["error": ["code": text, "type": text, "message": text, "param": text]]).jsonText
    }

    /// Everything that a client may read of an answer.
    private static func text(_ answer: PlainRequest.Answer) -> String {
        answer.fields.all.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + answer.text
    }

    /// Every field of an event; its description says less.
    private static func text(_ event: GatewayEvent) -> String {
        var text = ""
        dump(event, to: &text)
        return text
    }

    @Test("an upstream's key is in no answer, event or metric, however the upstream quotes it", arguments: keys)
    func upstreamKey(_ key: String) async throws {
        let headers = ["Authorization": "Bearer \(Self.token)"]
        for status in [400, 401, 404, 418, 429, 500, 503] {
            let quoted = Self.quoting(key)
            let realtime = try ScriptedUpstream(
                .refuse(
                    status: status, headers: ["Retry-After": key, "X-Debug": key, "Location": "/\(key)"], body: quoted))
            let chat = try ChatUpstreamLab { _ in
                HTTPResponse(
                    status: status, headers: ["X-Debug": key, "Retry-After": key], body: .bytes(Array(quoted.utf8)))
            }
            let rig = try GatewayRig {
                $0.tokens = try GatewayTokens(variable: Self.token)
                $0.upstreams = upstreams(key, realtime, chat)
            }
            var texts: [String] = []
            for isStreamed in [false, true] {
                let body: JSONValue = [
                    "model": "small", "stream": .bool(isStreamed), "messages": [["role": "user", "content": "hello"]],
                ]
                let answer = try await PlainRequest.send(
                    rig.http + "/chat/completions", method: "POST", headers: headers, body: body.jsonText)
                #expect(try answer.errorCode()?.hasPrefix("upstream_") == true)
                texts.append(Self.text(answer))
            }
            let refusal = try await SocketClient.refusal(rig.base, query: "model=fast", headers: headers).refusal
            texts += refusal.fields.all.map(\.value) + [String(decoding: refusal.body, as: UTF8.self)]
            for path in ["/models", "/models/fast", "/models/\(key)"] {
                // The gateway does not repeat what it was asked for either.
                texts.append(Self.text(try await PlainRequest.send(rig.http + path, headers: headers)))
            }
            let metrics = rig.http.replacingOccurrences(of: "/v1", with: "/metrics")
            texts.append(Self.text(try await PlainRequest.send(metrics, headers: headers)))
            _ = try await rig.waitForEvent { if case .upstreamRefused("fast", _, _) = $0 { true } else { false } }
            #expect(rig.events.count == 3)
            texts += rig.events.map(Self.text)
            for text in texts { #expect(!text.contains(key), "\(status): \(text)") }
            await chat.stop()
        }
    }

    @Test("a token or a client secret, right or wrong, is in no answer, event or metric")
    func clientKeys() async throws {
        let chat = try ChatUpstreamLab { _ in .json(["choices": []]) }
        let realtime = try ScriptedUpstream()
        let rig = try GatewayRig {
            $0.tokens = try GatewayTokens(variable: Self.token)
            $0.upstreams = upstreams(Self.keys[0], realtime, chat)
        }
        let headers = ["Authorization": "Bearer \(Self.token)"]
        let made = try await PlainRequest.send(
            rig.http + "/realtime/client_secrets", method: "POST", headers: headers,
            body: #"{"session":{"model":"fast"}}"#)
        let secret = try #require(try made.json()["value"]?.stringValue)
        let secrets = [Self.token, secret, Self.wrong]
        var texts: [String] = []
        let routes = [
            ("GET", "/models"), ("GET", "/models/NAME"), ("POST", "/realtime/client_secrets"),
            ("POST", "/realtime/sessions"), ("POST", "/chat/completions"), ("GET", "/memory"), ("GET", "/realtime"),
            ("DELETE", "/models"), ("GET", "/nowhere/NAME"),
        ]
        for (method, path) in routes {
            for held in [secret, Self.wrong] {
                // As the key, as a name, as a body that is no JSON and as a field's value: all of them people's mistakes.
                let place = path.replacingOccurrences(of: "NAME", with: held)
                for body in [held, "{\"model\":\"\(held)\",\"session\":\"\(held)\",\"\(held)\":[\"\(held)\"]}"] {
                    for key in [held, Self.token] {
                        let answer = try await PlainRequest.send(
                            rig.http + place + "?key=\(held)", method: method,
                            headers: ["Authorization": "Bearer \(key)", "x-api-key": held],
                            body: method == "POST" ? body : nil)
                        let isMade = answer.status == 200 && path.contains("realtime/")
                        #expect(!isMade)
                        texts.append("\(method) \(path): " + Self.text(answer))
                    }
                }
            }
        }
        let client = try await SocketClient.open(
            rig.base, query: "", subprotocols: ["realtime", "openai-insecure-api-key.\(secret)"])
        try await client.next("session.created")
        texts += client.fields.all.map(\.value)
        client.close()
        _ = try await rig.waitForEvent { if case .sessionEnded = $0 { true } else { false } }
        texts += rig.events.map(Self.text)
        let metrics = rig.http.replacingOccurrences(of: "/v1", with: "/metrics")
        texts.append(Self.text(try await PlainRequest.send(metrics, headers: headers)))
        for secret in secrets {
            for text in texts { #expect(!text.contains(secret), "\(text)") }
        }
        await chat.stop()
    }
}
