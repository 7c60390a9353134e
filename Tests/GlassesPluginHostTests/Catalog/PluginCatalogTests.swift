import Foundation
import GlassesDomain
import TestProcess
import Testing

@testable import GlassesPluginHost

@Suite("A scan finds good plugins and survives bad ones")
struct PluginCatalogTests {
    /// Puts a plugin's folder into `folder`.
    static func install(
        _ name: String, into folder: TestFolder, _ macros: [String] = [], changes: [String: JSONValue] = [:]
    ) async throws {
        try manifest(name, into: folder, changes: changes)
        try await CCompiler.library(PluginSources.entry, to: "\(folder.path)/\(name)/lib.so", macros)
    }

    static func manifest(_ name: String, into folder: TestFolder, changes: [String: JSONValue] = [:]) throws {
        let members: [String: JSONValue] = [
            "id": .string("org.example.\(name)"), "name": .string(name), "version": "1", "abi": "1.0",
            "kinds": ["transport"], "library": "lib.so",
        ]
        try folder.write(
            "\(name)/plugin.json", JSONValue.object(members.merging(changes) { _, new in new }).jsonText)
    }

    private func codes(_ scan: PluginScan) -> [String: String] {
        Dictionary(
            scan.refused.map { ($0.id ?? $0.manifestPath, $0.refusal.code) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("A38: five libraries are told apart in the limit, bad ones are not started again until their file changes")
    func probesInChildren() async throws {
        let (folder, cache) = (try TestFolder(), try TestFolder())
        try await Self.install("good", into: folder)
        try await Self.install("aborts", into: folder, ["ABORT_IN_CONSTRUCTOR"])
        try await Self.install("hangs", into: folder, ["HANG_IN_ACTIVATE"])
        try await Self.install("noentry", into: folder, ["NO_ENTRY"])
        try await Self.install("newer", into: folder, ["ABI=GLASSES_ABI_MAJOR+1"])
        var configuration = PluginHostConfiguration.test([folder.path], cache: cache.path)
        configuration.probeLimit = .seconds(2)
        let clock = ContinuousClock()

        let first = PluginCatalog(configuration: configuration)
        let begin = clock.now
        let scan = await first.scan()
        #expect(clock.now - begin < .seconds(10))
        #expect(scan.found.map(\.manifest.id) == ["org.example.good"])
        #expect(
            codes(scan) == [
                "org.example.aborts": "probe_crashed", "org.example.hangs": "probe_timed_out",
                "org.example.noentry": "entry_missing", "org.example.newer": "abi_unsupported",
            ])
        #expect(scan.refused.first { $0.id == "org.example.aborts" }?.refusal == .probe(.crashed(signal: SIGABRT)))
        #expect(await first.startedProbes == 5)
        #expect(scan.memoryProblem == nil)

        let second = PluginCatalog(configuration: configuration)
        let again = await second.scan()
        #expect(await second.startedProbes == 0)
        #expect(codes(again) == codes(scan))
        #expect(again.found == scan.found)

        try await CCompiler.library(PluginSources.entry, to: "\(folder.path)/aborts/lib.so")
        let mended = await second.scan()
        #expect(await second.startedProbes == 1)
        #expect(mended.found.map(\.manifest.id) == ["org.example.aborts", "org.example.good"])
    }

    /// What is made of the file, and the code of the refusal.
    static let files: [(String, [String], String)] = [
        ("exits in a constructor", ["EXIT_IN_CONSTRUCTOR"], "probe_exited"),
        ("crashes in shutdown", ["CRASH_IN_SHUTDOWN"], "probe_crashed"),
        ("refuses to be activated", ["REFUSE_TO_ACTIVATE"], "activation_refused"),
        ("answers no entry", ["NULL_ENTRY"], "entry_invalid"),
        ("has another magic", ["MAGIC=7"], "entry_invalid"),
        ("has a short entry", ["SIZE=16"], "entry_invalid"),
        ("lacks a function", ["FACTORY_FUNCTION=0"], "entry_invalid"),
    ]

    @Test("A library that is no plugin is refused with its reason", arguments: files)
    func refusesLibraries(_ what: String, _ macros: [String], _ code: String) async throws {
        let folder = try TestFolder()
        try await Self.install("bad", into: folder, macros)
        let scan = await PluginCatalog(configuration: .test([folder.path])).scan()
        #expect(scan.found.isEmpty)
        #expect(scan.refused.map(\.refusal.code) == [code], "\(what): \(scan.refused)")
    }

    @Test(
        "A file that is no library is refused, whatever it does to its loader",
        arguments: ["empty", "garbage", "text", "truncated", "machine", "folder"])
    func refusesFiles(_ what: String) async throws {
        let folder = try TestFolder()
        try await Self.install("bad", into: folder)
        let path = folder.path + "/bad/lib.so"
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        switch what {
        case "empty": try folder.write("bad/lib.so", "")
        case "garbage":
            try folder.write("bad/lib.so", Data((0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }))
        case "text": try folder.write("bad/lib.so", "INPUT(libc.so)\n")
        case "truncated": try folder.write("bad/lib.so", good.prefix(good.count / 4))
        case "machine":
            var other = good
            other[18] = 0xF7  // EM_BPF: no machine runs it.
            try folder.write("bad/lib.so", other)
        default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let scan = await PluginCatalog(configuration: .test([folder.path])).scan()
        #expect(scan.found.isEmpty)
        let code = try #require(scan.refused.first).refusal.code
        // A sanitizer turns the loader's SIGBUS into an exit of its own.
        let expected = what == "folder" ? ["library_missing"] : ["not_loadable", "probe_crashed", "probe_exited"]
        #expect(expected.contains(code))
    }

    @Test("A hundred scans at the same time, of four programs with one memory, share their probes and agree")
    func sharesProbes() async throws {
        let (folder, cache) = (try TestFolder(), try TestFolder())
        for name in ["a", "b", "c"] { try await Self.install(name, into: folder) }
        let catalogs = (0..<4).map { _ in
            PluginCatalog(configuration: .test([folder.path], cache: cache.path))
        }
        let scans = await withTaskGroup(of: PluginScan.self, returning: [PluginScan].self) { group in
            for index in 0..<100 { group.addTask { await catalogs[index % 4].scan() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for catalog in catalogs { #expect(await catalog.startedProbes <= 3) }
        #expect(scans.count == 100)
        #expect(Set(scans.map(\.found)).count == 1)
        #expect(scans.first?.found.count == 3)
        #expect(scans.allSatisfy { $0.refused.isEmpty && $0.memoryProblem == nil })
        let later = PluginCatalog(configuration: .test([folder.path], cache: cache.path))
        #expect(await later.scan().found.count == 3)
        #expect(await later.startedProbes == 0)
    }

    @Test("Of two plugins with one id the first in the path is used, and the second is listed as shadowed")
    func shadows() async throws {
        let (first, second) = (try TestFolder(), try TestFolder())
        try await Self.install("twin", into: first)
        try await Self.install("twin", into: second)
        let scan = await PluginCatalog(configuration: .test([second.path, first.path, second.path])).scan()
        #expect(scan.found.map(\.library) == [second.path + "/twin/lib.so"])
        #expect(scan.refused.map(\.refusal) == [.shadowed(by: second.path + "/twin/plugin.json")])
    }

    @Test("Without the probe program nothing is loaded, and the reason says how to mend it")
    func needsTheProbe() async throws {
        let folder = try TestFolder()
        try await Self.install("good", into: folder)
        var configuration = PluginHostConfiguration.test([folder.path])
        configuration.probeProgram = folder.path + "/nothing"
        let scan = await PluginCatalog(configuration: configuration).scan()
        #expect(scan.found.isEmpty)
        #expect(scan.refused.map(\.refusal) == [.probe(.probeMissing)])
        #expect(scan.refused[0].refusal.description.contains("EXTENTOS_PLUGIN_PROBE"))
    }

    @Test("The digest in a manifest has to be the library's")
    func checksDigest() async throws {
        let folder = try TestFolder()
        try await Self.install("signed", into: folder)
        let library = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/signed/lib.so"))
        try Self.manifest("signed", into: folder, changes: ["sha256": .string(SHA256.hexadecimal(of: Array(library)))])
        let catalog = PluginCatalog(configuration: .test([folder.path]))
        #expect(await catalog.scan().found.count == 1)
        let wrong = JSONValue.string(String(repeating: "0", count: 64))
        try Self.manifest("signed", into: folder, changes: ["sha256": wrong])
        #expect(await catalog.scan().refused.map(\.refusal) == [.digestMismatch])
    }

    @Test("A manifest that promises more than the library offers is refused")
    func checksKinds() async throws {
        let folder = try TestFolder()
        try await Self.install("boaster", into: folder, changes: ["kinds": ["transport", "tts"]])
        let scan = await PluginCatalog(configuration: .test([folder.path])).scan()
        #expect(scan.refused.map(\.refusal) == [.kindNotOffered(.tts)])
    }

    @Test("A plugin that others may change is refused under the id and the kinds that it claims")
    func namesWhatItRefuses() async throws {
        let folder = try TestFolder()
        try await Self.install("open", into: folder)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: folder.path + "/open/plugin.json")
        let host = PluginHost(configuration: .test([folder.path]))
        let scan = await host.scan()
        #expect(scan.refused.map(\.id) == ["org.example.open"])
        #expect(scan.refused(kind: .transport).map(\.refusal.code) == ["writable_by_others"])
        #expect(scan.refused(kind: .tts).isEmpty)
        let failure = await host.transport(id: "org.example.open").failure
        #expect(failure?.code == "writable_by_others")
        #expect(failure?.description.contains("chmod go-w") == true)
    }

    @Test("A missing library, a broken manifest and a file open to others do not end the scan")
    func goesOn() async throws {
        let folder = try TestFolder()
        try await Self.install("good", into: folder)
        try Self.manifest("absent", into: folder)
        try folder.write("broken/plugin.json", "{")
        try await Self.install("open", into: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.path + "/open/lib.so")
        let scan = await PluginCatalog(configuration: .test([folder.path])).scan()
        #expect(scan.found.map(\.manifest.id) == ["org.example.good"])
        #expect(scan.refused.map(\.refusal.code) == ["library_missing", "manifest_not_json", "writable_by_others"])
    }
}

@Suite("What is remembered of probes")
struct ProbeMemoryTests {
    private let key = ProbeKey(path: "/p/lib.so", size: 10, modifiedNanoseconds: 20)

    @Test("Verdicts come back from the file, which only its owner can read")
    func comesBack() throws {
        let folder = try TestFolder()
        let memory = ProbeMemory(folder: folder.path + "/deep/er")
        memory.add(.bad(code: "c", message: "m"), for: key)
        try memory.save()
        let file = folder.path + "/deep/er/plugin-probes.json"
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let later = ProbeMemory(folder: folder.path + "/deep/er")
        #expect(later[key] == .bad(code: "c", message: "m"))
        #expect(later[ProbeKey(path: "/p/lib.so", size: 10, modifiedNanoseconds: 21)] == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep/er").count == 1)
    }

    @Test("Two processes that save do not lose each other's verdicts")
    func merges() throws {
        let folder = try TestFolder()
        let (one, two) = (ProbeMemory(folder: folder.path), ProbeMemory(folder: folder.path))
        let other = ProbeKey(path: "/q/lib.so", size: 1, modifiedNanoseconds: 1)
        one.add(.good(factories: ["a"]), for: key)
        two.add(.good(factories: ["b"]), for: other)
        try one.save()
        try two.save()
        let later = ProbeMemory(folder: folder.path)
        #expect(later[key] == .good(factories: ["a"]))
        #expect(later[other] == .good(factories: ["b"]))
    }

    @Test("A file that another user could have written is not believed")
    func mistrusts() throws {
        let folder = try TestFolder()
        let memory = ProbeMemory(folder: folder.path)
        memory.add(.good(factories: ["a"]), for: key)
        try memory.save()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: folder.path + "/plugin-probes.json")
        #expect(ProbeMemory(folder: folder.path)[key] == nil)
    }

    @Test(
        "A file that is no memory counts as empty",
        arguments: [
            "", "{", "[]", "{\"version\":\"0.9/1\",\"verdicts\":[]}",
            "{\"version\":\"1.0/1\",\"verdicts\":[1,{},null]}",
        ])
    func readsAnything(_ text: String) { #expect(ProbeVerdicts(text: Array(text.utf8)) == ProbeVerdicts()) }

    @Test("On a full disk the scan works and says so, and leaves nothing half written")
    func toleratesFullDisk() async throws {
        let (folder, disk) = (try TestFolder(), try TestFolder())
        try await PluginCatalogTests.install("good", into: folder)
        let script = """
            mount -t tmpfs -o size=4k none "$1" && head -c 4096 /dev/zero > "$1/full" && "$2" scan "$3" "$1" && ls "$1"
            """
        var process = TestProcess(
            "/usr/bin/unshare",
            (geteuid() == 0 ? ["--mount"] : ["--mount", "--map-root-user"])
                + ["/bin/sh", "-c", script, "sh", disk.path, buildFolder + "/plugin-lab", folder.path])
        process.limit = .seconds(60)
        let outcome = try await process.run()
        #expect(outcome.lines.first?.contains("org.example.good") == true, "\(outcome)")
        #expect(outcome.lines.dropFirst() == ["problem No space left on device", "full"], "\(outcome)")
    }

    @Test("Where nothing can be written the scan works and says so")
    func toleratesMissingFolder() async throws {
        let folder = try TestFolder()
        try await PluginCatalogTests.install("good", into: folder)
        let file = try folder.write("file", "")
        let scan = await PluginCatalog(configuration: .test([folder.path], cache: file + "/cache")).scan()
        #expect(scan.found.count == 1)
        #expect(scan.memoryProblem == "Not a directory")
    }

    @Test("The oldest verdicts make room for new ones")
    func isBounded() {
        var verdicts = ProbeVerdicts()
        for index in 0..<600 {
            verdicts.add(.good(factories: []), for: ProbeKey(path: "/\(index)", size: 0, modifiedNanoseconds: 0))
        }
        #expect(verdicts.entries.count == ProbeVerdicts.limit)
        #expect(verdicts[ProbeKey(path: "/599", size: 0, modifiedNanoseconds: 0)] != nil)
        #expect(verdicts[ProbeKey(path: "/0", size: 0, modifiedNanoseconds: 0)] == nil)
    }
}
