import Testing

@testable import GlassesPluginHost

@Suite("The permissions of plugins")
struct SandboxPermissionTests {
    @Test(
        "a text becomes a permission and back",
        arguments: [
            "microphone", "speaker", "camera", "network", "bluetooth", "localSockets", "files", "files:read:/srv/music",
            "files:write:~/Music", "files:read:/",
        ])
    func texts(_ text: String) throws { #expect(try SandboxPermission(text).text == text) }

    @Test("a path is kept without its doubled and last slashes")
    func normalised() throws {
        #expect(try SandboxPermission("files:read://srv//music/").text == "files:read:/srv/music")
        #expect(try SandboxPermission("files:read:~/").text == "files:read:~")
    }

    @Test(
        "a text that is no permission says what is one",
        arguments: [
            ("audio", "unknown_permission"), ("", "unknown_permission"), ("Network", "unknown_permission"),
            ("files:", "invalid_files_permission"), ("files:read", "invalid_files_permission"),
            ("files:read:", "invalid_files_permission"), ("files:read:music", "invalid_files_permission"),
            ("files:all:/srv", "invalid_files_permission"), ("files:read:/srv/../etc", "invalid_files_permission"),
            ("files:read:~ann/x", "invalid_files_permission"), ("files:read:/a/./b", "invalid_files_permission"),
        ])
    func refused(text: String, code: String) {
        #expect {
            try SandboxPermission(text)
        } throws: { error in
            guard let error = error as? SandboxPermissionError else { return false }
            return error.code == code && error.description.contains("files:read:PATH")
        }
    }

    @Test(
        "files cover what lies below them, and writing covers reading",
        arguments: [
            ("files", "files:write:/srv", true), ("files:read:/srv", "files", false),
            ("files:read:/srv", "files:read:/srv/music", true), ("files:read:/srv", "files:read:/srvx", false),
            ("files:read:/srv", "files:write:/srv", false), ("files:write:/srv", "files:read:/srv", true),
            ("files:read:/", "files:read:/etc", true), ("files:read:/", "files:read:~/x", false),
            ("network", "network", true), ("network", "camera", false), ("files", "network", false),
        ])
    func cover(permission: String, other: String, covers: Bool) throws {
        #expect(try SandboxPermission(permission).covers(SandboxPermission(other)) == covers)
    }
}
