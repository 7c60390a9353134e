import CDigest
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("A manifest is read before any code of its plugin")
struct PluginManifestReaderTests {
    private static let good: [String: JSONValue] = [
        "id": "org.example.good", "name": "Good", "version": "1.2.3", "abi": "1.0", "kinds": ["transport", "stt"],
        "library": "libgood.so",
    ]

    private func read(_ members: [String: JSONValue], needsLibrary: Bool = true) throws -> PluginManifest {
        try PluginManifestReader.read(Array(JSONValue.object(members).jsonText.utf8), needsLibrary: needsLibrary)
    }

    @Test("Every key is read, and keys that are not known are kept")
    func readsEverything() throws {
        var members = Self.good
        members["vendor"] = "Example"
        members["capabilities"] = ["microphone"]
        members["models"] = ["m1", "m2"]
        members["permissions"] = ["audio"]
        members["environment"] = ["ALSA_CONFIG_PATH"]
        members["isolation"] = "inProcess"
        members["sha256"] = .string(String(repeating: "AB", count: 32))
        members["future"] = ["a": [1, 2]]
        let manifest = try read(members)
        #expect(manifest.id == "org.example.good")
        #expect(manifest.abi == .host)
        #expect(manifest.kinds == [.transport, .stt])
        #expect(manifest.models == ["m1", "m2"])
        #expect(manifest.environment == ["ALSA_CONFIG_PATH"])
        #expect(manifest.isolation == .inProcess)
        #expect(manifest.sha256 == String(repeating: "ab", count: 32))
        #expect(manifest.unknown == ["future": ["a": [1, 2]]])
    }

    @Test("Without optional keys the defaults hold, and a build folder needs no library key")
    func readsTheLeast() throws {
        var members = Self.good
        members["library"] = nil
        members["vendor"] = .null
        let manifest = try read(members, needsLibrary: false)
        #expect(manifest.library == nil)
        #expect(manifest.vendor == nil)
        #expect(manifest.isolation == .process)
        #expect(manifest.unknown.isEmpty)
    }

    private static let textRule = "1 to 128 bytes without control characters"
    private static let idRule = "a reverse DNS name of lower-case letters, digits, - and ."

