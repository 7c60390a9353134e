import GlassesCore

/// `glasses bench barge-in`.
struct BenchBargeInCommand: Command {
    static let say = OptionSpec(
        "--say", .text("TEXT"),
        help: "Ask with the installed voice, for a long answer; \"what can you do\" without --question and --say.")
    static let interruption = OptionSpec(
        "--interruption", .text("FILE.wav"), help: "Interrupt with this recording.")
    static let interrupt = OptionSpec(
        "--interrupt", .text("TEXT"),
        help: "Interrupt with the installed voice; \"what time is it\" without --interruption and --interrupt.")
    static let spec = CommandSpec(
        "bench barge-in", summary: "Measure how long any assistant speaks on when it is interrupted.",
        details: [
            "A black-box meter like 'bench answer'. It asks once without interrupting, to learn how long the answer is. Then, in "
                + "each round, it asks again and interrupts the answer at a drawn moment, half a second after its beginning at "
                + "the earliest and a second and a half before its end at the latest.",
            "The time runs from the first voiced sample of the interruption to the last voiced sample of the answer. Pauses of up "
                + "to 400 ms belong to the answer. When the microphone hears the interruption almost as loudly as the answer, "
                + "the answer's end is hidden, and the round is not judged: keep the two loudspeakers apart.",
            "Exit codes: 0 every round was judged, 1 some were not, 4 none was.",
        ],
        options: [MeterOptions.question, say, interruption, interrupt] + MeterOptions.shared,
        examples: [
            "glasses bench barge-in --rounds 50 --out cuts.wav",
            "glasses bench barge-in --say \"tell me a story\" --interrupt \"excuse me\"",
        ])

    /// The earliest interruption after the answer's beginning, in milliseconds.
    private static let earliest = 500
    /// The latest one before its natural end.
    private static let latest = 1_500
    /// Attempts to hear an answer to its end.
    private static let attempts = 3

    private let options: MeterOptions
    private let interruption: MeterLine

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try MeterOptions(arguments, say: Self.say, text: "what can you do")
        interruption =
            try MeterOptions.line(arguments, file: Self.interruption, text: Self.interrupt) ?? .text("what time is it")
    }

    func run(_ console: Console) async -> ExitStatus {
        await MeterProgram.run(options, lines: [options.question, interruption], console: console) { bench in
            try await Self.measure(bench)
        }
    }

    private static func measure(_ bench: MeterBench) async throws -> ExitStatus {
        let runner = MeterRunner(
            device: bench.device, question: try MeterSpeech(bench.speech[0], for: bench.device),
            interruption: try MeterSpeech(bench.speech[1], for: bench.device), answerLimit: bench.options.answerLimit)
        let console = try MeterConsole(bench.options, sampleRate: bench.device.microphoneRate, console: bench.console)
        var series = MeterSeries(
            runner, rounds: bench.options.rounds,
            title: "first voiced sample of the interruption to last voiced sample of the answer", console: console)
        let length: Int
        switch try await naturalLength(runner, console) {
        case .failure(let refusal):
            bench.console.report(unheard(refusal))
            return .gateway
        case .success(let found): length = found
        }
        guard length >= earliest + latest + BargeInJudge.naturalEnd else {
            bench.console.report(tooShort(length))
            return .gateway
        }
        try await series.run(interruptAfter: { Int.random(in: earliest...length - latest) }) {
            BargeInJudge.judge($0, naturalLength: length)
        }
        try console.finish(series.report, fields: ["answerMs": .int(Int64(length))])
        return Task.isCancelled ? .incomplete : series.report.status
    }

    /// How long the answer is when nobody interrupts it.
    private static func naturalLength(_ runner: MeterRunner, _ console: MeterConsole) async throws -> MeterOutcome {
        var last = MeterOutcome.failure(.noAnswer)
        for _ in 0..<attempts {
            let round: MeterRound
            do { round = try await runner.round() } catch is CancellationError { return last }
            last = round.take.flatMap(AnswerJudge.length)
            switch last {
            case .success(let length): console.note("the answer lasts \(length) ms when nobody interrupts it")
            case .failure(let refusal): console.note("not judged: \(refusal.text)")
            }
            if case .success = last { return last }
        }
        return last
    }

    private static func unheard(_ refusal: MeterRefusal) -> Problem {
        Problem(
            code: "answer_not_heard", "The answer could not be heard to its end: \(refusal.text).",
            command: "glasses bench answer --rounds 3 --out answers.wav")
    }

    private static func tooShort(_ length: Int) -> Problem {
        Problem(
            code: "answer_too_short",
            "The answer lasts \(length) ms, too short to interrupt it. Ask for a longer one with --say or --question.")
    }
}
