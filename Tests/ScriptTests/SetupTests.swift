import TestProcess
import Testing

@Suite("Scripts/setup")
struct SetupTests {
    /// A machine on which only the packages of `installed` are there.
    private func machine(installed: String, aptGet: String = "exit 100") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.stub(
            "dpkg-query", #"case "${@: -1}" in \#(installed)) printf installed ;; *) exit 1 ;; esac"#)
        try folder.stub("apt-get", aptGet)
        try folder.stub("swift", "echo Swift version 6.3")
        try folder.stub("id", "echo 0")
        return folder
    }

    @Test("with everything installed it does nothing", arguments: [[], ["--check"], ["--tests"]])
    func complete(_ arguments: [String]) async throws {
        let folder = try machine(installed: "*", aptGet: "echo called; exit 100")
        let outcome = try await folder.run(ScriptTree.script("setup"), arguments)
        #expect(outcome.code == 0)
        #expect(outcome.output == "setup: everything is installed\n")
    }

    @Test("a check names what is missing and installs nothing")
    func check() async throws {
        let folder = try machine(installed: "[a-k]*|libc*|libg*|libst*", aptGet: "echo called; exit 100")
        let outcome = try await folder.run(ScriptTree.script("setup"), ["--check"])
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("libpocketsphinx3"))
        #expect(outcome.output.contains("libflite1"))
        #expect(!outcome.output.contains("binutils"))
        #expect(!outcome.output.contains("called"))
    }

    @Test("without a network it names what is missing")
    func offline() async throws {
        let folder = try machine(installed: "[a-k]*|libc*|libg*|libs*|libasound*|pocket*|libpocket*")
        let outcome = try await folder.run(ScriptTree.script("setup"))
        #expect(outcome.code == 1)
        let named = outcome.errors.split(separator: "\n").first { $0.hasPrefix("setup: not installed: ") }
        #expect(named?.contains("libflite1") == true, "\(outcome.errors)")
        #expect(outcome.errors.contains("Check the network"))
    }

    @Test("without a toolchain it says where to get one")
    func noToolchain() async throws {
        let folder = try TemporaryFolder()
        try folder.stub("dpkg-query", "printf installed")
        try folder.stub("apt-get", "exit 100")
        let outcome = try await folder.run(ScriptTree.script("setup"))
        try #require(outcome.code != 0, "A toolchain lies in /usr/bin.")
        #expect(outcome.errors.contains("swift.org"))
    }
}
