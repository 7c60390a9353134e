import Testing

@testable import GlassesServer

@Suite struct HTTPTargetTests {
    @Test(arguments: [
        ("/", "/", [""]), ("/v1/models", "/v1/models", ["v1", "models"]), ("/a%2Fb/c", "/a/b/c", ["a/b", "c"]),
        ("/caf%C3%A9", "/café", ["café"]), ("/a+b", "/a+b", ["a+b"]), ("/a/", "/a/", ["a", ""]),
        ("//a", "//a", ["", "a"]),
        ("/%E2%82%AC?x", "/€", ["€"]),
    ])
    func aPathIsDecodedOnceAfterItWasSplit(raw: String, path: String, segments: [String]) throws {
        let target = try #require(HTTPTarget(raw))
        #expect(target.path == path)
        #expect(target.segments == segments)
    }

    @Test(arguments: [
        "", "v1", "http://evil.example/", "//..", "/../etc", "/a/./b", "/%2e%2e/b", "/%2E", "/%", "/%4", "/%zz", "/%00",
        "/a%0Ab",
        "/%C3", "/%C0%AF", "/%ED%A0%80", "/a#b", "/?a=%", "/?%00=1", "/?a=%0D%0A", "**",
    ])
    func aTargetThatCannotBeReadOneWayIsRefused(raw: String) {
        #expect(HTTPTarget(raw) == nil)
    }

    @Test func theQueryIsReadInOrder() throws {
        let target = try #require(HTTPTarget("/v1/realtime?model=a%2Fb&x&y=&model=2&z=1+1%2B=2&&"))
        #expect(target.query.map(\.name) == ["model", "x", "y", "model", "z"])
        #expect(target.query.map(\.value) == ["a/b", "", "", "2", "1 1+=2"])
    }
}
