import BlockedPool
@_spi(ExtentosTools) import GlassesCore
import GlassesDomain
import GlassesPluginHost
@_spi(ExtentosTools) import GlassesRuntime
import Testing

/// An app that blocks all of Swift's shared pool, on the real embedded provider.
@Suite struct BlockedPoolTests {
    @Test(.timeLimit(.minutes(1)))
    func anAppThatBlocksTheWholePoolDelaysNeitherRecognitionNorAnswers() async {
        await #expect(processExitsWith: .success) {
            BlockedPool.run(within: .seconds(40)) {
                let glasses = Extentos.create(
                    config: ExtentosConfig(transport: .plugin(id: "org.extentos.loopback")), recorders: .init())
                if let error = await glasses.connect().failure { throw error }
                let events = glasses.runtime.events
                let session = try await glasses.assistant.start(provider: .managed()) {
                    $0.startActive = true
                    $0.greeting = .off
                    $0.tool("get_time", description: "Tells what time it is.") { .ok("It is noon.") }
                }
                try await session.sendText("what time is it")
                try await Self.expect("noon", in: events)
                guard glasses.injectIntoMicrophone(try await Self.speech("what time is it")) else { throw Deaf() }
                try await Self.expect("noon", in: events)
                await session.stop()
                await glasses.shutdown()
            }
        }
    }

    private struct Deaf: Error {}
    private struct Unanswered: Error {}

    /// Waits for an answer with `word`.
    private static func expect(_ word: String, in events: AsyncStream<RuntimeEvent>) async throws {
        for await case .assistant(.assistantSpoke(let text)) in events where text.contains(word) { return }
        throw Unanswered()
    }

    private static func speech(_ text: String) async throws -> PCMBlock {
        var configuration = PluginHostConfiguration()
        configuration.executor = RuntimeThreads.shared
        let voice = try await PluginHost(configuration: configuration)
            .textToSpeech(id: "org.extentos.speech-classic").get()
        let silence = [Int16](repeating: 0, count: voice.sampleRate / 2)
        var samples = silence
        for try await block in voice.synthesize(text, voice: nil, rate: 1, pitch: 0) { samples += block.samples }
        await voice.shutdown()
        return PCMBlock(samples: samples + silence, sampleRate: voice.sampleRate)
    }
}
