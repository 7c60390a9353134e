import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The check of a manifest says everything that is wrong, and where")
struct PluginManifestCheckTests {
    private func findings(_ text: String) -> [PluginManifestFinding] {
        PluginManifestCheck(Array(text.utf8), needsLibrary: true).findings
    }

    private static let good = """
        {
          "id": "org.example.good",
          "name": "Good",
          "version": "1",
          "abi": "1.0",
          "kinds": ["transport"],
          "library": "libgood.so"
        }
        """

    @Test("A good manifest has no finding")
    func good() {
        let check = PluginManifestCheck(Array(Self.good.utf8), needsLibrary: true)
        #expect(check.findings.isEmpty)
        #expect(check.manifest?.id == "org.example.good")
    }

    /// What is replaced in the good manifest, and the findings.
    static let table: [(String, String, [String])] = [
        (
            "\"Good\"", "7",
            ["3:3: error: In plugin.json the key \"name\" has to be a text. [/name]"]
        ),
        (
            "[\"transport\"]", "[\"transport\", \"teleport\"]",
            [
                "6:26: error: plugin.json names the kind \"teleport\"; known are transport, stt, tts, brain, vad. [/kinds/1]"
            ]
        ),
        (
            "\"version\": \"1\",\n", "",
            ["1:1: error: plugin.json lacks the key \"version\". Add it."]
        ),
        (
            "\"1.0\"", "\"2.0\"",
            ["5:3: error: The plugin needs ABI 2.0, this runtime speaks 1.0. Update the runtime. [/abi]"]
        ),
        (
            "\"libgood.so\"", "\"libgood.so\", \"libary\": 1",
            [
                "7:28: warning: This host does not know the key; it is kept and ignored. Check its spelling. [/libary]"
            ]
        ),
        (
            "\"libgood.so\"", "\"libgood.so\", \"models\": [\"a\", \"\"]",
            [
                "7:44: error: In plugin.json the key \"models\" has to be 1 to 128 bytes without control characters. [/models/1]"
            ]
        ),
        (
            "\"libgood.so\"", "\"libgood.so\", \"name\": \"Again\"",
            ["7:28: warning: plugin.json has this key twice, and only the last one counts. Remove one. [/name]"]
        ),
        (
            "\"libgood.so\"", "\"libgood.so\", \"permissions\": [\"network\", \"audio\"]",
            [
                "7:55: warning: No permission has this name, so it grants nothing. Known are microphone, speaker, camera, "
                    + "network, bluetooth, localSockets, files. [/permissions/1]"
            ]
        ),
        (
            "\"libgood.so\"", "\"libgood.so\", \"environment\": [\"LD_PRELOAD\"]",
            ["7:44: warning: No plugin gets this variable. Leave it out. [/environment/0]"]
        ),
        (
            "\"Good\",\n  \"version\": \"1\"", "\"\",\n  \"version\": 1",
            [
                "3:3: error: In plugin.json the key \"name\" has to be 1 to 128 bytes without control characters. [/name]",
                "4:3: error: In plugin.json the key \"version\" has to be a text. [/version]",
            ]
        ),
        ("\"abi\"", "abi", ["5:3: error: plugin.json is not valid JSON at byte 68: expected a key. Mend the file."]),
    ]

    @Test("Each finding has its line, its column, its pointer and what to do", arguments: table)
    func finds(_ part: String, _ replacement: String, _ expected: [String]) {
        let text = Self.good.replacingOccurrences(of: part, with: replacement)
        #expect(findings(text).map(\.description) == expected)
    }

    @Test(
        "A file that is no object has one finding",
        arguments: [
            ("", "manifest_not_json"), ("[]", "manifest_not_an_object"),
            (String(repeating: "[", count: 70_000), "manifest_too_large"),
        ])
    func noObject(_ text: String, _ code: String) { #expect(findings(text).map(\.code) == [code]) }

    @Test(
        "Text that no parser accepts maps without end or trap",
        arguments: ["{", "[", "{\"", "{\"a\":", "{\"a\":[", "\\", "{,,,", "[,]"])
    func hostileMap(_ text: String) { #expect(JSONTextMap(Array(text.utf8)).offsets[""] == 0) }

    @Test("What the check accepts, the reader accepts, and the first error of both is the same")
    func agrees() {
        for (part, replacement, _) in Self.table {
            let bytes = Array(Self.good.replacingOccurrences(of: part, with: replacement).utf8)
            let check = PluginManifestCheck(bytes, needsLibrary: true)
            do {
                let read = try PluginManifestReader.read(bytes, needsLibrary: true)
                #expect(check.manifest == read)
            } catch {
                #expect(check.manifest == nil)
                #expect(check.findings.contains { $0.code == error.code })
            }
        }
    }

    @Test("The schema has the reader's keys, kinds and words")
    func schema() throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let root = (0..<4).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("docs/plugin-schema.json"), encoding: .utf8)
        let schema = try JSONValue(jsonText: text)
        let properties = schema["properties"]
        let keys = PluginManifestReader.knownKeys.union(PluginManifestReader.optionalKeys)
        #expect(Set(properties?.objectValue?.keys ?? [:].keys) == keys)
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for key in PluginManifestReader.knownKeys.subtracting(["library"]) {
            let isNeeded = findings(Self.good.replacingOccurrences(of: "\"\(key)\":", with: "\"x-\(key)\":"))
                .contains { $0.code == "manifest_key_missing" }
            #expect(isNeeded == required.contains(key), "\(key)")
        }
        let kinds = properties?["kinds"]?["items"]?["enum"]?.arrayValue?.compactMap(\.stringValue)
        #expect(kinds == PluginKind.allCases.map(\.rawValue))
        let isolation = properties?["isolation"]?["enum"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(isolation.allSatisfy { PluginIsolation(rawValue: $0) != nil } && isolation.count == 2)
        #expect(schema["$defs"]?["text"]?["maxLength"]?.intValue == Int64(PluginManifestReader.textLimit))
    }
}
