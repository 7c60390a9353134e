import Testing

@testable import GlassesPluginHost

@Suite("Code is loaded only from files that nobody else can change")
struct PluginPermissionsTests {
    /// A file system in a few letters: path → owner and mode.
    private static func rules(_ files: [String: (owner: UInt32, mode: UInt32)], privateGroup: UInt32? = nil)
        -> PluginPermissions
    {
        PluginPermissions(user: 1000, privateGroup: privateGroup) { path in
            files[path].map { PluginFile(owner: $0.owner, group: 1000, mode: $0.mode) }
        }
    }

    private static let folder: UInt32 = 0o040_000
    private static let file: UInt32 = 0o100_000

    /// What is changed in a safe tree, and what is said of which path.
    static let table: [(String, UInt32, UInt32, PluginPermissionError.Problem?)] = [
        ("/home/me/p/x.so", 1000, file | 0o644, nil),
        ("/home/me/p/x.so", 0, file | 0o644, nil),
        ("/home/me/p/x.so", 1001, file | 0o644, .foreignOwner),
        ("/home/me/p/x.so", 1000, file | 0o666, .writableByOthers),
        ("/home/me/p/x.so", 1000, file | 0o664, .writableByOthers),
        ("/home/me/p", 1000, folder | 0o777, .writableByOthers),
        ("/home/me/p", 0, folder | 0o1777, .writableByOthers),
        ("/home/me/p", 1002, folder | 0o755, .foreignOwner),
        ("/home/me", 1000, folder | 0o770, .writableByOthers),
        ("/home/me", 0, folder | 0o1777, nil),
        ("/home/me", 1000, folder | 0o1777, .writableByOthers),
        ("/home", 0, folder | 0o1777, nil),
        ("/home", 1001, folder | 0o755, .foreignOwner),
        ("/", 0, folder | 0o777, .writableByOthers),
    ]

    @Test("Owner and mode of the file and of every folder above it decide", arguments: table)
    func decides(_ path: String, _ owner: UInt32, _ mode: UInt32, _ problem: PluginPermissionError.Problem?) {
        var files: [String: (owner: UInt32, mode: UInt32)] = [
            "/": (0, Self.folder | 0o755), "/home": (0, Self.folder | 0o755), "/home/me": (1000, Self.folder | 0o755),
            "/home/me/p": (1000, Self.folder | 0o755), "/home/me/p/x.so": (1000, Self.file | 0o644),
        ]
        files[path] = (owner, mode)
        let rules = Self.rules(files)
        if let problem {
            #expect(throws: PluginPermissionError(path: path, problem: problem)) {
                try rules.checkChain("/home/me/p/x.so")
            }
        } else {
            #expect(throws: Never.self) { try rules.checkChain("/home/me/p/x.so") }
        }
    }

    @Test("A group that holds nobody but the user may write")
    func allowsPrivateGroup() {
        let files: [String: (owner: UInt32, mode: UInt32)] = [
            "/": (0, Self.folder | 0o755), "/p": (1000, Self.folder | 0o775), "/p/x.so": (1000, Self.file | 0o664),
        ]
        #expect(throws: Never.self) { try Self.rules(files, privateGroup: 1000).checkChain("/p/x.so") }
        #expect(throws: PluginPermissionError.self) { try Self.rules(files, privateGroup: 50).checkChain("/p/x.so") }
    }

    @Test("A file that is not there is unreachable")
    func needsTheFile() {
        let rules = PluginPermissions.current()
        #expect(throws: PluginPermissionError(path: "/nowhere/x.so", problem: .unreachable)) {
            try rules.check("/nowhere/x.so")
        }
    }
}
