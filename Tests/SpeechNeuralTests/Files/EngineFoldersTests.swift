import Foundation
import Testing

@testable import SpeechNeuralEngines

@Suite struct EngineFoldersTests {
    @Test(arguments: [
        (["EXTENTOS_ENGINES": "/chosen", "XDG_DATA_HOME": "/data", "HOME": "/home/me"], ["/chosen"]),
        (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], ["/data/extentos/engines"]),
        (["HOME": "/home/me"], ["/home/me/.local/share/extentos/engines"]), ([:], []),
    ])
    func theEnvironmentSaysWhereTheyAreAndTheSystemComesLast(variables: [String: String], roots: [String]) {
        let folders = EngineFolders(environment: { variables[$0] })
        #expect(folders.roots == roots + ["/usr/share/extentos/engines"])
    }

    @Test func aManifestIsReadLineByLine() {
        let manifest = EngineManifest("abc 12 -5 one file.so\nshort\nabc x 5 two\nabc 1 y three\n\ndef 0 7 four\n")
        #expect(
            manifest.entries == [
                "one file.so": EngineManifest.Entry(digest: "abc", size: 12, modified: -5),
                "four": EngineManifest.Entry(digest: "def", size: 0, modified: 7),
            ])
    }

    @Test(arguments: ["x86_64", "aarch64"]) func setUpInstallsWhatTheEnginesLookFor(machine: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let list = try String(
            contentsOf: root.appendingPathComponent("Scripts/engines/\(machine).txt"), encoding: .utf8)
        var files: [String: Set<String>] = [:]
        var engine = ""
        for fields in list.split(separator: "\n").map({ $0.split(separator: " ") }) {
            switch fields[0] {
            case "wheel": engine = "\(fields[1])-\(fields[2])"
            case "file", "made": files[engine, default: []].insert((String(fields[1]) as NSString).lastPathComponent)
            default: continue
            }
        }
        for engine in [EngineFiles.sherpa, .moonshine, .silero] {
            #expect(files[engine.name]?.isSuperset(of: engine.files) == true, "\(engine.name)")
        }
    }
}
