import GlassesDomain
import GlassesRealtime
import Testing

@testable import GlassesPipeline

@Suite("An answer that is spoken while it is made")
struct StreamedAnswerTests {
    private static func asked(_ profile: PipelineProfile = MachineRig.fullProfile) throws -> (MachineRig, String) {
        var rig = MachineRig(profile: profile)
        rig.client(.responseCreate(nil))
        return (rig, try #require(rig.lastThought).responseId)
    }

    @Test("the first sentence is synthesised before the second is known, and the reply brings the end")
    func early() throws {
        var (rig, id) = try Self.asked()
        rig.apply(.brainSpoke(responseId: id, text: "One."))
        #expect(rig.spokenTexts == ["One."])
        rig.synthesize(ms: 500)
        #expect(rig.lastResponse == nil, "more may come")
        rig.apply(.brainSpoke(responseId: id, text: " Two."))
        rig.apply(.brainSpoke(responseId: id, text: " Three."))
        #expect(rig.spokenTexts == ["One.", "Two."])
        let call = BrainFunctionCall(name: "f", arguments: "{}")
        let usage = BrainUsage(inputTokens: 5, outputTokens: 6)
        rig.apply(.brainReplied(responseId: id, BrainReply(speech: " Four.", calls: [call], usage: usage)))
        for _ in 0..<3 { rig.synthesize(ms: 500) }
        #expect(rig.spokenTexts == ["One.", "Two.", "Three.", "Four."])
        let response = try #require(rig.lastResponse)
        #expect(response.status == .completed && response.output.count == 2 && response.usage?.totalTokens == 11)
        #expect(rig.texts.first == "One. Two. Three. Four.")
    }

    @Test("an answer that breaks off is said as far as it is here, ends as failed, and is never said again")
    func broken() throws {
        var (rig, id) = try Self.asked()
        rig.apply(.brainSpoke(responseId: id, text: "One. Two."))
        rig.apply(.brainFailed(responseId: id, BrainError(code: "connection_lost", message: "Lost.")))
        rig.synthesize(ms: 500)
        #expect(rig.lastResponse == nil)
        rig.synthesize(ms: 500)
        #expect(rig.lastResponse?.status == .failed)
        #expect(rig.lastResponse?.statusDetails?.error?.code == "connection_lost")
        #expect(rig.texts == ["One. Two."])
        #expect(rig.machine.conversation.entries.first?.item.status == .incomplete)
        rig.apply(.brainSpoke(responseId: id, text: " Three."))
        #expect(rig.spokenTexts == ["One.", "Two."])
    }

    @Test("an answer that breaks off while the voice waits for more ends at once")
    func brokenInSilence() throws {
        var (rig, id) = try Self.asked()
        rig.apply(.brainSpoke(responseId: id, text: "One."))
        rig.synthesize(ms: 500)
        rig.apply(.timerFired(.thinking(responseId: id)))
        #expect(rig.lastResponse?.statusDetails?.error?.code == "timeout")
        #expect(rig.work.contains(.cancelThinking(responseId: id)))
    }

    @Test("a cancel in the middle also cancels the brain, and leaves what was heard")
    func cancelled() throws {
        var (rig, id) = try Self.asked()
        rig.apply(.brainSpoke(responseId: id, text: "One. Two."))
        rig.synthesize(ms: 500)
        rig.client(.responseCancel(responseId: nil))
        #expect(rig.lastResponse?.status == .cancelled)
        #expect(rig.work.contains(.cancelThinking(responseId: id)))
        #expect(rig.work.contains(.cancelTimer(.thinking(responseId: id))))
        #expect(rig.apply(.brainReplied(responseId: id, BrainReply(speech: "Late."))).isEmpty)
    }

    @Test("where there is no voice, each piece is a text delta")
    func text() throws {
        var profile = MachineRig.fullProfile
        profile.canSynthesize = false
        var (rig, id) = try Self.asked(profile)
        #expect(rig.apply(.brainSpoke(responseId: id, text: "One.")).last == "response.output_text.delta")
        rig.apply(.brainReplied(responseId: id, BrainReply(ending: .tooLong)))
        #expect(rig.lastResponse?.status == .incomplete)
        #expect(rig.lastResponse?.statusDetails?.reason == .maxOutputTokens)
        #expect(rig.texts == ["One."])
    }

    @Test("each piece gives the brain its time anew")
    func patience() throws {
        var (rig, id) = try Self.asked()
        rig.forgetWork()
        rig.apply(.brainSpoke(responseId: id, text: "One."))
        #expect(rig.work.contains(.schedule(.thinking(responseId: id), after: PipelineLimits.engineTimeout)))
    }
}
