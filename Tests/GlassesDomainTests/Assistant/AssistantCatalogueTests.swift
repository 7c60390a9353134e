import GlassesDomain
import Testing

@Suite("The models and voices that are known by name") struct AssistantCatalogueTests {
    @Test("Names are there once, and a model says the same of itself as the question by its name")
    func models() {
        let models = AssistantCatalogue.models
        #expect(Set(models.map(\.id)).count == models.count)
        #expect(models.map(\.id).contains(AssistantProvider.defaultModel))
        for model in models {
            #expect(assistantModelSupportsReasoning(model.id) == model.reasoningCapable, "\(model.id)")
        }
        #expect(models.filter { assistantModelSupportsVideo($0.id) }.map(\.provider) == ["gemini"])
    }

    @Test("A model has its maker's voices, and one of another maker or of none has no known ones")
    func voices() {
        let voices = AssistantCatalogue.voices(forModel: "gpt-realtime-9")
        #expect(voices.map(\.id).contains(AssistantProvider.defaultVoice) && voices.count == 10)
        #expect(voices.first?.label == "Alloy")
        for other in ["gemini-3.1-flash-live-preview", "grok-voice", "local", ""] {
            #expect(AssistantCatalogue.voices(forModel: other).isEmpty)
        }
    }

    @Test(
        "Whether a model reasons",
        arguments: [
            ("gpt-realtime-2", true), ("gpt-realtime-2.1-mini", true), ("gpt-realtime-2-2026-01-01", true),
            ("gemini-3.1-flash-live-preview", true), ("gpt-realtime-mini", false), ("gpt-realtime-2025-08-28", false),
            ("grok-voice", false), ("local", false), (nil, false),
        ] as [(String?, Bool)])
    func reasons(_ model: String?, _ does: Bool) { #expect(assistantModelSupportsReasoning(model) == does) }
}
