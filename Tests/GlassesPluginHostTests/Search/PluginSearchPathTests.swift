import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("The places in which plugins are looked for")
struct PluginSearchPathTests {
    @Test("The order is configuration, environment, executable, user, system, each once")
    func orders() {
        let path = PluginSearchPath.standard(
            configured: ["/a/", "/b"],
            environment: ["EXTENTOS_PLUGIN_PATH": "/b:/c:relative::/d", "XDG_DATA_HOME": "/data", "HOME": "/home/me"],
            executableFolder: "/opt/bin")
        #expect(
            path.entries == [
                "/a", "/b", "/c", "/d", "/opt/bin", "/opt/bin/plugins", "/data/extentos/plugins",
                "/usr/lib/extentos/plugins",
            ])
    }

    @Test("Without XDG_DATA_HOME the home folder counts, and a relative one is left out")
    func fallsBack() {
        let path = PluginSearchPath.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "data"], executableFolder: nil)
        #expect(path.entries == ["/home/me/.local/share/extentos/plugins", "/usr/lib/extentos/plugins"])
    }

    @Test("Both layouts are found from a folder, from the resources and from the library")
    func findsLayouts() throws {
        let folder = try TestFolder()
        let installed = try folder.write("installed/plugin.json", "{}")
        let built = try folder.write("my_pkg_Sound_Card.resources/plugin.json", "{}")
        let library = try folder.write("libSound_Card.so", "")
        try folder.write("libOther.so", "")
        let finder = PluginFinder()
        let one = PluginCandidate(manifestPath: installed, libraryPath: nil)
        let two = PluginCandidate(manifestPath: built, libraryPath: library)
        #expect(finder.candidates(at: folder.path) == [one, two])
        #expect(finder.candidates(at: folder.path + "/installed") == [one])
        #expect(finder.candidates(at: (built as NSString).deletingLastPathComponent) == [two])
        #expect(finder.candidates(at: library) == [two])
        #expect(finder.candidates(at: folder.path + "/libOther.so").isEmpty)
        #expect(finder.candidates(at: folder.path + "/nothing").isEmpty)
    }
}
