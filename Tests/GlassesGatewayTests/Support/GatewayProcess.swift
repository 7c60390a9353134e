import Foundation
import GlassesDomain
import Synchronization

/// `glasses gateway` as a process of its own.
final class GatewayProcess: Sendable {
    /// The built `glasses`, beside the test bundle.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("glasses").path

    /// What it printed so far.
    private struct Output {
        var lines: [String] = []
        var errors = ""
        var isOver = false
    }

    private let process = Process()
    private let output = SharedOutput()

    private final class SharedOutput: Sendable {
        let value = Mutex(Output())
    }

    /// The lines of standard output.
    var lines: [String] { output.value.withLock { $0.lines } }
    /// Everything that it printed.
    var everything: String { output.value.withLock { $0.lines.joined(separator: "\n") + $0.errors } }

    /// Starts it on a free port.
    init(_ arguments: [String] = [], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["gateway", "--listen", "127.0.0.1:0", "--json"] + arguments
        var variables = ProcessInfo.processInfo.environment
        variables["EXTENTOS_GATEWAY_TOKENS"] = nil
        variables["EXTENTOS_BRAIN_URL"] = nil
        variables["XDG_DATA_HOME"] = "/nonexistent"
        process.environment = variables.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        let (printed, complained) = (Pipe(), Pipe())
        process.standardOutput = printed
        process.standardError = complained
        try process.run()
        let output = output
        Self.read(printed.fileHandleForReading) { text, isOver in
            output.value.withLock {
                $0.lines = text.split(separator: "\n").map(String.init); $0.isOver = isOver
            }
        }
        Self.read(complained.fileHandleForReading) { text, _ in output.value.withLock { $0.errors = text } }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The base URL, once it listens.
    func base() async throws -> String {
        let line = try await line { $0.contains("\"listening\"") }
        return try JSONValue(jsonText: line)["url"]?.stringValue ?? ""
    }

    /// The first line that is wanted.
    @discardableResult
    func line(_ isWanted: (String) -> Bool) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let line = lines.first(where: isWanted) { return line }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw SocketClient.Missing(description: "the gateway never printed it: \(everything)")
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Its exit code, once it has ended; a signal counts as 128 and its number.
    func exitCode() async throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(60)
        while process.isRunning || !output.value.withLock({ $0.isOver }) {
            guard ContinuousClock.now < deadline else { throw SocketClient.Missing(description: "it does not end") }
            try await Task.sleep(for: .milliseconds(20))
        }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Reads to the end on a thread of its own.
    private static func read(_ handle: FileHandle, _ seen: @escaping @Sendable (String, Bool) -> Void) {
        Thread.detachNewThread {
            var bytes = Data()
            while true {
                let piece = handle.availableData
                bytes += piece
                seen(String(decoding: bytes, as: UTF8.self), piece.isEmpty)
                if piece.isEmpty { return }
            }
        }
    }
}
