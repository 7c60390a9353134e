import Foundation
import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("What the rules brain says of pictures")
struct PictureAnswerTests {
    private static let look = FunctionTool(name: "look", description: "Look at what is in front of the user.")

    private static func picture(
        _ file: Data, caption: String = "", type: String = "jpeg", age: Duration = .seconds(2)
    ) -> BrainMessage {
        let url = "data:image/\(type);base64," + file.base64EncodedString()
        return .picture(BrainPicture(url: url, caption: caption, age: age))
    }

    private static func answer(
        _ pending: [BrainMessage], context: [BrainMessage] = [], tools: [FunctionTool] = [],
        coder: (any PictureCoder)? = FakeCoder()
    ) async throws -> BrainReply {
        let request = BrainRequest(occasion: .turn, context: context + pending, pending: pending, tools: tools)
        return try await RulesPipelineBrain(pictures: coder).makeSession().reply(to: request)
    }

    private static let grey = FakeCoder.file(width: 200, height: 100, grey: 100)

    @Test("a shown picture is answered with its size, brightness and age, and that nothing is recognised")
    func measured() async throws {
        let reply = try await Self.answer([Self.picture(Self.grey)])
        #expect(
            reply.speech
                == "I can't recognise what is in a picture. This one is 200 by 100 pixels, of medium brightness, and it "
                + "came just now.")
        #expect(reply.calls.isEmpty)
    }

    @Test(
        "brightness is told as it was measured",
        arguments: [(0, "almost black"), (60, "dark"), (128, "of medium"), (200, "bright"), (255, "almost white")]
            as [(UInt8, String)])
    func brightness(grey: UInt8, words: String) async throws {
        let file = FakeCoder.file(width: 9, height: 9, grey: grey)
        #expect(try await Self.answer([Self.picture(file)]).speech?.contains("9 by 9 pixels, \(words)") == true)
    }

    @Test("the size is that of the upright picture")
    func turned() async throws {
        let file = FakeCoder.file(width: 200, height: 100, quarters: 1, grey: 100)
        #expect(try await Self.answer([Self.picture(file)]).speech?.contains("100 by 200") == true)
    }

    @Test("words that came with a picture are about it and call no tool")
    func caption() async throws {
        let reply = try await Self.answer(
            [Self.picture(Self.grey, caption: "look at what is in front of me")], tools: [Self.look])
        #expect(reply.calls.isEmpty)
        #expect(reply.speech?.hasPrefix("I can't recognise") == true)
    }

    @Test("half a picture is said to be damaged", arguments: [Data([0xFF, 0xD8, 0xFF, 9, 9, 0]), Data([0xFF, 0xD8])])
    func damaged(file: Data) async throws {
        let reply = try await Self.answer([Self.picture(file)])
        #expect(reply.speech == "The picture that came just now is damaged, so I can't open it.")
    }

    @Test("without anything to measure by, only the age is told")
    func unmeasured() async throws {
        let reply = try await Self.answer([Self.picture(Self.grey, age: .seconds(125))], coder: nil)
        #expect(reply.speech == "I can't recognise what is in a picture. The last one came 2 minutes ago.")
        let forgotten = BrainMessage.picture(BrainPicture(url: "", caption: "", age: .seconds(3_700)))
        #expect(try await Self.answer([forgotten]).speech?.hasSuffix("came 1 hour ago.") == true)
    }

    @Test("a format that is not decoded has a size and no brightness")
    func otherFormat() async throws {
        let file = Data([0x89, 0x50, 0x4E, 30, 20, 0, 1])
        let speech = try await Self.answer([Self.picture(file, type: "png")]).speech
        #expect(speech?.contains("30 by 20 pixels, and it came just now.") == true)
    }

    @Test(
        "a question about what is to be seen is answered by the newest picture",
        arguments: [
            "what do you see", "what can you see?", "what is in the picture", "describe the picture",
            "how bright is the photo", "what's in front of me", "what am I looking at",
        ])
    func question(text: String) async throws {
        let old = Self.picture(FakeCoder.file(width: 1, height: 1, grey: 0))
        let reply = try await Self.answer(
            [.user(text)], context: [old, Self.picture(Self.grey, age: .seconds(70)), .assistant("I can't.")])
        #expect(reply.speech?.hasSuffix("of medium brightness, and it came 1 minute ago.") == true)
        #expect(try await Self.answer([.user(text)]).speech == "I have no picture to look at.")
    }

    @Test("other requests that cannot be done are refused as before", arguments: ["sing a song", "take me to the sea"])
    func unrelated(text: String) async throws {
        let reply = try await Self.answer([.user(text)], context: [Self.picture(Self.grey)])
        #expect(reply.speech == "Sorry, I can't do that.")
    }

    @Test(
        "what is asked with a tool that looks calls it",
        arguments: ["what do you see", "What is in front of me?", "look at what is in front of me"])
    func tool(text: String) async throws {
        let look = FunctionTool(
            name: "look", description: "See what is in front of the user: take a photo and look at it.")
        #expect(try await Self.answer([.user(text)], tools: [look]).calls.map(\.name) == ["look"])
    }

    @Test("a tool's result is said before the picture that it brought")
    func afterTool() async throws {
        let call = BrainMessage.call(callId: "c", BrainFunctionCall(name: "look", arguments: "{}"))
        let result = BrainMessage.result(callId: "c", name: "look", output: "I took a picture.")
        let pending = [Self.picture(Self.grey), result]
        let request = BrainRequest(
            occasion: .turn, context: [.user("what do you see"), call] + pending, pending: pending, tools: [Self.look])
        let reply = try await RulesPipelineBrain(pictures: FakeCoder()).makeSession().reply(to: request)
        #expect(reply.speech?.hasPrefix("I took a picture. I can't recognise") == true)
        #expect(reply.calls.isEmpty)
    }
}
