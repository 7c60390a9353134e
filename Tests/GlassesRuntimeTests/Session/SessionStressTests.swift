import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionStressTests {
    /// Field bug A9, through the real driver: operations from eight tasks, a provider that is sometimes slow or refuses.
    @Test(arguments: 0..<10)
    func interleavedOperationsAllEndAndLeaveNothingOpen(seed: Int) async throws {
        let harness = SessionHarness()
        _ = await harness.glasses.connect()
        var generator = SeededGenerator(state: UInt64(seed) &* 7919 &+ 1)
        harness.provider.plan(
            (0..<60).map { _ in
                Int.random(in: 0..<4, using: &generator) == 0
                    ? .refuse(ConnectionClosure(code: "busy", message: "Try again.", httpStatus: 503)) : .accept
            })
        let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
        try await session.start()
        let plans = (0..<8).map { _ in (0..<25).map { _ in Int.random(in: 0..<3, using: &generator) } }
        let ended = Tally()
        await withTaskGroup(of: Void.self) { group in
            for plan in plans {
                group.addTask {
                    for operation in plan {
                        do {
                            switch operation {
                            case 0: try await session.start()
                            case 1: try await session.wake()
                            default: try await session.sleep()
                            }
                        } catch { #expect(error is AssistantError) }
                        ended.add()
                    }
                }
            }
            group.addTask {
                // Bounded, so that an operation that never ends is a failure and not a hang.
                let deadline = ContinuousClock.now.advanced(by: .seconds(30))
                while ended.count < 200, ContinuousClock.now < deadline {
                    harness.clock.advance(by: .milliseconds(20))
                    await pause()
                }
            }
        }
        await session.stop()
        #expect(session.state.current == .stopped)
        #expect(harness.provider.openCount == 0)
        #expect(!harness.device.simulatedMicrophone.isOpen)
        await eventually("the end is told") {
            harness.events.contains { if case .sessionEnded = $0 { true } else { false } }
        }
        #expect(harness.events.count { if case .sessionEnded = $0 { true } else { false } } == 1)
    }

    /// Eight bodies that block their threads: the session still cuts, answers each call at its time-out, and stops in time.
    @Test func eightBlockingToolBodiesHoldNothingUp() async throws {
        let harness = SessionHarness()
        let release = DispatchSemaphore(value: 0)
        defer { for _ in 0..<8 { release.signal() } }
        let session = try await harness.awake { config in
            config.tools = [
                ToolDefinition(name: "block", description: "Blocks.", timeout: 5) { _ in
                    // The wait is the point of the test, and bounded.
                    _ = await Self.blockThread(release)
                    return .ok("late")
                }
            ]
        }
        for index in 1...9 {
            harness.callTool("block", arguments: "{}", call: "c\(index)", response: "r\(index)")
        }
        await eventually("the ninth call is answered busy") { harness.toolOutputs.contains { $0.call == "c9" } }
        harness.speakAnswer("r20", item: "a20", transcript: "one two three", milliseconds: 2_000, finish: false)
        await harness.run(.seconds(1)) { harness.device.simulatedSpeaker.heard.count > 4_800 }
        harness.userSpeaks()
        await eventually("the answer is cut") { harness.events.contains(.assistantAudioFinished) }
        await harness.run(.milliseconds(5_200)) { harness.toolOutputs.count == 9 }
        #expect(Set(harness.toolOutputs.map(\.call)) == Set((1...9).map { "c\($0)" }))
        let started = ContinuousClock.now
        let stopping = Task { await session.stop() }
        await harness.run(.milliseconds(2_500)) { session.state.current == .stopped }
        await stopping.value
        #expect(ContinuousClock.now - started < .seconds(5))
    }

    private static func blockThread(_ release: DispatchSemaphore) async -> Bool {
        func wait() -> Bool { release.wait(timeout: .now() + 60) == .success }
        return wait()
    }
}

/// A small generator for reproducible tests.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
