/// The options that the meters share.
struct MeterOptions: Sendable, Hashable {
    static let question = OptionSpec("--question", .text("FILE.wav"), help: "Ask with this recording.")
    static let rounds = OptionSpec("--rounds", .number("N", 1...1_000), help: "How many rounds to play; 20 without it.")
    static let timeout = OptionSpec(
        "--timeout", .number("S", 1...60), help: "How long an answer may take to begin, in seconds; 10 without it.")
    static let output = OptionSpec(
        "--out", .text("FILE.wav"),
        help:
            "Write a WAV file: left what was played, right what was recorded, aligned to the sample by the device's times. Only "
            + "you can read it.")
    static let json = OptionSpec(
        "--json", help: "Print one JSON object a line: round for each round and, last, summary.")
    static let shared = [
        DeviceOptions.device, DeviceOptions.microphone, DeviceOptions.speaker, rounds, timeout, output, json,
    ]

    let device: DeviceOptions
    let question: MeterLine
    let rounds: Int
    /// In milliseconds.
    let answerLimit: Int
    let output: String?
    let isJSON: Bool

    /// `say` is the option for the question's text; `text` is what is asked without any.
    init(_ arguments: ParsedArguments, say: OptionSpec, text: String) throws(UsageError) {
        device = try DeviceOptions(arguments)
        for option in [DeviceOptions.microphone, DeviceOptions.speaker] where arguments.text(option.name) == "none" {
            throw arguments.error("a meter needs a microphone and a loudspeaker; leave out \(option.name) none")
        }
        question = try Self.line(arguments, file: Self.question, text: say) ?? .text(text)
        let rounds = arguments.number(Self.rounds.name) ?? 20
        guard rounds == rounds.rounded() else { throw arguments.error("--rounds takes a whole number") }
        self.rounds = Int(rounds)
        answerLimit = Int((arguments.number(Self.timeout.name) ?? 10) * 1_000)
        output = arguments.text(Self.output.name)
        if output == "" { throw arguments.error("--out needs a file's name") }
        isJSON = arguments.has(Self.json.name)
    }

    /// What one of two options gives to say; nil without either.
    static func line(
        _ arguments: ParsedArguments, file: OptionSpec, text: OptionSpec
    ) throws(UsageError) -> MeterLine? {
        switch (arguments.text(file.name), arguments.text(text.name)) {
        case (nil, nil): return nil
        case (let path?, nil):
            if path.isEmpty { throw arguments.error("\(file.name) needs a file's name") }
            return .file(path)
        case (nil, let words?):
            if words.allSatisfy(\.isWhitespace) { throw arguments.error("\(text.name) needs a text") }
            return .text(words)
        case (_?, _?): throw arguments.error("\(file.name) and \(text.name) exclude each other")
        }
    }
}
