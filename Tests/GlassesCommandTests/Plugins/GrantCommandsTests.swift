import Foundation
import GlassesCore
import TestProcess
import Testing

@Suite("glasses plugins show, grant and revoke")
struct GrantCommandsTests {
    private static let system = "org.extentos.system-device"
    private static let loopback = "org.extentos.loopback"
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func run(_ arguments: [String]) async throws -> TestProcess.Outcome {
        var process = TestProcess(GlassesProgram.path, ["plugins"] + arguments)
        process.environment = GlassesProgram.environment
        process.environment["XDG_CONFIG_HOME"] = home.path
        process.environment["PULSE_SERVER"] = "unix:/nowhere/native"
        return try await process.run()
    }

    private func report(_ arguments: [String]) async throws -> JSONValue {
        let outcome = try await run(arguments + ["--json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONValue(jsonText: outcome.output)
    }

    private func permission(_ name: String, _ report: JSONValue) -> JSONValue? {
        report["permissions"]?.arrayValue?.first { $0["permission"]?.stringValue == name }
    }

    @Test("a plugin of this program has what it asks for, and each permission says by what it is enforced")
    func show() async throws {
        let report = try await report(["show", Self.system])
        #expect(report["origin"]?.stringValue == "shipped")
        #expect(permission("microphone", report)?["granted"]?.boolValue == true)
        #expect(permission("microphone", report)?["enforced"]?.boolValue == true)
        #expect(permission("microphone", report)?["caveat"]?.stringValue?.contains("speaker") == true)
        #expect(permission("network", report)?["asked"]?.boolValue == false)
        #expect(permission("network", report)?["granted"]?.boolValue == false)
        #expect(permission("network", report)?["enforced"]?.boolValue == true)
        let names = report["environment"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ["ALSA_CONFIG_PATH", "HOME", "PULSE_COOKIE", "PULSE_SERVER", "XDG_RUNTIME_DIR"])
        let text = try await run(["show", Self.system]).output
        #expect(text.contains("enforced by seccomp (AF_INET, AF_INET6)"))
        #expect(text.contains("PULSE_SERVER  granted"))
    }

    @Test("what is revoked is refused until it is granted again")
    func revokeAndGrant() async throws {
        let revoked = try await report(["revoke", Self.system, "microphone", "--env", "HOME"])
        #expect(permission("microphone", revoked)?["granted"]?.boolValue == false)
        // The sound server still gives it to a plugin that may speak, and that is said.
        #expect(permission("microphone", revoked)?["enforced"]?.boolValue == false)
        #expect(permission("speaker", revoked)?["granted"]?.boolValue == true)
        #expect(
            try await run(["show", Self.system]).output.contains("declared only: it is one permission with speaker"))
        let granted = try await report(["grant", Self.system, "microphone", "--env=HOME"])
        #expect(permission("microphone", granted)?["granted"]?.boolValue == true)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: home.path + "/extentos/plugin-grants.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "what cannot be granted is refused with a way out and exit code 2",
        arguments: [
            ([loopback, "network"], "does not ask for network"), ([loopback, "audio"], "no permission \"audio\""),
            ([loopback, "--env", "HOME"], "does not ask for HOME"),
            ([system, "files:read:music"], "names no files"),
        ])
    func wrongUse(arguments: [String], message: String) async throws {
        let outcome = try await run(["grant"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(message))
    }

    @Test("a plugin that is not there is named with a suggestion and exit code 3")
    func missing() async throws {
        let outcome = try await run(["show", "org.extentos.loopbak"])
        #expect(outcome.code == 3)
        #expect(outcome.errors.contains("Did you mean 'org.extentos.loopback'?"))
    }

    @Test("a broken file of grants is named with its path and exit code 3")
    func broken() async throws {
        let folder = home.path + "/extentos"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/plugin-grants.json"))
        for arguments in [["show", Self.system], ["grant", Self.system], ["revoke", Self.system]] {
            let outcome = try await run(arguments)
            #expect(outcome.code == 3)
            #expect(outcome.errors.contains(folder + "/plugin-grants.json"))
            #expect(outcome.errors.contains("is broken"))
        }
    }

    @Test("processes that grant at the same time lose nothing of each other")
    func concurrent() async throws {
        let variables = ["ALSA_CONFIG_PATH", "HOME", "PULSE_COOKIE", "PULSE_SERVER", "XDG_RUNTIME_DIR"]
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for name in variables {
                group.addTask { try await run(["revoke", Self.system, "--env", name]).code }
            }
            for try await code in group { #expect(code == 0) }
        }
        let report = try await report(["show", Self.system])
        let granted = report["environment"]?.arrayValue?.compactMap { $0["granted"]?.boolValue }
        #expect(granted == variables.map { _ in false })
    }
}

/// A folder for the settings of one test, removed with it.
private final class TemporaryHome: Sendable {
    let path = NSTemporaryDirectory() + "glasses-home-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(error)") }
    }
}
