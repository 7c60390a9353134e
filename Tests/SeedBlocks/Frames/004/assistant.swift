import GlassesCore

func startAssistant(_ glasses: any ExtentosGlasses) async throws -> any AssistantSession {
    // BLOCK
    return session
}
