import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("Where a plugin comes from")
struct PluginOriginTests {
    private let lab: SandboxLab

    init() throws {
        lab = try SandboxLab()
        for file in [
            "bin/app", "bin/libSound.so", "bin/plugins/a/libA.so", "lib/extentos/plugins/b/libB.so", "home/libSound.so",
        ] {
            let path = lab.path + "/" + file
            try FileManager.default.createDirectory(
                atPath: PluginPermissions.parent(of: path), withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
        }
    }

    private func origin(_ library: String, id: String) -> PluginOrigin {
        .of(library: lab.path + "/" + library, id: id, executable: lab.path + "/bin/app")
    }

    @Test(
        "what lies beside the program came with it, whatever it calls itself; elsewhere no name makes it so",
        arguments: [
            ("bin/libSound.so", "com.other.sound", PluginOrigin.shipped),
            ("bin/plugins/a/libA.so", "com.other.a", .shipped),
            ("home/libSound.so", "org.extentos.system-device", .thirdParty),
            ("lib/extentos/plugins/b/libB.so", "org.extentos.b", .shipped),
            ("lib/extentos/plugins/b/libB.so", "com.other.b", .thirdParty),
            ("bin/missing.so", "org.extentos.b", .thirdParty),
        ])
    func places(library: String, id: String, expected: PluginOrigin) { #expect(origin(library, id: id) == expected) }

    @Test("a link beside the program to a library elsewhere came from elsewhere")
    func link() throws {
        try FileManager.default.createSymbolicLink(
            atPath: lab.path + "/bin/libLink.so", withDestinationPath: lab.path + "/home/libSound.so")
        #expect(origin("bin/libLink.so", id: "org.extentos.link") == .thirdParty)
    }

    @Test("without knowing the program, nothing came with it", arguments: [nil, "/nowhere/app"])
    func unknown(executable: String?) {
        let library = lab.path + "/bin/libSound.so"
        #expect(PluginOrigin.of(library: library, id: "org.extentos.x", executable: executable) == .thirdParty)
    }

    @Test("what this build made came with the program that it made")
    func build() { #expect(PluginOrigin.of(lab.plugin(library: ProbeLibrary.program)) == .shipped) }
}
