import GlassesCore

/// The options that choose speech engines.
struct EngineOptions: Sendable, Hashable {
    static let recogniser = OptionSpec(
        "--stt", .text("ID"),
        help: "Recognise with this plugin's engine instead of the best one; the others stand behind it.")
    static let voice = OptionSpec(
        "--tts", .text("ID"),
        help: "Speak with this plugin's engine instead of the best one; the others stand behind it.")
    static let voiceActivity = OptionSpec(
        "--vad", .text("ID"),
        help: "Let this plugin's engine judge what is speech, or 'energy' for the level of the sound alone.")

    static let table = [recogniser, voice, voiceActivity]

    /// What was chosen; nil where the best one is to serve.
    let choice: SpeechChoice

    init(_ arguments: ParsedArguments) throws(UsageError) {
        for option in Self.table where arguments.text(option.name) == "" {
            throw arguments.error("\(option.name) needs the id of a plugin")
        }
        choice = SpeechChoice(
            recognizer: arguments.text(Self.recogniser.name), voice: arguments.text(Self.voice.name),
            voiceActivity: arguments.text(Self.voiceActivity.name))
    }
}
