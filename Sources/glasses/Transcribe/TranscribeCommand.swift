import GlassesCore
import GlassesPluginHost

/// `glasses transcribe`.
struct TranscribeCommand: Command {
    static let engine = OptionSpec(
        "--engine", .text("ID"),
        help: "The recogniser's plugin, as 'glasses plugins list' names it; the best that is installed without it.")
    static let json = OptionSpec(
        "--json",
        help:
            "Print one JSON object for each file: file, engine, voiceActivity, seconds, text, confidence from 0 to 1, utterances with text, "
            + "confidence, startMs and endMs, and for a file that ends early or fails also truncated or error.")
    static let spec = CommandSpec(
        "transcribe", summary: "Write down what recordings say.",
        details: [
            "Reads WAV files of any length: PCM of 8 to 32 bits or floating point, any number of channels, 8 to 192 kHz. A "
                + "recording is cut at its pauses, which the installed voice activity detector finds, or the level of the sound. One file gives a line for each utterance as soon as it is understood, several "
                + "give one line each, which begins with the file's name. The audio stays on this machine.",
            "A file that cannot be read is named, the others are done all the same, and the exit code is 1.",
        ],
        positional: .init(name: "FILE", help: "WAV files; - is standard input."),
        options: [engine, EngineOptions.voiceActivity, json],
        examples: [
            "glasses transcribe meeting.wav", "glasses transcribe --json *.wav",
            "arecord -f S16_LE -r 16000 -d 5 | glasses transcribe -",
        ])

    private let files: [String]
    private let engine: String?
    private let voiceActivity: String?
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        files = arguments.words
        engine = arguments.text(Self.engine.name)
        voiceActivity = arguments.text(EngineOptions.voiceActivity.name)
        isJSON = arguments.has(Self.json.name)
        if engine == "" { throw arguments.error("--engine needs a plugin's id") }
        if voiceActivity == "" { throw arguments.error("\(EngineOptions.voiceActivity.name) needs the id of a plugin") }
        if files.contains("") { throw arguments.error("FILE is empty") }
        if files.count(where: { $0 == RecordingSource.standardInput }) > 1 {
            throw arguments.error("- can be given once: standard input is read to its end")
        }
    }

    func run(_ console: Console) async -> ExitStatus {
        let signals = EndSignals(console: console)
        let host = PluginHost()
        let found = await signals.unlessAsked { [engine, voiceActivity] in
            await RecordingEngines.load(EngineFinder(host: host), recogniser: engine, voiceActivity: voiceActivity)
        }
        switch found {
        case nil: return .incomplete
        case .failure(let problem):
            console.report(problem)
            return .unavailable
        case .success(let engines):
            let status = await transcribe(with: engines, signals, console)
            await engines.shutdown()
            return status
        }
    }

    private func transcribe(
        with engines: RecordingEngines, _ signals: EndSignals, _ console: Console
    ) async -> ExitStatus {
        let judge = engines.detector?.id ?? SpeechChoice.energy
        console.note("glasses: recognised by \(engines.recogniser.id), cut at its pauses by \(judge)")
        let format: TranscriptFormat = isJSON ? .json : files.count == 1 ? .utterances : .files
        let transcription = Transcription(engines: engines, format: format, console: console)
        let failed = await signals.unlessAsked { [files] in await transcription.run(files) }
        console.showProgress(nil)
        if let failed { return failed == 0 ? .ok : .incomplete }
        console.note("glasses: stopped before all was recognised")
        return .incomplete
    }
}
