import GlassesCore
import GlassesPipeline
import GlassesPluginHost

/// The speech engines of a gateway, and why there is one less.
struct GatewayEngines: Sendable {
    let recogniser: (any SpeechToTextEngine)?
    let voice: (any TextToSpeechEngine)?
    let problems: [Problem]

    /// Loads the engines that are installed, which takes up to 3 s.
    static func load(_ host: PluginHost) async -> GatewayEngines {
        let finder = EngineFinder(host: host)
        async let recogniser = finder.recogniser()
        async let voice = finder.synthesiser()
        var problems: [Problem] = []
        return GatewayEngines(
            recogniser: value(await recogniser, &problems), voice: value(await voice, &problems),
            problems: problems)
    }

    /// What the gateway serves sessions with.
    var pipeline: PipelineEngines {
        PipelineEngines(recognizer: recogniser, synthesizer: voice, brain: RulesPipelineBrain())
    }

    /// Tells what is missing on standard error: sessions work without it, by text.
    func reportProblems(to console: Console) { for problem in problems { console.report(problem) } }

    func shutdown() async {
        await recogniser?.shutdown()
        await voice?.shutdown()
    }

    private static func value<Engine>(_ result: Result<Engine, Problem>, _ problems: inout [Problem]) -> Engine? {
        switch result {
        case .success(let engine): return engine
        case .failure(let problem):
            problems.append(problem)
            return nil
        }
    }
}
