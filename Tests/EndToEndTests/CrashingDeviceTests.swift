import Foundation
import GlassesDomain
import GlassesRuntime
import SoundServer
import Testing

/// A device's plugin that dies while a conversation is held.
@Suite(.serialized) struct CrashingDeviceTests {
    @Test(
        "A plugin that is killed in mid-answer is replaced: the answer plays on, the session and the connection notice nothing",
        .timeLimit(.minutes(2)), arguments: [SIGKILL, SIGSEGV])
    func anAnswerSurvivesItsDevice(_ signal: Int32) async throws {
        try await PrivatePulse.with { pulse in
            let recording = try await MonitorRecording(pulse)
            let conversation = try await ScriptedConversation(pulse)
            let begin = recording.frameCount
            try await Self.killInMidAnswer(signal, conversation)
            recording.stop()
            let clicks = ScriptedConversation.clicks(in: recording.samples(from: begin)[...]).count
            // All of the answer was heard; what the device had taken when it died, twice.
            #expect((40...44).contains(clicks), "\(clicks)")
            await conversation.end()
            #expect(Self.pluginChildren().isEmpty)
        }
    }

    private static func killInMidAnswer(_ signal: Int32, _ conversation: ScriptedConversation) async throws {
        conversation.answer(1, seconds: 4)
        #expect(await eventually(within: 5) { conversation.journal.audible.started == 1 })
        try await Task.sleep(for: .seconds(2))
        let child = try #require(pluginChildren().first)
        let sent = conversation.sentAudio
        kill(child, signal)
        #expect(await eventually(within: 10) { conversation.journal.audible.finished == 1 })
        #expect(await eventually(within: 5) { conversation.sentAudio > sent + 20_000 }, "capture resumes")
        #expect(conversation.glasses.connection.state.current.active != nil)
        #expect(conversation.journal.states == [.active])
        #expect(conversation.journal.errors.isEmpty, "\(conversation.journal.errors)")
        #expect(conversation.pluginLines.all.contains { $0.contains("is started again") })
    }

    /// The processes that carry plugins for this one.
    private static func pluginChildren() -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { name in
            guard let process = pid_t(name),
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = status.lastIndex(of: ")"), status.contains("(glasses-plugin-"),
                pid_t(status[end...].dropFirst(2).split(separator: " ")[1]) == getpid()
            else { return nil }
            return process
        }
    }
}
