import Foundation
import TestProcess
import Testing

/// The demo with a stand-in for the compiler and for the program that it builds.
@Suite("Scripts/demo")
struct DemoTests {
    /// A copy of the scripts in which `glasses` writes its arguments to a file. `check` is the exit code of `devices --check`.
    private func tree(check: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["demo", "setup"] {
            let text = try String(contentsOfFile: ScriptTree.script(name), encoding: .utf8)
            try folder.write("Scripts/\(name)", text, isExecutable: true)
        }
        try folder.write("Scripts/speech-engines", "#!/bin/sh\n", isExecutable: true)
        try folder.stub("dpkg-query", "printf installed")
        try folder.stub("apt-get", "exit 100")
        try folder.stub(
            "swift",
            #"""
            case "$*" in
                --version) echo "Swift version 6.3" ;;
                *--show-bin-path*) echo "$(dirname "$0")" ;;
            esac
            """#)
        try folder.stub(
            "glasses",
            """
            printf '%s|' "$@" >> calls; echo >> calls
            [ "$1" = devices ] && exit \(check)
            [ "$1" = listen ] && echo "it is noon"
            while [ $# -gt 0 ]; do [ "$1" = --record ] && echo sound > "$2/speaker.wav"; shift; done
            exit 0
            """)
        return folder
    }

    private func calls(_ folder: TemporaryFolder) throws -> [String] {
        try String(contentsOf: folder.url.appendingPathComponent("calls"), encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    private func demo(_ folder: TemporaryFolder, _ arguments: [String]) async throws -> TestProcess.Outcome {
        try await folder.run(folder.url.appendingPathComponent("Scripts/demo").path, arguments)
    }

    @Test("with a sound device it talks with the arguments passed on")
    func withDevice() async throws {
        let folder = try tree(check: 0)
        #expect(try await demo(folder, ["--greet", "--type", "two words"]).code == 0)
        #expect(try calls(folder) == ["devices|--check|", "talk|--greet|--type|two words|"])
    }

    @Test(
        "a device that was named is used without a look for another",
        arguments: [["--device", "null"], ["--device=null"]])
    func namedDevice(_ arguments: [String]) async throws {
        let folder = try tree(check: 3)
        #expect(try await demo(folder, arguments).code == 0)
        #expect(try calls(folder) == ["talk|" + arguments.map { $0 + "|" }.joined()])
    }

    @Test("without a sound device it says so, talks to itself and recognises the recording")
    func withoutDevice() async throws {
        let folder = try tree(check: 3)
        let outcome = try await demo(folder, ["--json"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("no sound device was found"))
        #expect(outcome.output.hasSuffix("it is noon\n"))
        let calls = try calls(folder)
        #expect(calls[1].hasPrefix("talk|--device|null|--say|what time is it|--record|"))
        #expect(calls[1].hasSuffix("|--json|"))
        #expect(calls[2] == "listen|--file|demo.wav|")
        #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("demo.wav").path))
    }

    @Test("a line to say replaces the question")
    func ownLine() async throws {
        let folder = try tree(check: 3)
        #expect(try await demo(folder, ["--say", "hello"]).code == 0)
        #expect(try calls(folder)[1].hasSuffix("|--say|hello|"))
        #expect(try !calls(folder)[1].contains("what time is it"))
    }
}
