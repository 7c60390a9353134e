import Foundation
import GlassesDomain
import GlassesRuntime
import SoundServer
import Testing

/// A device's plugin that dies while a conversation is held.
@Suite(.serialized) struct CrashingDeviceTests {
    @Test(
        "A plugin that is killed in mid-answer is replaced: the answer plays on, the session and the connection notice nothing",
        .timeLimit(.minutes(2)))
    func anAnswerSurvivesItsDevice() async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse)
            let begin = recording.frameCount
            try await Self.killInMidAnswer(conversation)
            recording.stop()
            let clicks = ScriptedConversation.clicks(in: recording.samples(from: begin)[...]).count
            // All of the answer was heard; what the device had taken when it died, twice.
            #expect((40...44).contains(clicks), "\(clicks)")
            await conversation.end()
            let left = ProcessFigures.children(of: getpid())
            #expect(conversation.pluginProcesses.all.count == 2)
            #expect(conversation.pluginProcesses.all.allSatisfy { !left.contains($0) })
        }
    }

    private static func killInMidAnswer(_ conversation: ScriptedConversation) async throws {
        conversation.answer(1, seconds: 4)
        #expect(await eventually(within: 5) { conversation.journal.audible.started == 1 })
        try await Task.sleep(for: .seconds(2))
        let child = try #require(conversation.pluginProcesses.all.last)
        let sent = conversation.sentAudio
        kill(child, SIGSEGV)
        #expect(await eventually(within: 10) { conversation.journal.audible.finished == 1 })
        #expect(await eventually(within: 5) { conversation.sentAudio > sent + 20_000 }, "capture resumes")
        #expect(conversation.glasses.connection.state.current.active != nil)
        #expect(conversation.journal.states == [.active])
        #expect(conversation.journal.errors.isEmpty, "\(conversation.journal.errors)")
        #expect(conversation.pluginLines.all.contains { $0.contains("is started again") })
    }
}
