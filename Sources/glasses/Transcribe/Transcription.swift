import GlassesCore
import Synchronization

/// How transcripts are printed.
enum TranscriptFormat: Sendable, Hashable {
    /// A line for each utterance, as soon as it is understood.
    case utterances
    /// A line for each file, which begins with its name.
    case files
    /// A JSON object for each file.
    case json
}

/// Transcribes files one after another and prints what they say.
struct Transcription: Sendable {
    let engines: RecordingEngines
    let format: TranscriptFormat
    let console: Console

    /// Answers how many files failed.
    func run(_ files: [String]) async -> Int {
        var failed = 0
        for file in files where !Task.isCancelled {
            if await !transcribe(file) { failed += 1 }
        }
        return failed
    }

    private func transcribe(_ file: String) async -> Bool {
        let transcript = Mutex(FileTranscript(file: file, engines))
        let progress = TranscriptionProgress(file: file, console: console)
        var problem: Problem?
        do {
            let extent = try await RecordingRecognition(engines: engines).run(file) { event in
                progress.show(event)
                if case .judgeLost(let error) = event { console.note("glasses: \(error.judgeLossNote)") }
                guard case .utterance(let utterance) = event else { return }
                transcript.withLock { $0.utterances.append(utterance) }
                if format == .utterances, !utterance.text.isEmpty { console.print(utterance.text.printable) }
            }
            transcript.withLock { $0.extent = extent }
        } catch {
            problem = Problem(session: error)
        }
        console.showProgress(nil)
        if Task.isCancelled { return false }
        if let problem { console.report(problem) }
        tell(transcript.withLock { $0 }, problem)
        return problem == nil
    }

    private func tell(_ transcript: FileTranscript, _ problem: Problem?) {
        if let note = transcript.note { console.note("glasses: \(note)") }
        switch format {
        case .utterances: break
        case .files: if problem == nil { console.print("\(transcript.name): \(transcript.text.printable)") }
        case .json: console.print(transcript.json(problem).jsonText)
        }
    }
}

/// Shows on a terminal how far a file is, and what is being understood.
final class TranscriptionProgress: Sendable {
    private let name: String
    private let console: Console
    private let percent = Atomic(0)

    init(file: String, console: Console) {
        name = file.printable
        self.console = console
    }

    /// Callable on any thread.
    func show(_ event: RecordingRecognition.Event) {
        switch event {
        case .read(let share):
            percent.store(Int(share * 100), ordering: .relaxed)
            show("")
        case .partial(let result): show(result.text.printable)
        case .utterance: show("")
        case .judgeLost: break
        }
    }

    private func show(_ text: String) {
        console.showProgress("\(name) \(percent.load(ordering: .relaxed)) % \(text)")
    }
}
