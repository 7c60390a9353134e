import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("What plugins are granted")
struct PluginGrantsStoreTests {
    private let lab: SandboxLab
    private let store: PluginGrantsStore
    private let plugin: FoundPlugin

    init() throws {
        lab = try SandboxLab()
        store = PluginGrantsStore(path: lab.path + "/config/extentos/plugin-grants.json")
        plugin = lab.plugin(
            permissions: ["network", "camera", "files:read:/srv/music", "audio"], environment: ["LANG", "LD_PRELOAD"])
        try Data("code".utf8).write(to: URL(fileURLWithPath: plugin.library))
    }

    private func permissions(_ origin: PluginOrigin = .thirdParty) throws -> [String] {
        try store.grants(of: plugin, origin: origin).permissions.map(\.text)
    }

    @Test("a third party's plugin starts with nothing, one of this program with what it asks for")
    func beginning() throws {
        #expect(try store.grants(of: plugin, origin: .thirdParty) == .none)
        let own = try store.grants(of: plugin, origin: .shipped)
        #expect(own.permissions.map(\.text) == ["camera", "files:read:/srv/music", "network"])
        #expect(own.environment == ["LANG"])
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("what is granted holds until it is revoked")
    func grantAndRevoke() throws {
        try store.grant(PluginGrantChange(permissions: [.network], environment: ["LANG"]), to: plugin)
        #expect(try permissions() == ["network"])
        #expect(try store.grants(of: plugin, origin: .thirdParty).environment == ["LANG"])
        try store.grant(
            PluginGrantChange(permissions: [SandboxPermission("files:read:/srv/music/jazz")]), to: plugin)
        #expect(try permissions() == ["files:read:/srv/music/jazz", "network"])
        try store.revoke(PluginGrantChange(permissions: [.files(nil)]), from: plugin, origin: .thirdParty)
        #expect(try permissions() == ["network"])
        try store.revoke(PluginGrantChange(), from: plugin, origin: .thirdParty)
        #expect(try store.grants(of: plugin, origin: .thirdParty) == .none)
    }

    @Test("nothing named grants everything that the manifest asks for")
    func everything() throws {
        try store.grant(PluginGrantChange(), to: plugin)
        #expect(try store.grants(of: plugin, origin: .thirdParty) == store.grants(of: plugin, origin: .shipped))
    }

    @Test("a replaced library loses its grants, and the decision says so")
    func replaced() throws {
        try store.grant(PluginGrantChange(permissions: [.network]), to: plugin)
        try Data("other code".utf8).write(to: URL(fileURLWithPath: plugin.library))
        #expect(try store.grants(of: plugin, origin: .thirdParty) == .none)
        #expect(try store.decision(on: plugin, origin: .thirdParty).isForAnotherFile)
        try store.grant(PluginGrantChange(permissions: [.camera]), to: plugin)
        #expect(try permissions() == ["camera"])
        #expect(try !store.decision(on: plugin, origin: .thirdParty).isForAnotherFile)
    }

    @Test("what is taken from a plugin of this program stays taken from its next version, until it is granted again")
    func revokedStays() throws {
        try store.revoke(PluginGrantChange(permissions: [.camera]), from: plugin, origin: .shipped)
        try Data("next version".utf8).write(to: URL(fileURLWithPath: plugin.library))
        #expect(try permissions(.shipped) == ["files:read:/srv/music", "network"])
        try store.grant(PluginGrantChange(permissions: [.camera]), to: plugin)
        #expect(try permissions(.shipped) == ["camera", "files:read:/srv/music", "network"])
    }

    @Test(
        "a part of a permission cannot be revoked, since it would stay open",
        arguments: [PluginOrigin.shipped, .thirdParty])
    func partOfGrant(origin: PluginOrigin) throws {
        try store.grant(PluginGrantChange(), to: plugin)
        let part = PluginGrantChange(permissions: [.network, try SandboxPermission("files:read:/srv/music/jazz")])
        #expect(Self.code { try store.revoke(part, from: plugin, origin: origin) } == "part_of_grant")
        #expect(try permissions(origin) == ["camera", "files:read:/srv/music", "network"])
    }

    @Test("granting some of what was revoked brings nothing else back")
    func grantAfterRevoke() throws {
        var asking = plugin
        asking.manifest.permissions = ["files:read:/a", "files:read:/b"]
        try store.revoke(PluginGrantChange(permissions: [.files(nil)]), from: asking, origin: .shipped)
        #expect(try store.grants(of: asking, origin: .shipped) == PluginGrants(permissions: [], environment: ["LANG"]))
        let some = try SandboxPermission("files:read:/a/music")
        try store.grant(PluginGrantChange(permissions: [some]), to: asking)
        #expect(try store.grants(of: asking, origin: .shipped).permissions == [some])
    }

    @Test("a grant beyond what the manifest asks for now does not hold")
    func narrowedManifest() throws {
        try store.grant(PluginGrantChange(permissions: [.network]), to: plugin)
        var narrowed = plugin
        narrowed.manifest.permissions = ["camera"]
        #expect(try store.grants(of: narrowed, origin: .thirdParty) == .none)
    }

    @Test(
        "what the manifest does not ask for cannot be granted",
        arguments: [
            (PluginGrantChange(permissions: [.bluetooth]), "not_asked_for"),
            (PluginGrantChange(environment: ["HOME"]), "not_asked_for"),
            (PluginGrantChange(environment: ["LD_PRELOAD"]), "variable_withheld"),
        ])
    func notAsked(change: PluginGrantChange, code: String) {
        #expect(Self.code { try store.grant(change, to: plugin) } == code)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("a plugin that asks for files without a path gets those that are named, and no others")
    func filesWithoutPath() throws {
        let plugin = lab.plugin(permissions: ["files"])
        try Data().write(to: URL(fileURLWithPath: plugin.library))
        let all = PluginGrantChange(permissions: [.files(nil)])
        #expect(Self.code { try store.grant(all, to: plugin) } == "files_without_path")
        try store.grant(PluginGrantChange(), to: plugin)
        #expect(try store.grants(of: plugin, origin: .shipped) == .none)
        let some = try SandboxPermission("files:write:/srv")
        try store.grant(PluginGrantChange(permissions: [some]), to: plugin)
        #expect(try store.grants(of: plugin, origin: .thirdParty).permissions == [some])
    }

    @Test("the file and its folder are for their owner alone")
    func modes() throws {
        try store.grant(PluginGrantChange(), to: plugin)
        let mode = { (path: String) in PluginFile(path: path).map { $0.mode & 0o777 } }
        #expect(mode(store.path) == 0o600)
        #expect(mode(PluginPermissions.parent(of: store.path)) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: PluginPermissions.parent(of: store.path))
        #expect(Set(names) == ["plugin-grants.json", "plugin-grants.json.lock"])
    }

    @Test(
        "a broken file grants nothing, is named with its path, and is not overwritten",
        arguments: [
            "", "{", "[]", "{}", #"{"version":2,"plugins":{}}"#, #"{"version":1,"plugins":{"a.b":[]}}"#,
            #"{"version":1,"plugins":{"a.b":{"permissions":"network"}}}"#,
            #"{"version":1,"plugins":{"a.b":{"permissions":["everything"]}}}"#,
            #"{"version":1,"plugins":{"a.b":{"sha256":1}}}"#,
            #"{"version":1,"plugins":{"a.b":{"environment":[1]}}}"#,
        ])
    func broken(_ text: String) throws {
        try PrivateFile.makeFolder(PluginPermissions.parent(of: store.path))
        try PrivateFile.replace(store.path, with: Array(text.utf8))
        #expect(Self.code { _ = try store.grants(of: plugin, origin: .shipped) } == "grants_broken")
        #expect(Self.code { try store.grant(PluginGrantChange(), to: plugin) } == "grants_broken")
        #expect(try PluginFile.read(store.path, limit: 1_000) == Array(text.utf8))
    }

    @Test("a file that others may write is not believed")
    func unsafe() throws {
        try store.grant(PluginGrantChange(), to: plugin)
        chmod(store.path, 0o666)
        #expect(Self.code { _ = try store.grants(of: plugin, origin: .shipped) } == "grants_unsafe")
    }

    @Test("a folder that cannot be made is named, and nothing is changed")
    func notWritten() throws {
        let store = PluginGrantsStore(path: lab.path + "/private/secret/grants.json")
        #expect(Self.code { try store.grant(PluginGrantChange(), to: plugin) } == "grants_not_written")
    }

    @Test("changes from many threads at once are all kept")
    func concurrent() async throws {
        let plugins = (0..<24).map { index in
            var other = plugin
            other.manifest.id = "org.example.probe\(index)"
            return other
        }
        let failures = await withCheckedContinuation { continuation in
            // Threads of their own: a change may wait, and the pool has few.
            Thread.detachNewThread { [store] in
                let group = DispatchGroup()
                let queue = DispatchQueue(label: "grants", attributes: .concurrent)
                let failures = Collected<String>()
                for plugin in plugins {
                    queue.async(group: group) {
                        do {
                            try store.grant(PluginGrantChange(permissions: [.network]), to: plugin)
                        } catch {
                            failures.append("\(error)")
                        }
                    }
                }
                group.wait()
                continuation.resume(returning: failures.all)
            }
        }
        #expect(failures == [])
        for plugin in plugins {
            #expect(try store.grants(of: plugin, origin: .thirdParty).permissions == [.network])
        }
    }

    private static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PluginGrantsError)?.code
        }
    }
}
