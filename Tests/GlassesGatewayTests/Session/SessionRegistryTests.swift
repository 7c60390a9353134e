import GlassesDomain
import Synchronization
import Testing

@testable import GlassesGateway

@Suite("The registry of sessions") struct SessionRegistryTests {
    @Test("a session that was granted and has not opened yet holds up the end, until it opens and ends or is abandoned")
    func grantedSessions() async throws {
        let rig = try GatewayRig()
        let registry = SessionRegistry(configuration: rig.configuration, clock: RealClock.port)
        let record = try registry.reserve(.anyone, model: "local", upstream: nil)
        registry.startDraining()
        let hasEnded = Atomic<Bool>(false)
        async let end: Void = {
            await registry.waitUntilEmpty(atMost: .seconds(60))
            hasEnded.store(true, ordering: .releasing)
        }()
        try await Task.sleep(for: .milliseconds(50))
        let hasEndedEarly = hasEnded.load(ordering: .acquiring)
        #expect(!hasEndedEarly)
        registry.end(record, closeCode: nil)
        await end
    }
}
