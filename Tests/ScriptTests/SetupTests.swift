import TestProcess
import Testing

@Suite("Scripts/setup")
struct SetupTests {
    /// A machine on which only the packages of `installed` are there; `engines` is what stands in for Scripts/speech-engines.
    private func machine(
        installed: String, aptGet: String = "exit 100", engines: String = "exit 0"
    ) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.stub(
            "dpkg-query", #"case "${@: -1}" in \#(installed)) printf installed ;; *) exit 1 ;; esac"#)
        try folder.stub("apt-get", aptGet)
        try folder.stub("swift", "echo Swift version 6.3")
        try folder.stub("id", "echo 0")
        try folder.stub("python3", engines)
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

    @Test("without the neural engines it warns, and the tests' set-up fails")
    func noEngines() async throws {
        let engines = #"[ "$2" = --check ] || echo "not installed" >&2; exit 1"#
        let folder = try machine(installed: "*", engines: engines)
        let outcome = try await folder.run(ScriptTree.script("setup"))
        #expect(outcome.code == 0)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.hasPrefix(
                "not installed\nsetup: without the neural speech engines the classic ones are used"))
        for arguments in [["--check"], ["--tests"]] {
            let outcome = try await folder.run(ScriptTree.script("setup"), arguments)
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("the neural speech engines"))
        }
    }

    @Test("without what fetches the neural engines, and without a network, all else is still there")
    func noPip() async throws {
        let folder = try machine(installed: "[a-oq-z]*|pocket*|pulse*", engines: "exit 1")
        let outcome = try await folder.run(ScriptTree.script("setup"))
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("missing: python3-pip"))
        #expect(outcome.errors.contains("the classic ones are used"))
    }

    @Test("a machine that no engine is made for is told so and is complete")
    func otherMachine() async throws {
        let outcome = try await machine(installed: "*", engines: "exit 3").run(ScriptTree.script("setup"))
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("setup: there are no neural speech engines for "))
        #expect(outcome.output.hasSuffix("setup: everything is installed\n"))
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
