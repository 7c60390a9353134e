import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket

/// Plain requests to a gateway.
enum PlainRequest {
    struct Answer: Sendable {
        let status: Int
        let fields: HTTPFields
        let text: String

        func json() throws -> JSONValue { try JSONValue(jsonText: text) }
        func errorCode() throws -> String? { try json()["error"]?["code"]?.stringValue }
    }

    static func send(
        _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
    ) async throws -> Answer {
        guard let url = URL(string: url) else { throw SocketClient.Missing(description: "no URL: \(url)") }
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(name: name, value: value) }
        let request = HTTPRequest(
            method, url, fields: fields, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
        let response = try await HTTPClient(settings: NetworkSettings(proxy: .none)).send(request)
        let bytes = try await response.body.collect(limit: 8 << 20)
        return Answer(status: response.status, fields: response.fields, text: String(decoding: bytes, as: UTF8.self))
    }
}