    /// What is changed in the good manifest (nil removes the key), and what is said about it.
    static let wrong: [(String, JSONValue?, PluginManifestError)] = [
        ("id", nil, .missing(key: "id")),
        ("id", .null, .missing(key: "id")),
        ("id", 7, .wrongKind(key: "id", wanted: "a text")),
        ("id", "", .invalidText(key: "id", rule: textRule)),
        ("id", "single", .invalidText(key: "id", rule: idRule)),
        ("id", "Org.Example", .invalidText(key: "id", rule: idRule)),
        ("id", "org..example", .invalidText(key: "id", rule: idRule)),
        ("id", "org/../etc", .invalidText(key: "id", rule: idRule)),
        ("id", .string("org." + String(repeating: "x", count: 200)), .invalidText(key: "id", rule: textRule)),
        ("name", nil, .missing(key: "name")),
        ("name", "a\u{1B}[31mb", .invalidText(key: "name", rule: textRule)),
        ("version", nil, .missing(key: "version")),
        ("version", 1, .wrongKind(key: "version", wanted: "a text")),
        ("abi", nil, .missing(key: "abi")),
        ("abi", 1.0, .wrongKind(key: "abi", wanted: "a text")),
        ("abi", "1", .invalidText(key: "abi", rule: "two numbers such as 1.0")),
        ("abi", "1.0.0", .invalidText(key: "abi", rule: "two numbers such as 1.0")),
        ("abi", "one.0", .invalidText(key: "abi", rule: "two numbers such as 1.0")),
        ("abi", "-1.0", .invalidText(key: "abi", rule: "two numbers such as 1.0")),
        ("abi", "99999999999999999999.0", .invalidText(key: "abi", rule: "two numbers such as 1.0")),
        ("abi", "2.0", .unsupportedABI(PluginABIVersion(major: 2, minor: 0))),
        ("abi", "1.9", .unsupportedABI(PluginABIVersion(major: 1, minor: 9))),
        ("abi", "0.1", .unsupportedABI(PluginABIVersion(major: 0, minor: 1))),
        ("kinds", nil, .missing(key: "kinds")),
        ("kinds", "transport", .wrongKind(key: "kinds", wanted: "a list of texts")),
        ("kinds", [], .invalidText(key: "kinds", rule: "a list with at least one kind")),
        ("kinds", ["transport", 3], .wrongKind(key: "kinds", wanted: "a list of texts")),
        ("kinds", ["teleport"], .unknownKind("teleport")),
        ("library", nil, .missing(key: "library")),
        (
            "library", "../lib.so",
            .invalidText(key: "library", rule: "a file name in the plugin's own folder, without /")
        ),
        ("library", "/lib.so", .invalidText(key: "library", rule: "a file name in the plugin's own folder, without /")),
        ("library", "..", .invalidText(key: "library", rule: "a file name in the plugin's own folder, without /")),
        ("library", true, .wrongKind(key: "library", wanted: "a text")),
        ("vendor", 1, .wrongKind(key: "vendor", wanted: "a text")),
        ("capabilities", "all", .wrongKind(key: "capabilities", wanted: "a list of texts")),
        ("models", [[:]], .wrongKind(key: "models", wanted: "a list of texts")),
        ("permissions", 0, .wrongKind(key: "permissions", wanted: "a list of texts")),
        ("environment", [""], .invalidText(key: "environment", rule: textRule)),
        ("isolation", "sandbox", .unknownIsolation("sandbox")),
        ("isolation", 1, .wrongKind(key: "isolation", wanted: "a text")),
        ("sha256", "abc", .invalidText(key: "sha256", rule: "64 hexadecimal digits")),
        (
            "sha256", .string(String(repeating: "g", count: 64)),
            .invalidText(key: "sha256", rule: "64 hexadecimal digits")
        ),
    ]

    @Test("A wrong member is named by its key and its rule", arguments: wrong)
    func namesWhatIsWrong(_ key: String, _ value: JSONValue?, _ expected: PluginManifestError) {
        var members = Self.good
        members[key] = value
        #expect(throws: expected) { try read(members) }
    }

    @Test(
        "A file that is no object is refused with its reason",
        arguments: [
            (Array("".utf8), "manifest_not_json"), (Array("{".utf8), "manifest_not_json"),
            (Array("[]".utf8), "manifest_not_an_object"), (Array("null".utf8), "manifest_not_an_object"),
            ([0xFF, 0xFE, 0x00], "manifest_not_json"), (Array("{\"id\":\"\u{0}\"}".utf8), "manifest_not_json"),
            (Array(repeating: UInt8(ascii: "["), count: 100_000), "manifest_too_large"),
            (Array(repeating: UInt8(ascii: "["), count: 60_000), "manifest_not_json"),
        ])
    func refusesOtherFiles(_ bytes: [UInt8], _ code: String) {
        let error = #expect(throws: PluginManifestError.self) {
            try PluginManifestReader.read(bytes, needsLibrary: true)
        }
        #expect(error?.code == code)
        #expect(error?.description.hasSuffix(".") == true)
    }
}

@Suite("SHA-256 of FIPS 180-4")
struct SHA256Tests {
    @Test(
        "The published digests come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func digests(_ text: String, _ digest: String) { #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest) }

    @Test("A text in pieces has the digest of the whole", arguments: [1, 3, 55, 56, 63, 64, 65, 200])
    func streams(_ size: Int) {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        var digest = cdigest_sha256()
        cdigest_sha256_begin(&digest)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            cdigest_sha256_add(&digest, piece, piece.count)
        }
        var result = [UInt8](repeating: 0, count: 32)
        cdigest_sha256_end(&digest, &result)
        let whole = SHA256.hexadecimal(of: bytes)
        #expect(result.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == whole)
    }
}
