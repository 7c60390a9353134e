import Foundation
import Testing

@testable import GlassesPluginHost

@Suite("A child that has to end is asked first, and made to afterwards")
struct ChildEndingTests {
    /// A shell script in the place of the program that carries plugins; it says when its traps are set, and answers nothing.
    private struct Script {
        let folder: TestFolder
        let child: PluginChild
        let ends = Collected<ChildEnd>()

        init(trap: String) throws {
            folder = try TestFolder()
            let program = folder.path + "/program"
            try folder.write(
                "program",
                """
                #!/bin/sh
                cd "${0%/*}"
                trap '\(trap)' TERM
                : > ready
                while :; do sleep 0.02; done
                """)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let plan = PluginChild.Plan(
                program: program, environment: ["PATH": "/usr/bin:/bin"],
                opening: PluginOpening(library: "/none", kind: .transport, settings: "{}", profile: "{}"),
                openLimit: .seconds(60), heartbeatLimit: .seconds(600))
            let ends = ends
            child = try #require(
                PluginChild(
                    plan, handlers: PluginChild.Handlers(received: { _ in }, ended: { ends.append($0) })))
        }

        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }
    }

    @Test("One that listens to SIGTERM leaves by itself")
    func leaves() async throws {
        let script = try Script(trap: ": > left; exit 0")
        script.child.start()
        #expect(await eventually { script.has("ready") })
        script.child.end(.stopped)
        #expect(await eventually { script.ends.all == [.stopped] })
        #expect(script.has("left"))
    }

    @Test("One that does not is killed, with all that it has started")
    func isKilled() async throws {
        let script = try Script(trap: "")
        script.child.start()
        #expect(await eventually { script.has("ready") })
        let process = try #require(script.child.process)
        script.child.end(.stopped)
        #expect(await eventually { script.ends.all == [.stopped] })
        #expect(await eventually { kill(-process, 0) != 0 })
    }
}
