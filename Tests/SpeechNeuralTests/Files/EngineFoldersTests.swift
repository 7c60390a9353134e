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
}
