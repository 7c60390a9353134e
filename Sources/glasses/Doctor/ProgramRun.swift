import Foundation

/// Runs another program with a time limit and reads what it prints.
enum ProgramRun {
    /// Why there is no output.
    struct Failure: Error, Sendable, Hashable {
        /// One sentence.
        let reason: String
    }

    /// What stops a program that hangs; dpkg-query needs a tenth of a second.
    private static let limit: Duration = .seconds(5)

    /// The standard output of `program`, whatever its exit code; it must be less than a pipe holds (64 KiB).
    static func output(of program: String, _ arguments: [String]) async -> Result<String, Failure> {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            return .failure(Failure(reason: "\(program) is not there, so this is not Debian."))
        }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        do { try process.run() } catch {
            return .failure(Failure(reason: "\(program) could not be started: \(error.localizedDescription)."))
        }
        let identifier = process.processIdentifier
        let guardian = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        for await _ in ended {}
        guardian.cancel()
        do {
            let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
            return .success(String(decoding: bytes, as: UTF8.self))
        } catch {
            return .failure(Failure(reason: "\(program) could not be read: \(error.localizedDescription)."))
        }
    }
}
