import GlassesCore
@_spi(ExtentosTools) import GlassesRuntime

/// Speaks a script's lines into the microphone.
struct SpokenInput: Sendable {
    /// Silence before and after the speech, so that it does not begin or end in the middle of what the microphone hears.
    private static let margin: Duration = .milliseconds(300)
    /// How long the microphone may take to come back, for example after the assistant was woken.
    private static let openLimit: Duration = .seconds(5)

    private let engine: any TextToSpeechEngine
    private let glasses: DefaultExtentosGlasses

    init(engine: any TextToSpeechEngine, glasses: DefaultExtentosGlasses) {
        self.engine = engine
        self.glasses = glasses
    }

    /// Mixes `text` into what the microphone hears from now on, and answers how long it lasts.
    func speak(_ text: String) async throws -> Duration {
        let speech = Self.padded(try await engine.audio(of: text))
        let start = Stopwatch.now
        while !glasses.injectIntoMicrophone(speech) {
            guard start.duration(to: Stopwatch.now) < Self.openLimit else {
                throw Problem(
                    code: "microphone_closed", "The microphone is not open, so nothing can be spoken into it.",
                    command: "glasses devices")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return speech.duration
    }

    static func padded(_ speech: PCMBlock) -> PCMBlock {
        let silence = [Int16](repeating: 0, count: Int(margin.seconds * Double(speech.sampleRate)))
        return PCMBlock(samples: silence + speech.samples + silence, sampleRate: speech.sampleRate)
    }
}
