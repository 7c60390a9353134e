import Foundation
import GlassesDomain
import Testing

@Suite struct RealtimeDialectTests {
    private static let live =
        "wss://live.example/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"

    @Test(
        arguments: [
            ("wss://gateway.example/v1", nil, .openAI, "wss://gateway.example/v1/realtime"),
            (live, nil, .gemini, live),
            (live + "?key=k", nil, .gemini, live + "?key=k"),
            (live + "Constrained", nil, .gemini, live + "Constrained"),
            (
                "wss://live.example/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent", nil, .gemini,
                "wss://live.example/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent"
            ),
            ("https://live.example/", .gemini, .gemini, live),
            (live, .openAI, .openAI, live + "/realtime"),
        ] as [(String, RealtimeDialect?, RealtimeDialect, String)])
    func theDialectIsTheOneThatIsNamedOrThatOfThePath(
        _ text: String, _ named: RealtimeDialect?, _ dialect: RealtimeDialect, _ url: String
    ) throws {
        let address = try GatewayAddress(try #require(URL(string: text)), dialect: named)
        #expect(address.dialect == dialect)
        #expect(address.url.absoluteString == url)
    }
}
