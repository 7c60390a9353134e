import SeededRandom
import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesTesting
import Testing

@testable import GlassesRuntime

@Suite struct SessionStressTests {
    /// Field bug A9, through the real driver: operations from eight tasks, stops among them, on a session of its own for each round,
    /// and a provider that sometimes refuses.
    @Test(arguments: (0..<24).map { (SessionHarness.Wire.memory, $0) } + (0..<6).map { (.socket, $0) })
    func interleavedOperationsAllEndAndLeaveNothingOpen(wire: SessionHarness.Wire, seed: Int) async throws {
        let harness = try SessionHarness.over(wire)
        _ = await harness.glasses.connect()
        var generator = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
        harness.provider.plan(
            (0..<60).map { _ in
                Int.random(in: 0..<4, using: &generator) == 0
                    ? .refuse(ConnectionClosure(code: "busy", message: "Try again.", httpStatus: 503)) : .accept
            })
        for round in 0..<8 {
            let session = harness.glasses.assistant.createSession(config: AssistantConfig(provider: .managed()))
            try await session.start()
            let plans = (0..<8).map { _ in (0..<6).map { _ in Int.random(in: 0..<10, using: &generator) } }
            #expect(await Self.run(plans, on: session, in: harness) == 48)
            await session.stop()
            #expect(session.state.current == .stopped)
            #expect(harness.glasses.assistant.activeSession == nil)
            await eventually("every connection has ended at the provider, too") { harness.provider.openCount == 0 }
            await eventually("the microphone is released") { !harness.device.simulatedMicrophone.isOpen }
            await eventually("the end of each session is told once") {
                harness.events.count { if case .sessionEnded = $0 { true } else { false } } == round + 1
            }
        }
        await harness.server?.stop()
    }

    /// A stop between another call's look at the state and its claim: the call must not keep the slot of the session that ended.
    @Test func aCallThatLosesToAStopLeavesTheSlotFreeForTheNextSession() async throws {
        let harness = SessionHarness()
        let assistant = try #require(harness.glasses.assistant as? AssistantDriver)
        let config = AssistantConfig(provider: .managed())
        let first = try #require(assistant.createSession(config: config) as? LiveSession)
        try await first.start()
        await first.stop()
        // What the overtaken call has done by now.
        try assistant.claim(first)
        await #expect { try await first.start() } throws: { ($0 as? AssistantError)?.code == "session_ended" }
        #expect(assistant.activeSession == nil)
        let second = assistant.createSession(config: config)
        try await second.start()
        await second.stop()
    }

    /// Runs each plan in a task of its own and returns how many operations ended.
    private static func run(
        _ plans: [[Int]], on session: any AssistantSession, in harness: SessionHarness
    ) async -> Int {
        let ended = Tally()
        let total = plans.joined().count
        await withTaskGroup(of: Void.self) { group in
            for plan in plans {
                group.addTask {
                    for operation in plan {
                        do { try await perform(operation, on: session) } catch { #expect(error is AssistantError) }
                        ended.add()
                    }
                }
            }
            group.addTask {
                // Bounded, so that an operation that never ends is a failure and not a hang.
                let deadline = ContinuousClock.now.advanced(by: .seconds(30))
                while ended.count < total, ContinuousClock.now < deadline {
                    harness.clock.advance(by: .milliseconds(20))
                    await pause()
                }
            }
        }
        return ended.count
    }

    /// A stop is one operation of ten, so that most rounds see some of the others first.
    private static func perform(_ operation: Int, on session: any AssistantSession) async throws {
        switch operation {
        case 0..<3: try await session.start()
        case 3..<6: try await session.wake()
        case 6..<9: try await session.sleep()
        default: await session.stop()
        }
    }

    /// Eight bodies that block their threads: the session still cuts, answers each call at its time-out, and stops in time.
    @Test func eightBlockingToolBodiesHoldNothingUp() async throws {
        let harness = SessionHarness(appCode: AppCodeThreads())
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

    @Test func aBodyOfASecondSessionIsAnsweredBusyWhileTheFirstOnesHoldAllThreads() async throws {
        let threads = AppCodeThreads()
        let (first, second) = (SessionHarness(appCode: threads), SessionHarness(appCode: threads))
        let release = DispatchSemaphore(value: 0)
        defer { for _ in 0..<8 { release.signal() } }
        let began = Tally()
        let block = ToolDefinition(name: "block", description: "Blocks.") { _ in
            began.add()
            _ = await Self.blockThread(release)
            return .ok("done")
        }
        let sessions = [
            try await first.awake { $0.tools = [block] }, try await second.awake { $0.tools = [block] },
        ]
        for index in 1...8 { first.callTool("block", arguments: "{}", call: "c\(index)", response: "r\(index)") }
        await eventually("all threads are taken") { began.count == 8 }
        second.callTool("block", arguments: "{}", call: "late", response: "r1")
        await eventually("it is answered busy") { second.toolOutputs.first?.output.contains("busy") == true }
        #expect(began.count == 8)
        release.signal()
        await eventually("one body ends") { first.toolOutputs.count == 1 }
        second.callTool("block", arguments: "{}", call: "next", response: "r2")
        await eventually("its place is taken") { began.count == 9 }
        for _ in 0..<8 { release.signal() }
        for session in sessions { await session.stop() }
    }

    private static func blockThread(_ release: DispatchSemaphore) async -> Bool {
        func wait() -> Bool { release.wait(timeout: .now() + 60) == .success }
        return wait()
    }
}
