import Foundation
import GlassesAudio
import GlassesCore
import GlassesPluginHost

/// `glasses say`.
struct SayCommand: Command {
    static let voice = OptionSpec("--voice", .text("NAME"), help: "The voice; the default one of the engine otherwise.")
    static let rate = OptionSpec("--rate", .number("FACTOR", 0.5...2), help: "The speed, 0.5 to 2; 1 is normal.")
    static let output = OptionSpec(
        "--output", .text("FILE.wav"), help: "Write the speech to a file instead of playing it; needs no device.")
    static let spec = CommandSpec(
        "say", summary: "Speak a text through the device's loudspeaker.",
        positional: .init(name: "TEXT", help: "What to say; several words need no quotes."),
        options: [DeviceOptions.device, DeviceOptions.speaker, voice, rate, output],
        examples: ["glasses say hello there", "glasses say --output hello.wav \"Hello there.\""])

    private let text: String
    private let device: DeviceOptions
    private let voice: String?
    private let rate: Float
    private let output: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        text = arguments.words.joined(separator: " ")
        guard text.contains(where: { !$0.isWhitespace }) else { throw arguments.error("TEXT is empty") }
        device = try DeviceOptions(arguments).withoutMicrophone
        voice = arguments.text(Self.voice.name)
        rate = Float(arguments.number(Self.rate.name) ?? 1)
        output = arguments.text(Self.output.name)
    }

    func run(_ console: Console) async -> ExitStatus {
        if output != nil || voice != nil {
            switch await EngineFinder(host: PluginHost()).synthesiser() {
            case .failure(let problem):
                console.report(problem)
                return .unavailable
            case .success(let engine):
                let status = await prepare(engine, console)
                await engine.shutdown()
                if let status { return status }
            }
        }
        return await speak(console)
    }

    /// Checks the voice, and writes the file if one is wanted; nil when the text is still to be spoken.
    private func prepare(_ engine: any TextToSpeechEngine, _ console: Console) async -> ExitStatus? {
        if let voice, !engine.voices.contains(voice) {
            let near = Suggestion.question(Suggestion.nearest(to: voice, among: engine.voices))
            console.note(
                "glasses: there is no voice '\(voice)'\(near). Voices: \(engine.voices.joined(separator: ", ")).")
            return .usage
        }
        guard let output else { return nil }
        do {
            let speech = try await engine.audio(of: text, voice: voice, rate: rate)
            let file = try WAVWriter.file(samples: speech.samples, sampleRate: speech.sampleRate)
            try Data(file).write(to: URL(fileURLWithPath: output))
            return .ok
        } catch let error as SpeechEngineError {
            console.report(Problem(error))
            return .unavailable
        } catch {
            console.note("glasses: \(output) could not be written: \(error.localizedDescription)")
            return .usage
        }
    }

    private func speak(_ console: Console) async -> ExitStatus {
        let glasses = Extentos.create(config: ExtentosConfig(appId: "glasses", transport: device.transport))
        let signals = EndSignals(console: console)
        let interruption = Task {
            await signals.wait()
            if signals.isAsked { await glasses.audio.cancelSpeak() }
        }
        defer { interruption.cancel() }
        let problem: Problem?
        switch await glasses.connect() {
        case .failure(let error): problem = Problem(error)
        case .success where signals.isAsked: problem = nil
        case .success:
            let spoken = await glasses.audio.speak(text, config: SpeakConfig(voice: voice, rate: rate))
            problem = spoken.failure.map { Problem($0) }
        }
        await glasses.shutdown()
        guard let problem else { return .ok }
        console.report(problem)
        return .unavailable
    }
}
