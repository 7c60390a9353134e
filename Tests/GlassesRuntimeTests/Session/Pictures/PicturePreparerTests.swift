import Foundation
import GlassesAssistant
import GlassesDomain
import Testing

@testable import GlassesRuntime

@Suite struct PicturePreparerTests {
    private static let jpegHead = Data([0xFF, 0xD8, 0xFF, 0xE0])
    private static let pngHead = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// A JPEG file of so many bytes, by its first bytes at least.
    private static func jpeg(bytes: Int) -> Data { jpegHead + Data(count: max(0, bytes - jpegHead.count)) }

    private static func preparer(
        coder: (any PictureCoder)? = ScriptedCoder { _, _, _ in jpeg(bytes: 1_000) }, followsLinks: Bool = true,
        file: @escaping @Sendable (String, Int) throws(PictureFileError) -> Data = { _, _ in jpeg(bytes: 2_000) }
    ) -> PicturePreparer {
        PicturePreparer(
            ports: PicturePorts(files: PictureFilePort(read: file), coder: coder), followsLinks: followsLinks)
    }

    private static func refusal(_ preparer: PicturePreparer, _ source: PictureSource) async -> PictureRefusal? {
        do throws(PictureRefusal) {
            _ = try await preparer.prepare(source, for: .still)
            return nil
        } catch { return error }
    }

    @Test func aTwelveMegabytePhotoIsScaledToWhatModelsUse() async throws {
        let coder = ScriptedCoder { file, _, _ in
            #expect(file.count == 12 << 20)
            return Self.jpeg(bytes: 200_000)
        }
        let preparer = Self.preparer(coder: coder) { _, limit in
            #expect(limit == 32 << 20)
            return Self.jpeg(bytes: 12 << 20)
        }
        let picture = try await preparer.prepare(.uri("/photo"), for: .still)
        #expect(picture.url == "data:image/jpeg;base64," + Self.jpeg(bytes: 200_000).base64EncodedString())
        #expect(coder.steps == ["1024@80"])
    }

    @Test func aPictureThatStaysTooBigIsTriedSmallerAndNeverSentTooBig() async throws {
        let coder = ScriptedCoder { _, side, _ in Self.jpeg(bytes: side > 768 ? 600_000 : 300_000) }
        let picture = try await Self.preparer(coder: coder).prepare(.uri("/photo"), for: .still)
        #expect(coder.steps == ["1024@80", "1024@60", "768@60"])
        #expect(picture.size <= PictureBudget.still.urlBytes)
        let stubborn = ScriptedCoder { _, _, _ in Self.jpeg(bytes: 600_000) }
        let refusal = await Self.refusal(Self.preparer(coder: stubborn), .uri("/photo"))
        #expect(refusal?.code == "picture_too_large")
        #expect(stubborn.steps == ["1024@80", "1024@60", "768@60", "512@50"])
    }

    @Test func aFrameIsScaledFurther() async throws {
        let coder = ScriptedCoder { _, side, _ in Self.jpeg(bytes: side * 100) }
        let picture = try await Self.preparer(coder: coder).prepare(.frame(Self.jpeg(bytes: 9_000)), for: .frame)
        #expect(coder.steps == ["512@80"])
        #expect(picture.size <= PictureBudget.frame.urlBytes)
    }

    @Test(arguments: [
        (PictureFileError.notFound, "include_image_unsupported_uri"), (.notReadable, "include_image_unsupported_uri"),
        (.notAFile, "include_image_unsupported_uri"), (.tooLarge, "picture_too_large"),
    ]) func aFileThatCannotBeReadIsRefusedWithAReason(error: PictureFileError, code: String) async {
        let preparer = Self.preparer { _, _ throws(PictureFileError) in throw error }
        let refusal = await Self.refusal(preparer, .uri("/secret/path.jpg"))
        #expect(refusal?.code == code)
        #expect(refusal?.message.contains("secret") == false)
    }

    @Test(arguments: [
        (MediaError.undecodable(reason: "half"), "picture_undecodable"),
        (.unsupportedSize(width: 0, height: 9), "picture_too_large"),
        (.coderFailed(code: "oom", message: "no memory"), "oom"),
    ]) func aPictureThatCannotBeDecodedIsRefused(error: MediaError, code: String) async {
        let coder = ScriptedCoder { _, _, _ throws(MediaError) in throw error }
        #expect(await Self.refusal(Self.preparer(coder: coder), .uri("/half.jpg"))?.code == code)
    }

    @Test func theBytesTellTheFormatAndNotTheName() async throws {
        let png = Self.pngHead + Data(count: 100)
        let picture = try await Self.preparer { _, _ in png }.prepare(.uri("/photo.jpg"), for: .still)
        #expect(picture.url.hasPrefix("data:image/png;base64,"))
        let text = Self.preparer { _, _ in Data("hello, world".utf8) }
        #expect(await Self.refusal(text, .uri("/photo.jpg"))?.code == "include_image_unsupported_uri")
        let large = Self.preparer { _, _ in Self.pngHead + Data(count: 400_000) }
        #expect(await Self.refusal(large, .uri("/large.png"))?.code == "picture_too_large")
    }

    @Test func withoutACoderASmallPictureGoesAsItIs() async throws {
        let picture = try await Self.preparer(coder: nil).prepare(.uri("/a"), for: .still)
        #expect(picture.url.hasSuffix(Self.jpeg(bytes: 2_000).base64EncodedString()))
        let large = Self.preparer(coder: nil) { _, _ in Self.jpeg(bytes: 400_000) }
        #expect(await Self.refusal(large, .uri("/a"))?.code == "picture_too_large")
    }

    @Test func aDataURLIsReadLikeAFile() async throws {
        let coder = ScriptedCoder { file, _, _ in
            #expect(file == Self.jpeg(bytes: 50))
            return Self.jpeg(bytes: 40)
        }
        let url = "data:image/whatever;base64," + Self.jpeg(bytes: 50).base64EncodedString()
        let picture = try await Self.preparer(coder: coder).prepare(.uri(url), for: .still)
        #expect(picture.url == "data:image/jpeg;base64," + Self.jpeg(bytes: 40).base64EncodedString())
        let broken = await Self.refusal(Self.preparer(), .uri("data:image/jpeg;base64,####"))
        #expect(broken?.code == "include_image_unsupported_uri")
    }

    @Test func aLinkGoesToAProviderThatFollowsLinksAndToNoOther() async throws {
        let link = "https://example.org/photo.jpg"
        #expect(try await Self.preparer().prepare(.uri(link), for: .still).url == link)
        let local = await Self.refusal(Self.preparer(followsLinks: false), .uri(link))
        #expect(local?.code == "include_image_unsupported_uri")
        let long = await Self.refusal(Self.preparer(), .uri(link + String(repeating: "x", count: 9_000)))
        #expect(long?.code == "include_image_unsupported_uri")
        #expect(await Self.refusal(Self.preparer(), .uri("ftp://x/y"))?.code == "include_image_unsupported_uri")
    }
}
