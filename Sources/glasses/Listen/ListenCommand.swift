import GlassesCore
import GlassesPluginHost
import Synchronization

/// `glasses listen`.
struct ListenCommand: Command {
    static let seconds = OptionSpec(
        "--seconds", .number("N", 0.1...86_400), help: "End after N seconds; otherwise listen until Ctrl-C.")
    static let file = OptionSpec(
        "--file", .text("FILE.wav"), help: "Recognise a WAV file instead of the microphone; needs no device.")
    static let json = OptionSpec(
        "--json",
        help:
            "Print one JSON object a line: transcript {text, confidence, startMs, endMs} and partial {text, confidence}."
    )
    static let spec = CommandSpec(
        "listen", summary: "Print what the microphone hears, or what a recording says.",
        details: ["One line for each utterance. The audio stays on this machine."],
        options: [DeviceOptions.device, DeviceOptions.microphone, DeviceOptions.noiseSuppression, seconds, file, json],
        examples: ["glasses listen --seconds 10", "glasses listen --file demo.wav"])

    private let device: DeviceOptions
    private let seconds: Double?
    private let file: String?
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        device = try DeviceOptions(arguments).withoutSpeaker
        seconds = arguments.number(Self.seconds.name)
        file = arguments.text(Self.file.name)
        isJSON = arguments.has(Self.json.name)
        if file != nil, seconds != nil { throw arguments.error("--file is read to its end; leave out --seconds") }
    }

    func run(_ console: Console) async -> ExitStatus {
        let printer = TranscriptPrinter(console: console, isJSON: isJSON)
        if let file { return await recognise(file, printer, console) }
        return await listen(printer, console)
    }

    private func recognise(_ file: String, _ printer: TranscriptPrinter, _ console: Console) async -> ExitStatus {
        switch await RecordingEngines.load(EngineFinder(host: PluginHost())) {
        case .failure(let problem):
            console.report(problem)
            return .unavailable
        case .success(let engines):
            let status = await recognise(file, engines, printer, console)
            await engines.shutdown()
            return status
        }
    }

    private func recognise(
        _ file: String, _ engines: RecordingEngines, _ printer: TranscriptPrinter, _ console: Console
    ) async -> ExitStatus {
        let transcript = Mutex(FileTranscript(file: file, engines))
        do {
            let extent = try await RecordingRecognition(engines: engines).run(file) { event in
                if case .judgeLost(let error) = event { console.note("glasses: \(error.judgeLossNote)") }
                guard case .utterance(let utterance) = event else { return }
                transcript.withLock { $0.utterances.append(utterance) }
                printer.print(
                    .final(
                        text: utterance.text, confidence: utterance.confidence, startMs: utterance.startMs,
                        endMs: utterance.endMs))
            }
            transcript.withLock { $0.extent = extent }
            if let note = transcript.withLock({ $0.note }) { console.note("glasses: \(note)") }
            return .ok
        } catch {
            let problem = Problem(session: error)
            console.report(problem)
            return problem.command == nil ? .usage : .unavailable
        }
    }

    private enum End { case asked, engineEnded }

    private func listen(_ printer: TranscriptPrinter, _ console: Console) async -> ExitStatus {
        let glasses = Extentos.create(config: ExtentosConfig(appId: "glasses", transport: device.transport))
        let signals = EndSignals(console: console)
        if case .failure(let error) = await glasses.connect() {
            console.report(Problem(error))
            await glasses.shutdown()
            return .unavailable
        }
        let transcripts = glasses.audio.transcriptions(config: TranscriptionConfig(partial: isJSON))
        console.note("glasses: listening" + (seconds == nil ? "; Ctrl-C ends it" : ""))
        let end = await first(of: transcripts, signals, printer)
        let events = await glasses.runtime.snapshotEvents()
        await glasses.shutdown()
        let problem = await Self.problem(in: events)
        guard end == .engineEnded || problem != nil else { return .ok }
        console.report(problem ?? .missingEngine("speech recogniser"))
        return .unavailable
    }

    private func first(
        of transcripts: AsyncStream<Transcript>, _ signals: EndSignals, _ printer: TranscriptPrinter
    ) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask {
                for await transcript in transcripts { printer.print(transcript) }
                return .engineEnded
            }
            group.addTask {
                await signals.wait()
                return .asked
            }
            if let seconds {
                group.addTask {
                    // A cancelled wait means that something else ended it first.
                    do { try await Task.sleep(for: .seconds(seconds)) } catch { return .asked }
                    return .asked
                }
            }
            let end = await group.next() ?? .asked
            group.cancelAll()
            return end
        }
    }

    /// Why nothing could be heard, as the runtime's log and the installed plugins say it.
    static func problem(in events: [RuntimeEvent]) async -> Problem? {
        for case .log(_, let message, let payload) in events {
            switch message {
            case "transcription.engine_unavailable":
                return await SessionEngines.read(PluginHost(), events: events).missing(microphone: true, speaker: false)
                    ?? .missingEngine("speech recogniser")
            case "microphone.unavailable":
                let code = payload?["code"]?.stringValue ?? "microphone_unavailable"
                return Problem(
                    code: code, "The microphone could not be opened (\(code)).", command: "glasses devices --check")
            default: continue
            }
        }
        return nil
    }
}
