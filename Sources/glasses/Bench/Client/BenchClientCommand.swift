import Foundation
import GlassesCore

/// `glasses bench client`.
struct BenchClientCommand: Command {
    static let url = OptionSpec(
        "--url", .text("URL"),
        help:
            "The realtime server, such as ws://127.0.0.1:8080/v1/realtime; '/realtime' is appended unless it ends in that."
    )
    static let microphone = OptionSpec(
        "--mic", .text("FILE.wav"),
        help: "What the microphone hears, over and over: 24 kHz, mono, 16-bit PCM, at least 20 ms.")
    static let seconds = OptionSpec(
        "--seconds", .number("N", 0.02...86_400),
        help: "How long to converse, from the moment that all sessions are ready.")
    static let report = OptionSpec(
        "--report", .text("FILE.json"), help: "Where the report is written, whole or not at all.")
    static let sessions = OptionSpec(
        "--sessions", .number("S", 1...1_000), help: "How many sessions to hold at once; 1 without it.")
    static let asleep = OptionSpec(
        "--asleep", .flag,
        help: "Put all sessions to sleep, and let them sleep for the whole time.")
    static let spec = CommandSpec(
        "bench client", summary: "Measure a realtime session against a bench server.",
        details: [
            "Holds real sessions of this runtime over a simulated device, which takes no time of its own: every 20 ms a session's "
                + "microphone hears the next frame of the file and its loudspeaker takes 20 ms of what waits, without a prebuffer. "
                + "The session asks for server VAD, no transcription of the input and PCM of 24 kHz both ways, and has one tool, "
                + "get_weather, which answers at once. The ticks of several sessions are spread evenly over the 20 ms.",
            "A frame may begin with a marker of 12 bytes, 13 57 9B 2F 24 68 AC 1E and a little-endian 32-bit number, both in the "
                + "file and in the server's audio.",
            "The report is one JSON object: client, version, t_main_ns, t_ready_ns, t_end_ns, cpu_ready_s, cpu_end_s, maxrss_kb "
                + "and sessions. A session has ready_ns; mic, pairs [t_ns, frame number], taken just before a frame goes to the "
                + "runtime; delivered, pairs [t_ns, marker], taken when decoded audio comes out of it, before any pacing; played, "
                + "pairs [t_ns, marker], one a tick, -1 for silence and -2 for audio without a marker; flush, times at which "
                + "waiting audio was dropped; tool, pairs [start_ns, end_ns]; and errors, sentences. Times are CLOCK_MONOTONIC "
                + "in nanoseconds, CPU seconds those of the whole process, which starts no other.",
            "A JSON line on standard output says 'awake' when all sessions are ready, or 'asleep' with --asleep.",
            "The bearer token is EXTENTOS_GATEWAY_TOKEN, or 'bench' without it. SIGINT and SIGTERM end the conversation early; the "
                + "report is written all the same.",
        ],
        options: [url, microphone, seconds, report, sessions, asleep],
        examples: [
            "glasses bench client --url ws://127.0.0.1:8080/v1 --mic mic.wav \\",
            "    --seconds 60 --report out.json",
        ])

    private let options: BenchClientOptions
    private let started = Stopwatch.now

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try BenchClientOptions(arguments) }

    func run(_ console: Console) async -> ExitStatus {
        await BenchClient(options: options, started: started, console: console).run()
    }
}

/// The options of `glasses bench client`.
struct BenchClientOptions: Sendable, Hashable {
    let endpoint: URL
    let microphone: String
    let seconds: Double
    let report: String
    let sessions: Int
    let isAsleep: Bool

    /// Ticks of each session.
    var ticks: Int { Int(seconds * 1e9) / Int(BenchTicker.period) }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let required = { (option: OptionSpec) throws(UsageError) -> String in
            guard let text = arguments.text(option.name), !text.isEmpty else {
                throw arguments.error("\(option.usage) is missing")
            }
            return text
        }
        let address = try required(BenchClientCommand.url)
        do throws(ConnectionClosure) { endpoint = try GatewayAddress(text: address).url } catch {
            throw arguments.error("--url: \(error.message)")
        }
        microphone = try required(BenchClientCommand.microphone)
        report = try required(BenchClientCommand.report)
        guard let seconds = arguments.number(BenchClientCommand.seconds.name) else {
            throw arguments.error("\(BenchClientCommand.seconds.usage) is missing")
        }
        self.seconds = seconds
        let sessions = arguments.number(BenchClientCommand.sessions.name) ?? 1
        guard sessions == sessions.rounded() else { throw arguments.error("--sessions takes a whole number") }
        self.sessions = Int(sessions)
        isAsleep = arguments.has(BenchClientCommand.asleep.name)
    }
}
