import GlassesCore

/// `glasses bench answer`.
struct BenchAnswerCommand: Command {
    static let say = OptionSpec(
        "--say", .text("TEXT"), help: "Ask with the installed voice; \"what time is it\" without --question and --say.")
    static let selfTest = OptionSpec(
        "--self-test", .number("MS", 100...5_000),
        help:
            "Measure the meter itself: it answers its own question MS later, and tells how far off what it hears is. The "
            + "microphone has to hear the loudspeaker, and nobody else may answer.")
    static let spec = CommandSpec(
        "bench answer", summary: "Measure how long any assistant takes to answer aloud.",
        details: [
            "A black-box meter: its loudspeaker asks and its microphone hears the answer. What is measured is another program or "
                + "another device, whoever made it. Put the loudspeaker near its microphone and the microphone near its "
                + "loudspeaker.",
            "The time runs from the last voiced sample of the question to the first voiced sample of the answer, by the device's "
                + "own times of the frames that left the loudspeaker and reached the microphone. Voiced is what rises 6 dB above "
                + "the peaks of the noise before the question and above 1 % of the sound's own peak. A round that cannot be "
                + "judged is counted with its reason.",
            "Exit codes: 0 every round was judged, 1 some were not, 4 none was.",
        ],
        options: [MeterOptions.question, say, selfTest] + MeterOptions.shared,
        examples: [
            "glasses bench answer --rounds 50 --out answers.wav",
            "glasses bench answer --say \"how late is it\" --json", "glasses bench answer --self-test 500",
        ])

    private let options: MeterOptions
    /// The delay of the meter's own answer, in milliseconds; nil when somebody else answers.
    private let ownDelay: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try MeterOptions(arguments, say: Self.say, text: "what time is it")
        ownDelay = arguments.number(Self.selfTest.name).map { Int($0) }
    }

    func run(_ console: Console) async -> ExitStatus {
        await MeterProgram.run(options, lines: [options.question], console: console) { [ownDelay] bench in
            try await Self.measure(bench, ownDelay: ownDelay)
        }
    }

    private static func measure(_ bench: MeterBench, ownDelay: Int?) async throws -> ExitStatus {
        let asked = bench.speech[0]
        // The question itself is the answer: it begins and ends as speech does.
        let answer = ownDelay.map { [Int16](repeating: 0, count: $0 * asked.sampleRate / 1_000) + asked.samples } ?? []
        let question = try MeterSpeech(asked, followedBy: answer, for: bench.device)
        let runner = MeterRunner(
            device: bench.device, question: question, interruption: nil, answerLimit: bench.options.answerLimit)
        let console = try MeterConsole(bench.options, sampleRate: bench.device.microphoneRate, console: bench.console)
        let title =
            ownDelay == nil
            ? "last voiced sample in to first voiced sample out" : "what the meter measures, less what it played"
        var series = MeterSeries(runner, rounds: bench.options.rounds, title: title, console: console)
        try await series.run(judge: ownDelay == nil ? AnswerJudge.judge : AnswerJudge.error)
        try console.finish(series.report)
        return Task.isCancelled ? .incomplete : series.report.status
    }
}
