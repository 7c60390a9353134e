import Foundation
import Synchronization

/// Asks the person who sits at the terminal, with a line that is answered by `y` or `n`.
///
/// Questions are asked one after the other, on a thread of their own, which lives while there are any: no other work waits for a person. An end of the input refuses the question that waits.
public final class TerminalCompanion: WearablesCompanion {
    /// An answer is one word; a longer line is no answer.
    private static let maximumLine = 256

    private struct Questions {
        var waiting: [@Sendable () -> Void] = []
        var isAsking = false
    }

    private let questions = Mutex(Questions())
    private let input: FileHandle
    private let output: FileHandle

    /// A companion that reads answers from `input` and writes questions to `output`.
    public init(input: FileHandle = .standardInput, output: FileHandle = .standardError) {
        self.input = input
        self.output = output
    }

    /// Asks, and waits for an answer without a limit of its own.
    public func open(_ request: CompanionRequest) async throws(Refusal) -> URL? {
        let answer: Result<URL?, Refusal> = await withCheckedContinuation { continuation in
            enqueue { [self] in continuation.resume(returning: ask(request)) }
        }
        return try answer.get()
    }

    private func enqueue(_ question: @escaping @Sendable () -> Void) {
        let begins = questions.withLock { questions in
            questions.waiting.append(question)
            defer { questions.isAsking = true }
            return !questions.isAsking
        }
        guard begins else { return }
        let thread = Thread { [self] in while let next = nextQuestion() { next() } }
        thread.name = "companion"
        thread.start()
    }

    private func nextQuestion() -> (@Sendable () -> Void)? {
        questions.withLock { questions in
            questions.isAsking = !questions.waiting.isEmpty
            return questions.isAsking ? questions.waiting.removeFirst() : nil
        }
    }

    private func ask(_ request: CompanionRequest) -> Result<URL?, Refusal> {
        guard let question = request.prompt else {
            return write("\(request.page)\n").map { nil }
        }
        var attempt = write("\(question) [y/n] ")
        while case .success = attempt {
            switch readLine() {
            case .failure(let refusal): return .failure(refusal)
            case .success(let line):
                switch line.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return .success(request.agreed())
                case "n", "no": return .success(request.declined())
                default: attempt = write("Please answer y or n: ")
                }
            }
        }
        return attempt.map { nil }
    }

    private func write(_ text: String) -> Result<Void, Refusal> {
        do {
            try output.write(contentsOf: Data(text.utf8))
            return .success(())
        } catch { return .failure(.noTerminal) }
    }

    private func readLine() -> Result<String, Refusal> {
        var line: [UInt8] = []
        do {
            while let byte = try input.read(upToCount: 1)?.first {
                if byte == UInt8(ascii: "\n") { return .success(String(decoding: line, as: UTF8.self)) }
                if line.count < Self.maximumLine { line.append(byte) }
            }
        } catch { return .failure(.noTerminal) }
        return .failure(.noTerminal)
    }
}

extension Refusal {
    fileprivate static let noTerminal = Refusal(
        .companion, "Nobody can be asked: there is no terminal, or its input has ended.", isRetryable: false)
}

extension CompanionRequest {
    /// The question for a terminal; nil for a page.
    fileprivate var prompt: String? {
        switch question {
        case .register: "Let \(name) use your glasses?"
        case .unregister: "Take your glasses away from \(name)?"
        case .permission(.camera): "Let \(name) use the glasses' camera?"
        case .permission(.microphone): "Let \(name) use the glasses' microphone?"
        case .firmwareUpdate, .glassesAppUpdate: nil
        }
    }

    /// What a terminal shows in the place of a page.
    fileprivate var page: String {
        question == .glassesAppUpdate
            ? "\(name) asks you to update the app on your glasses." : "\(name) asks you to update your glasses."
    }

    /// The app's name without anything that would steer a terminal.
    private var name: String {
        String(String.UnicodeScalarView(appName.unicodeScalars.filter { !CharacterSet.controlCharacters.contains($0) }))
    }
}
