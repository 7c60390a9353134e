import Foundation
import TestProcess
import Testing

/// The set-up of the engines with small wheels of our own, which pip finds in a folder instead of an index.
@Suite("Scripts/speech-engines", .timeLimit(.minutes(5)))
struct SpeechEnginesTests {
    /// A tree with the script, wheels of two engines, and the list that pins them.
    private struct Tree {
        let folder: TemporaryFolder
        var root: URL { folder.url.appendingPathComponent("data/extentos/engines") }
        var moonshine: URL { root.appendingPathComponent("moon-1.0") }
        var sherpa: URL { root.appendingPathComponent("sherpa-core-2.0") }

        /// Two entries, the second longer than a length byte tells: 300 = 128 · 2 + 172 - 128.
        static let tokenizer = Data([2, 0x61, 0x62, 172, 2]) + Data(repeating: 0x63, count: 300)
        static let tokens = "YWI= 0\n" + Data(repeating: 0x63, count: 300).base64EncodedString() + " 1\n"

        init() throws {
            folder = try TemporaryFolder()
            let script = try String(contentsOfFile: ScriptTree.script("speech-engines"), encoding: .utf8)
            try folder.write("Scripts/speech-engines", script, isExecutable: true)
        }

        /// Makes the wheels, and the list with their hashes.
        func pin() async throws {
            let maker = """
                import hashlib, os, sys, zipfile
                os.makedirs("wheels"); os.makedirs("Scripts/engines")
                sources = {("moon", "1.0"): {"moon/tokenizer.bin": bytes.fromhex(sys.argv[1])},
                           ("sherpa-core", "2.0"): {"sherpa/lib/lib.so": b"library" * 9000, "sherpa/other": b"unwanted"}}
                made = {"moon": sys.argv[2].encode()}
                digest = lambda data: f"{len(data)} {hashlib.sha256(data).hexdigest()}"
                pins = ""
                for (name, version), files in sources.items():
                    module = name.replace("-", "_")
                    path = f"wheels/{module}-{version}-py3-none-any.whl"
                    info = f"{module}-{version}.dist-info"
                    with zipfile.ZipFile(path, "w") as wheel:
                        for file, data in files.items(): wheel.writestr(file, data)
                        wheel.writestr(info + "/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
                        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
                        wheel.writestr(info + "/RECORD", "")
                    pins += f"wheel {name} {version} {digest(open(path, 'rb').read())}\\n"
                    for file, data in files.items():
                        if "unwanted" not in str(data): pins += f"file {file} {digest(data)}\\n"
                    if name in made: pins += f"made tokens.txt {digest(made[name])}\\n"
                open(f"Scripts/engines/{os.uname().machine}.txt", "w").write(pins)
                """
            try folder.write("make.py", maker)
            let hex = Self.tokenizer.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let command = #"cd "$0" && exec python3 make.py "$1" "$2""#
            let outcome = try await TestProcess("/bin/sh", ["-c", command, folder.url.path, hex, Self.tokens]).run()
            try #require(outcome.code == 0, "\(outcome.errors)")
        }

        func run(_ arguments: [String] = [], chosen: String? = nil) async throws -> TestProcess.Outcome {
            var process = TestProcess(folder.url.appendingPathComponent("Scripts/speech-engines").path, arguments)
            process.environment = [
                "XDG_DATA_HOME": folder.url.appendingPathComponent("data").path, "EXTENTOS_ENGINES": chosen,
                "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": folder.url.appendingPathComponent("wheels").path,
            ]
            return try await process.run()
        }

