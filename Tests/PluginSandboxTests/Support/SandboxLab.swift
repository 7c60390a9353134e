import Foundation
import GlassesDomain
import TestProcess

@testable import GlassesPluginHost

/// A folder with everything that the probe library tries to reach, and servers that it tries to connect to.
final class SandboxLab: Sendable {
    /// What the probe said.
    struct Outcome {
        /// The report that the child made before it loaded the library.
        let report: SandboxReport
        /// The errors of its attempts by their names; 0 is a success.
        let errors: [String: Int32]
        /// The child's environment.
        let variables: [String]
        /// The process's exit code.
        let code: Int32
    }

    let path: String
    private let tcp: LoopbackSocket
    private let local: LoopbackSocket

    init() throws {
        // Resolved, since paths of profiles are compared with what the child sees; short, since a socket's path has 107 bytes.
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path + "/sandbox-"
            + UUID().uuidString.prefix(8)
        for folder in ["private", "granted/a", "granted/b", "plugin", "devices/snd"] {
            try FileManager.default.createDirectory(
                atPath: path + "/" + folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        for file in [
            "private/secret", "private/removable", "granted/a/file", "granted/a/other", "plugin/plugin.json",
            "devices/video0", "devices/snd/pcmC0D0c", "devices/snd/pcmC0D0p", "devices/snd/controlC0",
        ] { try Data("secret".utf8).write(to: URL(fileURLWithPath: path + "/" + file)) }
        tcp = try LoopbackSocket()
        local = try LoopbackSocket(path: path + "/local")
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(error)") }
    }

    /// The plugin that the tests confine, with a manifest that asks for `permissions` and `environment`.
    func plugin(permissions: [String] = [], environment: [String] = [], library: String? = nil) -> FoundPlugin {
        var manifest = PluginManifest(
            id: "org.example.probe", name: "Probe", version: "1", abi: .host, kinds: [.transport])
        manifest.permissions = permissions
        manifest.environment = environment
        return FoundPlugin(manifest: manifest, library: library ?? path + "/plugin/libprobe.so", factories: [])
    }

    /// The profile of the plugin with these grants, on the device nodes of this folder.
    func profile(_ permissions: [String] = []) throws -> SandboxProfile {
        let grants = PluginGrants(
            permissions: try permissions.map { try SandboxPermission($0) }, environment: [])
        var places = SandboxPlaces(home: path)
        places.devices = path + "/devices"
        return SandboxProfile(
            plugin(), grants: grants, environment: PluginEnvironment(grants, from: [:]), places: places)
    }

    /// Runs the probe in a child that confines itself by `profile`, or in one that does not.
    func run(_ profile: SandboxProfile?, environment: [String: String] = [:]) async throws -> Outcome {
        try FileManager.default.removeIfThere(path + "/plugin/libprobe.so")
        try FileManager.default.copyItem(
            atPath: try await ProbeLibrary.shared.path(), toPath: path + "/plugin/libprobe.so")
        var child = TestProcess(ProbeLibrary.program, [profile?.text ?? "", path + "/plugin/libprobe.so"])
        child.environment = ProcessInfo.processInfo.environment.mapValues { _ in nil }
        let places = [
            "PRIVATE": path + "/private", "GRANTED": path + "/granted", "OWN": path + "/plugin",
            "DEVICES": path + "/devices", "LOCAL": path + "/local", "PORT": "\(tcp.port)",
            "PARENT": "/proc/\(getpid())",
        ]
        for (name, value) in places.merging(environment, uniquingKeysWith: { $1 }) { child.environment[name] = value }
        // Unconfined, it would not come back.
        if profile != nil { child.environment["EXEC"] = "1" }
        return try Self.outcome(try await child.run())
    }

    private static func outcome(_ outcome: TestProcess.Outcome) throws -> Outcome {
        guard let first = outcome.lines.first else {
            throw LabError(description: "code \(outcome.code): \(outcome.errors)")
        }
        let report = try SandboxReport(probe: try JSONValue(jsonText: first))
        var errors: [String: Int32] = [:]
        var variables: [String] = []
        for line in outcome.lines.dropFirst() {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts[0] == "variable" { variables.append(parts[1]) } else { errors[parts[0]] = Int32(parts[1]) }
        }
        return Outcome(report: report, errors: errors, variables: variables, code: outcome.code)
    }
}

extension SandboxReport {
    /// The report as the probe program prints it.
    init(probe value: JSONValue) throws {
        guard let abi = value["landlockABI"]?.intValue, case .object(let measures)? = value["measures"] else {
            throw LabError(description: "no report")
        }
        var outcomes: [SandboxMeasure: SandboxOutcome] = [:]
        for (name, words) in measures {
            let words = (words.arrayValue ?? []).compactMap(\.stringValue)
            guard let measure = SandboxMeasure(rawValue: name) else { throw LabError(description: name) }
            switch (words.first, words.last) {
            case ("enforced", _): outcomes[measure] = .enforced
            case ("partly", let reason?): outcomes[measure] = .partly(reason)
            case ("absent", let reason?): outcomes[measure] = .absent(reason)
            default: throw LabError(description: "\(words)")
            }
        }
        self.init(outcomes: outcomes, landlockABI: Int(abi))
    }
}

/// What went wrong in the lab itself.
struct LabError: Error, CustomStringConvertible {
    let description: String
}

extension FileManager {
    func removeIfThere(_ path: String) throws { if fileExists(atPath: path) { try removeItem(atPath: path) } }
}
