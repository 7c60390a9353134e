import Testing

@testable import GlassesPluginHost

@Suite("The environment of a plugin's child")
struct PluginEnvironmentTests {
    private let ours = [
        "HOME": "/home/ann", "SECRET": "token", "LD_PRELOAD": "/evil.so", "HUGE": String(repeating: "x", count: 40_000),
    ]

    @Test("a plugin gets the granted variables that are set, and one of ours")
    func granted() {
        let environment = PluginEnvironment(
            PluginGrants(permissions: [], environment: ["HOME", "UNSET"]), from: ours)
        #expect(environment.texts == ["HOME=/home/ann", "SWIFT_BACKTRACE=enable=no"])
    }

    @Test("a plugin that was granted nothing gets nothing of ours")
    func nothing() { #expect(PluginEnvironment(.none, from: ours).texts == ["SWIFT_BACKTRACE=enable=no"]) }

    @Test(
        "variables that change the child before it is confined are given to nobody",
        arguments: [
            "LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "SWIFT_BACKTRACE", "MALLOC_CHECK_", "", "A=B", "1A",
        ])
    func withheld(_ name: String) {
        #expect(!PluginEnvironment.isGrantable(name))
        #expect(PluginGrants(permissions: [], environment: [name]).environment.isEmpty)
    }

    @Test("a value that could keep the child from starting is left out")
    func huge() {
        let environment = PluginEnvironment(PluginGrants(permissions: [], environment: ["HUGE"]), from: ours)
        #expect(environment.variables["HUGE"] == nil)
    }
}
