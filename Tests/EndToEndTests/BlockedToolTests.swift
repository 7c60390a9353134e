import Dispatch
import GlassesDomain
import GlassesRuntime
import SoundServer
import Synchronization
import Testing

/// Tool bodies that block every thread they get.
@Suite(.serialized) struct BlockedToolTests {
    /// As in ``BargeInTests``: what the sound server holds behind the cut is heard a little longer.
    private static let deviceBufferMs = 50
    private static let timeout = 3.0

    @Test(.timeLimit(.minutes(1)))
    func eightBlockedBodiesHoldUpNeitherACutNorTheirTimeOutsNorATextTurnNorTheEnd() async throws {
        let bodies = BlockingBodies()
        defer { bodies.release() }
        let tools = (1...8).map { "job_\($0)" }
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse) { builder in
                for tool in tools {
                    builder.tool(tool, description: "A long job.", timeout: Self.timeout) {
                        bodies.block()
                        return .ok("late")
                    }
                }
            }
            let called = ContinuousClock.now
            conversation.call(tools)
            #expect(await eventually(within: 2) { bodies.running == 8 }, "all eight threads are taken")

            try await cutIsInTime(conversation, recording)
            #expect(conversation.toolOutputs.isEmpty, "neither the cut nor the next answer waited for the bodies")

            #expect(await eventually(within: 5) { conversation.toolOutputs.count == 8 })
            let answered = ContinuousClock.now - called
            #expect(answered >= .seconds(Self.timeout) && answered < .seconds(Self.timeout + 1), "\(answered)")
            #expect(conversation.toolOutputs.values.allSatisfy { $0.count == 1 })
            #expect(bodies.running == 8, "nobody waited for the bodies")

            try await textTurnWorks(conversation)
            let stopping = ContinuousClock.now
            await conversation.session.stop()
            let stopped = ContinuousClock.now - stopping
            print("eight blocked bodies: calls answered after \(answered), stop() took \(stopped)")
            #expect(stopped < .milliseconds(2_500))
            #expect(bodies.running == 8)
            recording.stop()
            await conversation.end()
        }
    }

    private func cutIsInTime(_ conversation: ScriptedConversation, _ recording: MonitorRecording) async throws {
        let before = recording.frameCount
        conversation.answer(1)
        #expect(await eventually(within: 2) { conversation.journal.audible.started == 1 })
        try await Task.sleep(for: .milliseconds(400))
        let spokeAt = recording.frameCount
        _ = try await conversation.interrupt(1)
        try await Task.sleep(for: .milliseconds(250))
        let last = try #require(recording.samples(from: before).lastIndex { abs(Int($0)) > 500 })
        let late = Double(before + last - spokeAt) / 48
        print("eight blocked bodies: last voiced sample \(late) ms after speech_started")
        #expect(late <= Double(40 + Self.deviceBufferMs))
        // What the user said is answered too.
        conversation.answer(2, seconds: 0.5)
        #expect(await eventually(within: 3) { conversation.journal.audible.finished == 2 })
    }

    private func textTurnWorks(_ conversation: ScriptedConversation) async throws {
        // The follow-up to the eight calls comes first, once.
        #expect(await eventually(within: 2) { conversation.requests == 1 })
        conversation.answer(3, seconds: 0.5)
        #expect(await eventually(within: 3) { conversation.journal.audible.finished == 3 })
        try await conversation.type("are you still there")
        #expect(await eventually(within: 2) { conversation.requests == 2 })
        conversation.answer(4, seconds: 0.5)
        #expect(await eventually(within: 3) { conversation.journal.audible.finished == 4 })
    }
}

/// Bodies that hold their threads for a minute, or until the test is over.
private final class BlockingBodies: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    /// Bodies that block now.
    var running: Int { count.withLock { $0 } }

    /// Blocks the calling thread.
    func block() {
        count.withLock { $0 += 1 }
        _ = semaphore.wait(timeout: .now() + 60)
        count.withLock { $0 -= 1 }
    }

    /// Ends the bodies.
    func release() { for _ in 0..<8 { semaphore.signal() } }
}
