import Foundation

/// A `tinyproxy` of its own on a free port of 127.0.0.1 that wants Basic authentication.
public final class ProxyProcess: Sendable {
    /// Its port.
    public let port: UInt16
    /// The name that it knows.
    public static let user = "glasses"
    /// The password of that name.
    public static let password = "pa55.w0rd"
    private let identifier: pid_t
    private let folder: URL

    /// `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it and waits until it accepts connections.
    public init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("glasses-proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for _ in 0..<5 {
            // The port is free now and may be taken by another program in between: then the next one is tried.
            guard let port = LoopbackListener()?.port else { continue }
            let process = try Self.start(port, folder)
            if await Self.accepts(port, process) {
                self.port = port
                identifier = process.processIdentifier
                return
            }
            process.terminate()
        }
        throw LabError.setup("tinyproxy did not start")
    }

    /// Ends it.
    public func stop() {
        kill(identifier, SIGKILL)
        // A folder that stays behind is the system's to clean up.
        unlink(folder.appendingPathComponent("tinyproxy.conf").path)
        rmdir(folder.path)
    }

    private static func start(_ port: UInt16, _ folder: URL) throws -> Process {
        let file = folder.appendingPathComponent("tinyproxy.conf")
        let lines = [
            "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 50", "Allow 127.0.0.1", "LogLevel Critical",
            "BasicAuth \(user) \(password)",
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/tinyproxy")
        process.arguments = ["-d", "-c", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func accepts(_ port: UInt16, _ process: Process) async -> Bool {
        for _ in 0..<500 where process.isRunning {
            if LoopbackListener.canConnect(to: port) { return true }
            do {
                try await Task.sleep(for: .milliseconds(10))
            } catch {
                return false
            }
        }
        return false
    }
}
