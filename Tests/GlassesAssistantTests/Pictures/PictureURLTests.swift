@testable import GlassesAssistant
import GlassesDomain
import Testing

@Suite struct PictureURLTests {
    @Test(arguments: [
        ("/tmp/a b.jpg", PictureURL.file(path: "/tmp/a b.jpg")), ("photos/1.png", .file(path: "photos/1.png")),
        ("/a:b.jpg", .file(path: "/a:b.jpg")), ("file:///tmp/a%20b%C3%A9.jpg", .file(path: "/tmp/a bé.jpg")),
        ("file:/tmp/a.jpg", .file(path: "/tmp/a.jpg")), ("FILE://localhost/x", .file(path: "/x")),
        ("http://h/p.jpg", .link("http://h/p.jpg")), ("HTTPS://h/p", .link("HTTPS://h/p")),
        ("data:image/png;base64,QUJD", .data(mimeType: "image/png", base64: "QUJD")),
        ("DATA:Image/JPEG;charset=x;base64,QQ==", .data(mimeType: "image/jpeg", base64: "QQ==")),
        ("data:;base64,", .data(mimeType: "", base64: "")),
    ]) func aPictureIsNamedByAPathOrAURL(text: String, url: PictureURL) { #expect(PictureURL(text) == url) }

    @Test(arguments: [
        "", "ftp://h/p.jpg", "content:1", "http:", "http://", "data:image/png,abc", "data:image/png;base64",
        "file://other/x.jpg", "file:x.jpg", "file:///a%2", "file:///a%zz", "file:///a%00b", "file:///%ff", "a\0b",
        "data:" + String(repeating: "x", count: 300) + ";base64,QQ==", String(repeating: "x", count: 5_000),
    ]) func anythingElseIsRefused(text: String) { #expect(PictureURL(text) == nil) }

    @Test(arguments: [
        ([0xFF, 0xD8, 0xFF, 0xE0] as [UInt8], PictureFormat.jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], .png),
        (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("....ftypheic....".utf8), .heic),
        (Array("....ftypmif1".utf8), .heic), (Array("....ftypisom".utf8), nil), (Array("RIFF....WAVE".utf8), nil),
        (Array("GIF89a......".utf8), nil), ([0xFF, 0xD8], nil), ([], nil),
    ]) func theFirstBytesTellTheFormat(file: [UInt8], format: PictureFormat?) {
        #expect(PictureFormat(file: file) == format)
    }

    @Test func theLongestPictureWithTheLongestPromptFitsIntoAMessageThatEveryProviderTakes() {
        let escaped = 6 * PictureBudget.promptBytes
        #expect(PictureBudget.still.urlBytes + escaped < 1 << 20)
        #expect(PictureBudget.still.takes(fileBytes: 390_000, mimeType: "image/jpeg"))
        #expect(!PictureBudget.still.takes(fileBytes: 394_000, mimeType: "image/jpeg"))
    }

    @Test(
        arguments: [
            ("gemini-3.1-flash-live-preview", true), ("gemini-3.1-flash-live", true), ("gpt-realtime-2", false),
            ("gemini-3.1-flash-lively", false), ("local", false), (nil, false),
        ] as [(String?, Bool)]) func aModelThatIsNotKnownSeesNoVideo(model: String?, isSupported: Bool)
    {
        #expect(assistantModelSupportsVideo(model) == isSupported)
    }
}
