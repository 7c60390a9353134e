import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The profile of a plugin's child")
struct SandboxProfileTests {
    @Test("it survives the way to the child")
    func roundTrip() throws {
        let lab = try SandboxLab()
        for permissions in [[], ["microphone", "network", "files:write:/srv"], ["bluetooth"]] {
            var profile = try lab.profile(permissions)
            #expect(try SandboxProfile(text: profile.text) == profile)
            profile.landlockABI = 2
            profile.limits.data = .max
            let read = try SandboxProfile(text: profile.text)
            #expect(read.landlockABI == 2)
            // A number of JSON ends earlier; nobody has that much memory.
            #expect(read.limits.data == UInt64(Int64.max))
        }
    }

    @Test(
        "half a profile is an error, never a wider one",
        arguments: [
            "", "{}", #"{"rules":[],"limits":[1,2,3,4,5]}"#,
            #"{"rules":[["/"]],"limits":[1,2,3,4,5],"localSockets":false,"network":false,"bluetooth":false,"attributes":false}"#,
            #"{"rules":[["/","q"]],"limits":[1,2,3,4,5],"localSockets":false,"network":false,"bluetooth":false,"attributes":false}"#,
            #"{"rules":[],"limits":[1,2,3,4],"localSockets":false,"network":false,"bluetooth":false,"attributes":false}"#,
            #"{"rules":[],"limits":[1,2,3,4,5],"localSockets":0,"network":false,"bluetooth":false,"attributes":false}"#,
        ])
    func broken(_ text: String) {
        #expect(throws: SandboxProfileError.self) { try SandboxProfile(text: text) }
    }

    @Test("an installed plugin reads its folder; one in a build folder only what belongs to it")
    func ownFiles() throws {
        let lab = try SandboxLab()
        let folder = lab.path + "/build"
        try FileManager.default.createDirectory(
            atPath: folder + "/app_Other.resources", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: folder + "/app_Probe.resources", withIntermediateDirectories: true)
        for name in ["libProbe.so", "libHelp.so.2", "secret.key"] {
            try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        let built = SandboxProfile.probing(library: folder + "/libProbe.so").rules.map(\.path)
            .filter { $0.hasPrefix(folder) }
        #expect(Set(built) == Set(["/libProbe.so", "/libHelp.so.2", "/app_Probe.resources"].map { folder + $0 }))
        let installed = SandboxProfile.probing(library: lab.path + "/plugin/libprobe.so").rules.map(\.path)
        #expect(installed.contains(lab.path + "/plugin"))
    }

    @Test("granted variables lead to the files that they name, and others do not")
    func variables() throws {
        let lab = try SandboxLab()
        let values = [
            "HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7", "PULSE_COOKIE": "/keys/cookie",
            "ALSA_CONFIG_PATH": "/conf/a.conf:/conf/b.conf",
        ]
        func paths(_ permissions: [SandboxPermission], _ names: [String]) -> Set<String> {
            let grants = PluginGrants(permissions: permissions, environment: names)
            let profile = SandboxProfile(
                lab.plugin(), grants: grants, environment: PluginEnvironment(grants, from: values),
                places: SandboxPlaces(home: "/home/ann"))
            return Set(profile.rules.map(\.path))
        }
        let named: Set = [
            "/home/ann/.asoundrc", "/home/ann/.config/pulse", "/run/user/7/pulse", "/keys/cookie", "/conf/a.conf",
            "/conf/b.conf",
        ]
        #expect(paths([.microphone], Array(values.keys)).isSuperset(of: named))
        #expect(paths([.microphone], []).isDisjoint(with: named))
        #expect(paths([.network], Array(values.keys)).isDisjoint(with: named))
        // The home folder itself is never let through by a variable.
        #expect(!paths([.microphone, .speaker], Array(values.keys)).contains("/home/ann"))
    }

    @Test("a card that is plugged in later is reached by a plugin with both permissions, and not by half of them")
    func hotplug() throws {
        let lab = try SandboxLab()
        func rules(_ permissions: [String]) throws -> [SandboxRule] {
            try lab.profile(permissions).rules.filter { $0.path.hasPrefix(lab.path + "/devices") }
        }
        let folder = lab.path + "/devices/snd"
        #expect(try rules(["microphone", "speaker"]) == [SandboxRule(folder, .device)])
        #expect(
            try rules(["microphone"]) == [
                SandboxRule(folder, .list), SandboxRule(folder + "/pcmC0D0c", .device),
                SandboxRule(folder + "/controlC0", .device),
            ])
        #expect(try rules([]).isEmpty)
    }

    @Test("the home folder of a permission is the user's, and a user without one has none")
    func home() throws {
        let scope = try FileScope(.read, path: "~/Music")
        #expect(scope.absolutePath(home: "/home/ann") == "/home/ann/Music")
        #expect(scope.absolutePath(home: nil) == nil)
    }

    @Test("a path that the app gives in the settings can be read, and other texts of the settings open nothing")
    func settings() throws {
        let lab = try SandboxLab()
        func rules(_ settings: JSONValue) -> Set<SandboxRule> {
            Set(
                SandboxProfile(
                    lab.plugin(), grants: .none, environment: PluginEnvironment(.none, from: [:]), settings: settings
                ).rules)
        }
        let plain = rules([:])
        #expect(
            rules(["modelFolder": "/models/en", "rate": 3]).subtracting(plain) == [SandboxRule("/models/en", .read)])
        #expect(rules(["name": "models", "separator": "/", "path": "~/x"]) == plain)
    }
}
