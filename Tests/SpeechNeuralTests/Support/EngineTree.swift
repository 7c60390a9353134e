import Foundation
import GlassesDomain
import TestProcess
import Testing

/// A folder of engines that begins as the installed ones, linked, and is then damaged; removed at the end.
final class EngineTree: Sendable {
    let root: String

    static let sherpa = "sherpa-onnx-core-2.0.1"
    static let moonshine = "moonshine-voice-0.0.73"
    static let silero = "silero-vad-6.2.3"

    /// Where the set-up put the engines of this user.
    private static let installed: String = {
        let environment = ProcessInfo.processInfo.environment
        let data = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
        return environment["EXTENTOS_ENGINES"] ?? data + "/extentos/engines"
    }()

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("engines-\(UUID().uuidString)").path
        for engine in [Self.sherpa, Self.moonshine, Self.silero] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(engine)", withIntermediateDirectories: true)
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(Self.installed)/\(engine)") {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(root)/\(engine)/\(file)", withDestinationPath: "\(Self.installed)/\(engine)/\(file)")
            }
        }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: root) } catch { print("\(root) was not removed: \(error)") }
    }

    var settings: JSONValue { ["enginesFolder": .string(root)] }

    func path(_ file: String) -> String { "\(root)/\(file)" }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: path(file)) }

    /// Puts a copy in the place of the link, changed by `change`.
    func replace(_ file: String, _ change: (inout Data) -> Void = { _ in }) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path(file)))
        change(&data)
        try remove(file)
        try data.write(to: URL(fileURLWithPath: path(file)))
    }

    /// Lets the manifest say that the library is what it is now.
    func signSherpa() async throws {
        let script = """
            cd "$0" && rm MANIFEST && for file in *.so; do
                echo "$(sha256sum < $file | cut -d ' ' -f 1) $(stat -Lc %s $file) 0 $file"
            done > MANIFEST
            """
        let outcome = try await TestProcess("/bin/sh", ["-c", script, path(Self.sherpa)]).run()
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    /// Puts a library of our own in sherpa-onnx's place, compiled with the given macros.
    func fakeSherpa(_ macros: [String]) async throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("FakeSherpa/fake_sherpa.c").path
        let library = path(Self.sherpa + "/libsherpa-onnx-c-api.so")
        try FileManager.default.removeItem(atPath: library)
        let arguments = ["-shared", "-fPIC", "-o", library, source] + macros.map { "-D" + $0 }
        let outcome = try await TestProcess("/usr/bin/gcc", arguments).run()
        try #require(outcome.code == 0, "\(outcome.errors)")
        try await signSherpa()
    }
}
