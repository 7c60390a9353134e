import GlassesDomain
import GlassesPluginHost
import SoundServer
import Testing

/// A device that was made without its microphone, as `talk --mic none` does.
@Suite(.serialized) struct DeviceWithoutMicrophoneTests {
    @Test(.timeLimit(.minutes(1)))
    func aSessionOnItIsTypedAndReportsNoError() async throws {
        // The faulty PCM is a library with files of its own, which no child may read.
        let conversation = try await ScriptedConversation(
            microphone: "none", speaker: FaultPCM("channels=1").name, isolation: .inProcess)
        try await conversation.type("hello")
        conversation.answer(1, seconds: 0.5)
        #expect(await eventually(within: 10) { conversation.journal.audible.finished == 1 })
        #expect(conversation.journal.states == [.active])
        #expect(conversation.journal.errors.isEmpty, "\(conversation.journal.errors)")
        #expect(conversation.sentAudio == 0)
        await conversation.end()
    }
}
