import GlassesCore

func showFrames(
    _ glasses: any ExtentosGlasses, render: @Sendable (VideoFrame) -> Void, log: @Sendable (String) -> Void,
    showHint: @Sendable (String) -> Void
) async throws {
    // BLOCK
}
