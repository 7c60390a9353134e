import Glibc
import Testing

@testable import GlassesPluginHost

@Suite("The report of a confined child")
struct SandboxReportTests {
    @Test("on a kernel with everything it says that everything holds")
    func complete() async throws {
        let lab = try SandboxLab()
        let report = try await lab.run(lab.profile()).report
        #expect(Set(report.outcomes.keys) == Set(SandboxMeasure.allCases))
        #expect(report.shortcomings == [])
        #expect(report.landlockABI == LandlockRuleset.kernelABI().abi)
        #expect(report.landlockABI > 0)
    }

    /// What of the files' rules an older kernel holds; the network does not depend on it.
    @Test(
        "an older Landlock holds what it knows, and the report names the rest",
        arguments: [
            (1, ["read_private": EACCES, "move_granted": EXDEV, "truncate_private": 0], "between folders"),
            (2, ["read_private": EACCES, "move_granted": 0, "truncate_private": 0], "by its path"),
            (3, ["read_private": EACCES, "move_granted": 0, "truncate_private": EACCES], "device commands"),
            (5, ["read_private": EACCES, "move_granted": 0, "truncate_private": EACCES], "abstract local sockets"),
        ] as [(Int, [String: Int32], String)])
    func older(abi: Int, expected: [String: Int32], missing: String) async throws {
        let lab = try SandboxLab()
        var profile = try lab.profile(["files:write:~/granted"])
        profile.landlockABI = abi
        let outcome = try await lab.run(profile)
        for (name, error) in expected { #expect(outcome.errors[name] == error, "\(name)") }
        #expect(outcome.errors["tcp"] == EPERM)
        #expect(outcome.report.landlockABI == abi)
        guard case .partly(let reason)? = outcome.report.outcomes[.landlock] else {
            Issue.record("landlock is \(String(describing: outcome.report.outcomes[.landlock]))")
            return
        }
        #expect(reason.contains(missing))
        #expect(!outcome.report.shortcomings.isEmpty)
    }

    @Test("without Landlock the rest holds, and the report says what does not")
    func absent() async throws {
        let lab = try SandboxLab()
        var profile = try lab.profile()
        profile.landlockABI = 0
        let outcome = try await lab.run(profile)
        #expect(outcome.errors["read_private"] == 0)
        #expect(outcome.errors["camera"] == 0)
        for name in ["tcp", "bluetooth", "fork", "exec", "ptrace", "chmod_private"] {
            #expect(outcome.errors[name] == EPERM, "\(name)")
        }
        #expect(outcome.report.landlockABI == 0)
        #expect(outcome.report.shortcomings == ["landlock does not hold: it was told to do without."])
        #expect(outcome.report.outcomes[.seccomp] == .enforced)
    }

    @Test("a profile cannot claim a newer Landlock than the kernel's")
    func newer() async throws {
        let lab = try SandboxLab()
        var profile = try lab.profile()
        profile.landlockABI = 99
        let report = try await lab.run(profile).report
        #expect(report.landlockABI == LandlockRuleset.kernelABI().abi)
        #expect(report.shortcomings.isEmpty)
    }

    @Test("what does not hold becomes a sentence each, and what holds none")
    func sentences() {
        let report = SandboxReport(
            outcomes: [.seccomp: .absent("no"), .landlock: .partly("some"), .limits: .enforced], landlockABI: 2)
        #expect(report.shortcomings.contains("seccomp does not hold: no."))
        #expect(report.shortcomings.contains("landlock holds in part: some."))
        #expect(report.shortcomings.contains("noDumps was not tried."))
        #expect(!report.shortcomings.contains { $0.hasPrefix("limits") })
    }
}
