import GlassesPluginHost
import Testing

@testable import glasses

@Suite("Where plugins run")
struct IsolationCheckupTests {
    private static func support(_ landlock: Int, seccomp: Bool) -> SandboxSupport {
        SandboxSupport(landlockABI: landlock, hasSeccomp: seccomp, soundServer: nil)
    }

    @Test("without the program that carries plugins the doctor fails, since none would be loaded")
    func missingProgram() {
        let finding = IsolationCheckup.finding(program: nil, on: Self.support(7, seccomp: true))
        #expect(finding.level == .failed)
        #expect(finding.text.contains("glasses-plugin-host"))
        #expect(finding.command == "swift build")
    }

    @Test(
        "the doctor names what holds plugins to their permissions, and warns of what the kernel lacks",
        arguments: [
            (7, true, Finding.Level.ok, "held to its permissions by seccomp and Landlock (ABI 7)"),
            (0, true, .warning, "only seccomp"), (2, false, .warning, "only Landlock (ABI 2)"),
            (0, false, .warning, "cannot hold it to all of its permissions"),
        ])
    func measures(_ landlock: Int, _ seccomp: Bool, _ level: Finding.Level, _ words: String) {
        let finding = IsolationCheckup.finding(program: "/p", on: Self.support(landlock, seccomp: seccomp))
        #expect(finding.level == level)
        #expect(finding.text.hasPrefix("each plugin runs in a process of its own"))
        #expect(finding.text.hasSuffix(words), "\(finding.text)")
    }
}