        func content(_ file: URL) throws -> Data { try Data(contentsOf: file) }
        func names(_ folder: URL) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".lock") }.sorted()
        }
    }

    @Test("it says how big they are, unpacks what is wanted and nothing else, and does nothing the next time")
    func install() async throws {
        let tree = try Tree()
        try await tree.pin()
        #expect(try await tree.run(["--check"]).code == 1)
        let first = try await tree.run()
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.lines.first?.contains("MB unpacked: moon-1.0 sherpa-core-2.0") == true, "\(first.output)")
        #expect(try tree.names(tree.root) == ["moon-1.0", "sherpa-core-2.0"])
        #expect(try tree.names(tree.moonshine) == ["MANIFEST", "tokenizer.bin", "tokens.txt"])
        #expect(try tree.names(tree.sherpa) == ["MANIFEST", "lib.so"])
        #expect(try tree.content(tree.moonshine.appendingPathComponent("tokens.txt")) == Data(Tree.tokens.utf8))
        let fields = try String(contentsOf: tree.sherpa.appendingPathComponent("MANIFEST"), encoding: .utf8)
            .split(whereSeparator: \.isWhitespace)
        #expect(fields.count == 4 && fields[1] == "63000" && fields[3] == "lib.so")
        // Without the wheels, so that it could not fetch anything.
        try FileManager.default.removeItem(at: tree.folder.url.appendingPathComponent("wheels"))
        let second = try await tree.run()
        #expect(second.code == 0)
        #expect(second.output == "speech-engines: everything is installed\n")
        #expect(try await tree.run(["--check"]).code == 0)
    }

    @Test(
        "damaged, truncated, missing and half unpacked engines are replaced",
        arguments: ["flip", "cut", "lose", "kill"])
    func repair(_ damage: String) async throws {
        let tree = try Tree()
        try await tree.pin()
        #expect(try await tree.run().code == 0)
        let library = tree.sherpa.appendingPathComponent("lib.so")
        let whole = try tree.content(library)
        switch damage {
        case "flip": try Data(whole.dropLast() + [0]).write(to: library)
        case "cut": try whole.prefix(100).write(to: library)
        case "lose": try FileManager.default.removeItem(at: library)
        default:
            // What a killed run leaves behind.
            try FileManager.default.moveItem(
                at: tree.sherpa, to: tree.root.appendingPathComponent(".unfinished-sherpa-core-2.0"))
        }
        #expect(try await tree.run(["--check"]).output.contains("sherpa-core-2.0"))
        #expect(try await tree.run().code == 0)
        #expect(try tree.content(library) == whole)
        #expect(try tree.names(tree.root) == ["moon-1.0", "sherpa-core-2.0"])
    }

    @Test("a wheel that is not the pinned one is refused, and the other engine is installed")
    func wrongHash() async throws {
        let tree = try Tree()
        try await tree.pin()
        let wheel = tree.folder.url.appendingPathComponent("wheels/moon-1.0-py3-none-any.whl")
        try (try tree.content(wheel) + [0]).write(to: wheel)
        let outcome = try await tree.run()
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("not installed: moon-1.0"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Scripts/speech-engines"))
        #expect(try tree.names(tree.root) == ["sherpa-core-2.0"])
    }

    @Test("a copied engine is taken as it is and gets a manifest that fits")
    func copied() async throws {
        let tree = try Tree()
        try await tree.pin()
        #expect(try await tree.run().code == 0)
        let manifest = tree.sherpa.appendingPathComponent("MANIFEST")
        let before = try tree.content(manifest)
        let library = tree.sherpa.appendingPathComponent("lib.so")
        try tree.content(library).write(to: library)
        #expect(try await tree.run().output == "speech-engines: everything is installed\n")
        #expect(try tree.content(manifest) != before)
    }

    @Test("a folder that cannot be made is a sentence, and a machine without engines an exit code of its own")
    func refusals() async throws {
        let tree = try Tree()
        try await tree.pin()
        let outcome = try await tree.run(chosen: "/dev/null/engines")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("speech-engines: not installed: "))
        try FileManager.default.removeItem(at: tree.folder.url.appendingPathComponent("Scripts/engines"))
        #expect(try await tree.run().code == 3)
    }

    @Test("the real lists name the same files for both kinds of machines", arguments: ["x86_64", "aarch64"])
    func lists(_ machine: String) throws {
        let list = try String(contentsOfFile: ScriptTree.script("engines/\(machine).txt"), encoding: .utf8)
        let entries = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
        #expect(
            entries.filter { $0[0] == "wheel" }.map { "\($0[1])-\($0[2])" } == [
                "sherpa-onnx-core-2.0.1", "moonshine-voice-0.0.73", "silero-vad-6.2.3",
            ])
        for entry in entries {
            #expect(entry.last?.count == 64 && entry.last?.allSatisfy(\.isHexDigit) == true)
            #expect(Int(entry[entry.count - 2]) ?? 0 > 0)
        }
        let files = entries.filter { $0[0] != "wheel" }.map { String($0[1].split(separator: "/").last ?? "") }
        #expect(
            Set(files) == [
                "libsherpa-onnx-c-api.so", "libonnxruntime.so", "encoder_model.ort", "decoder_model_merged.ort",
                "tokenizer.bin", "tokens.txt", "silero_vad.onnx", "LICENSE",
            ])
    }
}
