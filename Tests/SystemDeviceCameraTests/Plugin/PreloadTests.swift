import TestProcess
import Testing

@Suite("The library that stands in for devices")
struct PreloadTests {
    @Test("The child's program takes one in debug builds only")
    func debugOnly() async throws {
        let program = buildFolder + "/glasses-plugin-host"
        let wrong = try await TestProcess(program, ["--preload", "/nowhere.so", "1"]).run()
        #expect(wrong.code == 2)
        // Its host is not the parent, so a program that took the option ends silently as an orphan.
        let taken = try await TestProcess(program, ["--preload", buildFolder + "/libV4L2StandIn.so", "1"]).run()
        #if DEBUG
            #expect(taken.code != 2)
            #expect(!taken.errors.contains("usage:"))
        #else
            #expect(taken.code == 2)
            #expect(taken.errors.contains("usage:"))
        #endif
    }
}
