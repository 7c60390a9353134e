import Foundation
import GlassesDomain
import GlassesRealtime
import Testing

@Suite struct PictureItemTests {
    private func creation(_ url: String) -> ClientEvent {
        .conversationItemCreate(
            ItemCreation(
                item: ConversationItem(
                    id: "p",
                    body: .message(
                        MessageItem(role: .user, content: [.inputText("Look."), .inputImage(url: url, detail: nil)])))))
    }

    @Test(arguments: [0, 1, 2, 3, 1_000_000]) func aPictureGoesFromClientToServerAndBackByteForByte(count: Int) throws {
        let file = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let url = "data:image/jpeg;base64," + file.base64EncodedString()
        let sent = RealtimeCodec.encode(creation(url), eventId: "e")
        let event = try RealtimeCodec.decodeClientEvent(sent).event
        #expect(event == creation(url))
        guard case .conversationItemCreate(let creation) = event else { return }
        let back = RealtimeCodec.encode(.conversationItemRetrieved(creation.item), eventId: "s")
        #expect(
            try RealtimeCodec.decodeServerEvent(back).event == .conversationItemRetrieved(creation.item))
        #expect(PictureDataURL.file(of: url) == (count == 0 ? nil : file))
    }

    @Test func aPictureWithoutAnAddressIsRefusedByAServerAndReadByAClient() throws {
        let item: JSONValue = ["type": "message", "role": "user", "content": [["type": "input_image"]]]
        let sent: JSONValue = ["type": "conversation.item.create", "event_id": "e", "item": item]
        #expect(throws: RealtimeCodecError.self) { try RealtimeCodec.decodeClientEvent(Array(sent.jsonText.utf8)) }
        let told: JSONValue = ["type": "conversation.item.added", "event_id": "e", "item": item]
        let event = try RealtimeCodec.decodeServerEvent(Array(told.jsonText.utf8)).event
        let body = ConversationItem.Body.message(
            MessageItem(role: .user, content: [.inputImage(url: "", detail: nil)]))
        #expect(event == .conversationItemAdded(ItemPlacement(item: ConversationItem(body: body), previousItemId: nil)))
    }

    @Test func aPictureLargerThanServersCanGiveBackIsRefused() {
        let limit = RealtimeLimits.pictureURLBytes
        let prefix = "data:image/jpeg;base64,"
        let fits = prefix + String(repeating: "AAAA", count: (limit - prefix.utf8.count) / 4)
        #expect(PictureDataURL.problem(with: fits, at: "x") == nil)
        #expect(PictureDataURL.problem(with: fits + "AAAA", at: "x")?.param == "x")
        let item = ConversationItem(
            id: "p", body: .message(MessageItem(role: .user, content: [.inputImage(url: fits, detail: "low")])))
        let retrieved = RealtimeCodec.encode(.conversationItemRetrieved(item), eventId: "e")
        #expect(retrieved.count <= RealtimeLimits.serverEventBytes)
    }
}
