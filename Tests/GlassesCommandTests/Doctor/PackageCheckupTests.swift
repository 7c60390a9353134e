import Testing

@testable import glasses

@Suite("Package check of the doctor")
struct PackageCheckupTests {
    @Test("all packages installed is well")
    func installed() {
        let lines = PackageCheckup.packages.map { "\($0) installed" }.joined(separator: "\n")
        #expect(PackageCheckup.finding(dpkgOutput: lines).level == .ok)
    }

    @Test("a missing or half-removed package is named with the command that installs it")
    func missing() {
        let lines = PackageCheckup.packages.map { package in
            package == "libflite1" ? "libflite1 config-files" : "\(package) installed"
        }
        let finding = PackageCheckup.finding(dpkgOutput: lines.dropFirst().joined(separator: "\n"))
        #expect(finding.level == .failed)
        #expect(finding.text == "missing: libasound2, libflite1")
        #expect(finding.command == "sudo apt-get install --no-install-recommends libasound2 libflite1")
    }
}
