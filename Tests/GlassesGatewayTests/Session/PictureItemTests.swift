import Foundation
import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesGateway

/// Pictures over a real socket, served here and relayed.
@Suite("Picture items", .serialized, .timeLimit(.minutes(5)))
struct PictureItemTests {
    private static func creation(bytes: Int, id: String = "p") -> (event: JSONValue, url: String) {
        let file = Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 8) })
        let url = "data:image/png;base64," + file.base64EncodedString()
        let event: JSONValue = [
            "type": "conversation.item.create", "event_id": "mine",
            "item": [
                "id": .string(id), "type": "message", "role": "user",
                "content": [
                    ["type": "input_text", "text": "Look."],
                    ["type": "input_image", "image_url": .string(url), "detail": "low"],
                ],
            ],
        ]
        return (event, url)
    }

    @Test("a picture item is retrieved byte for byte, with its words and detail", arguments: [1, 5_000_000])
    func retrieval(_ bytes: Int) async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        let (event, url) = Self.creation(bytes: bytes)
        client.send(event)
        client.send(["type": "conversation.item.retrieve", "item_id": "p"])
        let item = try #require(try await client.next("conversation.item.retrieved")["item"])
        #expect(
            item["content"] == [
                ["type": "input_text", "text": "Look."],
                ["type": "input_image", "image_url": .string(url), "detail": "low"],
            ])
        client.close()
    }

    @Test("the brain is asked about the picture, and its answer comes as any other")
    func answer() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(Self.creation(bytes: 3).event)
        client.send(["type": "response.create", "response": ["output_modalities": ["text"]]])
        let done = try await client.next("response.output_text.done")
        #expect(done["text"] == "A picture of 26 bytes with the words Look..")
        client.close()
    }

    @Test("a picture that could not be given back is refused by name, and the session goes on")
    func tooLarge() async throws {
        let rig = try GatewayRig()
        let client = try await SocketClient.open(rig.base)
        client.send(Self.creation(bytes: 6_000_000).event)
        let error = try #require(try await client.next("error")["error"])
        #expect(error["param"] == "item.content[1].image_url")
        #expect(error["event_id"] == "mine")
        client.send(Self.creation(bytes: 10).event)
        #expect(try await client.next("conversation.item.added")["item"]?["id"] == "p")
        client.close()
    }

    @Test("a relay passes a picture on as it came, also to an upstream that lacks events", arguments: [10, 7_000_000])
    func relayed(_ bytes: Int) async throws {
        let upstream = try ScriptedUpstream()
        let target = Upstream(
            url: upstream.url + "/realtime?model=theirs", host: "127.0.0.1", model: "theirs", key: nil,
            keyHeader: .authorization, certificateAuthority: nil, capabilities: .init(delete: false))
        let rig = try GatewayRig { configuration in
            configuration.tokens = try GatewayTokens(variable: "client-token-12345")
            configuration.upstreams = Upstreams(models: ["fast": target], defaultModel: nil)
        }
        let client = try await SocketClient.open(
            rig.base, query: "model=fast", headers: ["Authorization": "Bearer client-token-12345"])
        try await client.next("session.created")
        let text = Self.creation(bytes: bytes).event.jsonText
        client.send(text)
        #expect(try await upstream.connection().message() == text)
        client.close()
    }
}
