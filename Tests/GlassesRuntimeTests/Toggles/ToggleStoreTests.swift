import SeededRandom
import GlassesDomain
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct ToggleStoreTests {
    /// A gate that is computed by one change and applied after a later one would stay open against the user's word.
    @Test(arguments: 0..<5)
    func aThousandConcurrentPutsLeaveTheGateOfTheLastState(seed: Int) async {
        let events = EventLog(
            logLevel: .warn, interceptors: [], clock: ManualClock().port, mirror: nil, start: { _ in })
        let hub = MicrophoneHub(events: events, recorder: nil)
        let store = ToggleStore(
            events: events, changed: { hub.applyGate(MicrophoneGate($0)) }, settled: { await hub.gateSettled() })
        var generator = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
        let puts = (0..<1_000).map { _ in
            (
                key: ["privacy_mode", "audio_capture_enabled"][Int.random(in: 0..<2, using: &generator)],
                value: JSONValue.bool(Bool.random(using: &generator))
            )
        }
        await withTaskGroup(of: Void.self) { group in
            for put in puts {
                group.addTask { await store.put(key: put.key, value: put.value, source: .ui) }
            }
        }
        #expect(hub.gate == MicrophoneGate(store.state.current))
    }
}
