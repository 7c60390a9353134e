import Foundation

/// Another program, run to its end by a test.
public struct TestProcess: Sendable {
    /// What came of it.
    public struct Outcome: Sendable, Hashable {
        /// The exit code; a signal counts as 128 and its number, a time-out as 137.
        public var code: Int32
        /// Standard output.
        public var output: String
        /// Standard error.
        public var errors: String

        /// The lines of standard output.
        public var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The program's path.
    public var program: String
    /// Its arguments.
    public var arguments: [String]
    /// Variables that are set, or with nil removed, for the program.
    public var environment: [String: String?] = [:]
    /// After this the program is killed.
    public var limit: Duration = .seconds(60)
    /// Signals that are sent, each once and in this order, when this text was printed.
    public var signals: (numbers: [Int32], after: String)?

    /// A program that was not started yet.
    public init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs the program with an empty standard input and waits for its end.
    public func run() async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let identifier = process.processIdentifier
        let guardian = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        defer { guardian.cancel() }
        let signals = signals
        async let printed = Self.read(output.fileHandleForReading) { text in
            guard let signals, text.contains(signals.after) else { return signals == nil }
            for number in signals.numbers { kill(identifier, number) }
            return true
        }
        async let complained = Self.read(errors.fileHandleForReading) { _ in true }
        let (text, complaints) = await (printed, complained)
        process.waitUntilExit()
        let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Outcome(code: code, output: text, errors: complaints)
    }

    /// Reads to the end, on a thread of its own; `seen` gets everything so far after each piece, until it answers true.
    private static func read(_ handle: FileHandle, _ seen: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = Data()
                var isSeen = false
                while true {
                    let piece = handle.availableData
                    guard !piece.isEmpty else { break }
                    bytes += piece
                    if !isSeen { isSeen = seen(String(decoding: bytes, as: UTF8.self)) }
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
