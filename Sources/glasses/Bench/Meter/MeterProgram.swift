import GlassesCore
import GlassesPluginHost

/// What a meter works with.
struct MeterBench: Sendable {
    let options: MeterOptions
    let device: MeterDevice
    /// The audio of the lines that were asked for, in order.
    let speech: [PCMBlock]
    let console: Console
}

/// Opens what a meter needs, lets it measure, and ends in order.
enum MeterProgram {
    /// Runs `measure`, whose task is cancelled when the end is asked for.
    static func run(
        _ options: MeterOptions, lines: [MeterLine], console: Console,
        measure: @escaping @Sendable (MeterBench) async throws -> ExitStatus
    ) async -> ExitStatus {
        let host = PluginHost()
        let signals = EndSignals(console: console)
        do {
            let spoken = await signals.unlessAsked { await audio(of: lines, host) }
            guard let speech = try spoken?.get() else { return .incomplete }
            let device = try await MeterDevice.open(options.device, host: host).get()
            let bench = MeterBench(options: options, device: device, speech: speech, console: console)
            let work = Task { try await measure(bench) }
            let watch = Task {
                await signals.wait()
                work.cancel()
            }
            let result = await work.result
            watch.cancel()
            await device.close()
            return try result.get()
        } catch {
            console.report(Problem(session: error))
            return .unavailable
        }
    }

    private static func audio(of lines: [MeterLine], _ host: PluginHost) async -> Result<[PCMBlock], any Error> {
        var speech: [PCMBlock] = []
        do {
            for line in lines { speech.append(try await MeterSpeech.audio(of: line, host: host)) }
            return .success(speech)
        } catch {
            return .failure(error)
        }
    }
}

/// Plays the rounds of a meter one after another.
struct MeterSeries {
    let runner: MeterRunner
    let rounds: Int
    let console: MeterConsole
    private(set) var report: MeterReport

    init(_ runner: MeterRunner, rounds: Int, title: String, console: MeterConsole) {
        self.runner = runner
        self.rounds = rounds
        self.console = console
        report = MeterReport(title: title)
    }

    /// Plays all rounds, or those until the task is cancelled; `interruptAfter` gives the moment of the next interruption.
    mutating func run(
        interruptAfter: () -> Int? = { nil }, judge: (MeterTake) -> MeterOutcome
    ) async throws {
        for _ in 0..<rounds {
            let moment = interruptAfter()
            let round: MeterRound
            do { round = try await runner.round(interruptAfter: moment) } catch is CancellationError { return }
            let outcome = round.take.flatMap(judge)
            report.add(outcome, clockSpread: round.clockSpread)
            var fields: [String: JSONValue] = [:]
            fields["interruptedAfterMs"] = moment.map { .int(Int64($0)) }
            try console.tell(round, outcome, fields: fields)
        }
    }
}
