import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization
import TestProcess
import Testing

/// The folder of the test binary, where the build puts plugins and programs.
let buildFolder: String = (CommandLine.arguments[0] as NSString).deletingLastPathComponent

extension PluginIsolation {
    /// Every test of what the plugin does runs in both.
    static let both: [PluginIsolation] = [.inProcess, .process]
}

/// A folder that is removed with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/camera-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(path) stays: \(error)") }
    }
}

/// A run of the camera lab with cameras that a script describes.
struct CameraStandIn {
    /// The cameras; empty for a machine without any.
    var script: String
    /// The setting `camera`.
    var camera = "auto"
    /// Where the plugin's code runs.
    var isolation: PluginIsolation

    /// Runs the lab's steps.
    func run(_ steps: String...) async throws -> LabLines { try await run(all: steps) }

    /// Runs the lab's steps.
    func run(all steps: [String]) async throws -> LabLines {
        let settings = JSONValue.object([
            "camera": .string(camera), "microphone": .string("none"), "speaker": .string("none"),
        ])
        let folder = try TemporaryFolder()
        let library = buildFolder + "/libV4L2StandIn.so"
        var process = TestProcess(
            buildFolder + "/camera-lab",
            [isolation == .process ? "process" : "inProcess", settings.jsonText] + steps)
        process.limit = .seconds(120)
        if isolation == .process {
            // The child's whole environment is the host's choice, so the script comes with its program.
            let host = folder.path + "/host"
            try """
            #!/bin/sh
            V4L2_STAND_IN='\(script)' exec '\(buildFolder)/glasses-plugin-host' --preload '\(library)' "$@"

            """.write(toFile: host, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: host)
            process.environment["EXTENTOS_PLUGIN_HOST"] = host
        } else {
            process.environment["LD_PRELOAD"] = library
            process.environment["V4L2_STAND_IN"] = script
        }
        let outcome = try await process.run()
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        return LabLines(outcome.lines)
    }
}

/// What the lab printed.
struct LabLines {
    struct Frame {
        var number: Int
        /// Nil for a picture whose number cannot be read.
        var shown: Int?
        var time: Int
        var format: String
        var size: String
    }

    let all: [String]

    init(_ lines: [String]) { all = lines }

    /// The lines that are no frames.
    var news: [String] { all.filter { !$0.hasPrefix("frame ") } }

    var frames: [Frame] {
        all.filter { $0.hasPrefix("frame ") }.map { line in
            let words = line.split(separator: " ").map(String.init)
            return Frame(
                number: Int(words[1]) ?? -1, shown: Int(words[3]), time: Int(words[5]) ?? -1, format: words[6],
                size: words[7])
        }
    }

    /// The modes of `format`.
    func modes(_ format: String) -> [String] {
        all.filter { $0.hasPrefix("mode \(format) ") }.map { String($0.dropFirst("mode \(format) ".count)) }
    }

    /// Every picture shows its own number, and numbers and times grow.
    func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) {
        let frames = frames
        for frame in frames where frame.shown != frame.number {
            Issue.record(
                "picture \(frame.number) shows \(String(describing: frame.shown))", sourceLocation: sourceLocation)
        }
        let isInOrder = zip(frames, frames.dropFirst()).allSatisfy { $0.number < $1.number && $0.time < $1.time }
        #expect(isInOrder, sourceLocation: sourceLocation)
        #expect(!all.contains { $0.hasPrefix("misbehaved") }, "\(news)", sourceLocation: sourceLocation)
    }
}
