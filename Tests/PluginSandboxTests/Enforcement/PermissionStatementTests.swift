import Testing

@testable import GlassesPluginHost

@Suite("What a permission is worth")
struct PermissionStatementTests {
    private static let full = SandboxSupport(landlockABI: 7, hasSeccomp: true, soundServer: nil)
    private static let withServer = SandboxSupport(landlockABI: 7, hasSeccomp: true, soundServer: "/run/pulse/native")

    private func statements(
        _ granted: [String], on support: SandboxSupport, isolation: PluginIsolation = .process
    ) throws -> [String: PermissionStatement] {
        var manifest = PluginManifest(id: "org.example.x", name: "X", version: "1", abi: .host, kinds: [.transport])
        manifest.permissions = granted
        let plugin = FoundPlugin(manifest: manifest, library: "/nowhere/libX.so", factories: [])
        let decision = PluginGrantDecision(plugin, origin: .shipped, record: nil, digest: nil)
        let all = PermissionStatement.all(for: decision, isolation: isolation, support: support)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.permission.text, $0) })
    }

    private func isEnforced(_ statement: PermissionStatement?) -> Bool? {
        guard let statement else { return nil }
        if case .enforced = statement.enforcement { return true }
        return false
    }

    @Test("with everything in the kernel, every permission of a plugin without any is enforced")
    func full() throws {
        let statements = try statements([], on: Self.withServer)
        #expect(
            Set(statements.keys) == [
                "microphone", "speaker", "camera", "network", "bluetooth", "localSockets", "files",
            ])
        for (name, statement) in statements {
            #expect(isEnforced(statement) == true, "\(name)")
            #expect(!statement.isGranted && !statement.isAskedFor)
        }
    }

    @Test("network is enforced by seccomp, with Landlock from ABI 4 on, and by nothing without seccomp")
    func network() throws {
        func enforcement(_ abi: Int, _ hasSeccomp: Bool) throws -> PermissionStatement.Enforcement? {
            try statements([], on: SandboxSupport(landlockABI: abi, hasSeccomp: hasSeccomp, soundServer: nil))[
                "network"]?.enforcement
        }
        #expect(try enforcement(1, true) == .enforced(by: ["seccomp (AF_INET, AF_INET6)"]))
        #expect(try enforcement(4, true) == .enforced(by: ["seccomp (AF_INET, AF_INET6)", "Landlock (TCP)"]))
        #expect(try enforcement(0, false) == .declaredOnly("this kernel has no seccomp"))
        #expect(
            try enforcement(7, false) == .declaredOnly("this kernel has no seccomp; Landlock refuses TCP, but not UDP"))
    }

    @Test("where a sound server is used, microphone and speaker are one permission")
    func sound() throws {
        let both = try statements(["microphone", "speaker"], on: Self.withServer)
        #expect(isEnforced(both["microphone"]) == true)
        #expect(both["microphone"]?.caveat?.contains("one permission with speaker") == true)
        #expect(both["speaker"]?.caveat?.contains("one permission with microphone") == true)
        let speaker = try statements(["speaker"], on: Self.withServer)
        #expect(isEnforced(speaker["microphone"]) == false)
        #expect(speaker["microphone"]?.isGranted == false)
        #expect(isEnforced(try statements(["bluetooth"], on: Self.withServer)["microphone"]) == false)
    }

    @Test("without a sound server each is enforced alone, by the sound card's nodes")
    func cards() throws {
        let speaker = try statements(["speaker"], on: Self.full)
        #expect(speaker["microphone"]?.enforcement == .enforced(by: ["Landlock (sound cards)"]))
        #expect(speaker["microphone"]?.caveat == nil)
    }

    @Test("without Landlock, devices and files are declared only")
    func noLandlock() throws {
        let support = SandboxSupport(landlockABI: 0, hasSeccomp: true, soundServer: nil)
        let statements = try statements(["files:read:/srv"], on: support)
        for name in ["microphone", "speaker", "camera", "files:read:/srv"] {
            #expect(isEnforced(statements[name]) == false, "\(name)")
        }
        for name in ["network", "bluetooth", "localSockets"] {
            #expect(isEnforced(statements[name]) == true, "\(name)")
        }
    }

    @Test("in the app's own process everything is declared only")
    func inProcess() throws {
        for (name, statement) in try statements(["network"], on: Self.full, isolation: .inProcess) {
            #expect(isEnforced(statement) == false, "\(name)")
        }
    }

    @Test("an older Landlock has its gap named where it matters")
    func oldLandlock() throws {
        let old = SandboxSupport(landlockABI: 2, hasSeccomp: true, soundServer: nil)
        #expect(try statements(["files:write:/srv"], on: old)["files:write:/srv"]?.caveat != nil)
        #expect(try statements(["files:write:/srv"], on: Self.full)["files:write:/srv"]?.caveat == nil)
    }

    @Test("this machine has seccomp and Landlock")
    func machine() {
        let support = SandboxSupport.current(environment: [:])
        #expect(support.hasSeccomp)
        #expect(support.landlockABI > 0)
    }

    @Test("a sound server is found where the user's variables name it")
    func soundServer() throws {
        let lab = try SandboxLab()
        #expect(SandboxSupport.soundServer(["PULSE_SERVER": "unix:/x"]) == "unix:/x")
        let folder = lab.path + "/runtime"
        try PrivateFile.makeFolder(folder)
        try PrivateFile.replace(folder + "/native", with: [])
        #expect(SandboxSupport.soundServer(["PULSE_RUNTIME_PATH": folder]) == folder + "/native")
    }
}
