import GlassesRealtime
import Testing

@testable import GlassesGateway

@Suite("Client secret requests")
struct ClientSecretRequestTests {
    private func read(_ text: String) throws -> ClientSecretRequest {
        try ClientSecretRequest(clientSecrets: Array(text.utf8))
    }

    @Test(
        "what the body leaves out has its default",
        arguments: [
            "", "{}", "{\"expires_after\":null,\"session\":null}", "{\"expires_after\":{\"anchor\":\"created_at\"}}",
        ])
    func defaults(_ body: String) throws {
        let request = try read(body)
        #expect(request.lifetime == 600)
        #expect(request.update == nil)
    }

    @Test("the lifetime and the session are taken", arguments: [10, 7_200])
    func values(_ seconds: Int) throws {
        let body =
            #"{"expires_after":{"anchor":"created_at","seconds":\#(seconds)},"session":{"type":"realtime","instructions":"Hi"}}"#
        let request = try read(body)
        #expect(request.lifetime == seconds)
        #expect(request.update?.instructions == "Hi")
        #expect(request.update?.type == .realtime)
    }

    @Test(
        "a wrong body is refused with the field at fault",
        arguments: [
            ("{", nil, "invalid_json"), ("[]", nil, "invalid_json"),
            ("{\"expires_after\":9}", "expires_after", "invalid_type"),
            ("{\"expires_after\":{\"anchor\":\"now\"}}", "expires_after.anchor", "invalid_value"),
            ("{\"expires_after\":{\"seconds\":9}}", "expires_after.seconds", "invalid_value"),
            ("{\"expires_after\":{\"seconds\":7201}}", "expires_after.seconds", "invalid_value"),
            ("{\"expires_after\":{\"seconds\":\"10\"}}", "expires_after.seconds", "invalid_value"),
            ("{\"session\":7}", "session", "invalid_type"),
            ("{\"session\":{\"type\":\"realtime\",\"instructions\":7}}", "session.instructions", "invalid_type"),
        ] as [(String, String?, String)])
    func wrong(_ body: String, _ param: String?, _ code: String) throws {
        let error = try #require(throws: RealtimeErrorInfo.self) { try read(body) }
        #expect(error.param == param)
        #expect(error.code == code)
    }

    @Test("the beta form is a flat session and lasts a minute")
    func legacy() throws {
        let body =
            #"{"model":"gpt-4o-realtime-preview","modalities":["audio","text"],"voice":"verse","instructions":"Hi"}"#
        let request = try ClientSecretRequest(legacySession: Array(body.utf8))
        #expect(request.lifetime == 60)
        #expect(request.update?.model == "gpt-4o-realtime-preview")
        #expect(request.update?.outputModalities == [.audio])
        #expect(request.update?.output.voice == .named("verse"))
    }
}
