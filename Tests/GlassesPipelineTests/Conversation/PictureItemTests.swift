import Foundation
import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("Pictures in the conversation")
struct PictureItemTests {
    private func rig(acceptsImages: Bool = true) -> MachineRig {
        var profile = MachineRig.fullProfile
        profile.acceptsImages = acceptsImages
        return MachineRig(profile: profile)
    }

    private func item(_ url: String, id: String, text: String? = nil) -> ConversationItem {
        let words = text.map { [ContentPart.inputText($0)] } ?? []
        return ConversationItem(
            id: id, body: .message(MessageItem(role: .user, content: words + [.inputImage(url: url, detail: "high")])))
    }

    /// A data URL of about so many bytes.
    private func url(bytes: Int) -> String {
        "data:image/jpeg;base64," + String(repeating: "Zm9v", count: bytes / 4)
    }

    @Test("a picture is announced, and retrieved as it came")
    func retrieval() {
        var rig = rig()
        let sent = item(url(bytes: 1_000_000), id: "p", text: "What is it?")
        rig.create(sent)
        rig.client(.conversationItemRetrieve(itemId: "p"))
        guard case .conversationItemRetrieved(let back) = rig.sent.last else {
            Issue.record("not retrieved: \(rig.sent.map(\.type))")
            return
        }
        #expect(back.body == sent.body)
    }

    @Test("a picture with its words and age is what the brain is asked about")
    func asked() {
        var rig = rig()
        rig.create(item(url(bytes: 8), id: "p", text: "What is it?"))
        rig.now = MonotonicTime(nanoseconds: 3_000_000_000)
        rig.client(.responseCreate(nil))
        #expect(
            rig.lastThought?.request.pending == [
                .picture(BrainPicture(url: url(bytes: 8), caption: "What is it?", age: .seconds(3)))
            ])
    }

    @Test("an item with a picture can be deleted, and its bytes with it")
    func deletion() {
        var rig = rig()
        rig.create(item(url(bytes: 8), id: "p"))
        #expect(rig.client(.conversationItemDelete(itemId: "p")) == ["conversation.item.deleted"])
        #expect(rig.client(.conversationItemRetrieve(itemId: "p")) == ["error"])
    }

    @Test("a hundred pictures leave at most 16 MiB of them, the newest ones")
    func memory() {
        var rig = rig()
        for number in 0..<100 { rig.create(item(url(bytes: 1 << 20), id: "p\(number)")) }
        let kept = rig.machine.conversation.entries.filter { $0.pictureBytes > 0 }
        #expect(kept.map(\.id) == (85..<100).map { "p\($0)" })
        #expect(rig.machine.conversation.entries.count == 100)
    }

    @Test(
        "what is no picture of the protocol is refused and names the part",
        arguments: [
            "https://example.org/a.jpg", "data:image/gif;base64,AAAA", "data:image/jpeg;base64,",
            "data:image/png;base64,A",
            "data:image/jpeg;base64,####", "", "data:image/jpeg;base64," + String(repeating: "A", count: 7 << 20),
        ])
    func refusal(url: String) {
        var rig = rig()
        rig.create(item(url, id: "p"))
        guard case .error(let info) = rig.sent.last else {
            Issue.record("accepted")
            return
        }
        #expect(info.code == "invalid_value")
        #expect(info.param == "item.content[0].image_url")
        #expect(!info.message.contains("base64,"))
    }

    @Test("a brain that does nothing with pictures refuses them")
    func blind() {
        var rig = rig(acceptsImages: false)
        rig.create(item(url(bytes: 8), id: "p"))
        guard case .error(let info) = rig.sent.last else {
            Issue.record("accepted")
            return
        }
        #expect(info.param == "item.content[0].type")
    }
}
