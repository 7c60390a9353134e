import Foundation
import GlassesDomain
import SoundServer
import Synchronization

/// A `glasses gateway` of this build, which a test starts, kills and starts again on the same port.
final class GatewayProcess: Sendable {
    /// Why a gateway did not come up.
    struct NotUp: Error { let output: String }

    private struct Storage {
        var child: ChildProcess?
        var port: UInt16 = 0
        var starts = 0
    }

    /// Loading the engines takes a second or two on a busy machine.
    private static let startLimit = Duration.seconds(60)
    /// Engines that a busy machine does not load in their time are missing for the life of a gateway.
    private static let attempts = 5

    private let arguments: [String]
    private let folder: URL
    private let storage = Mutex(Storage())

    /// A gateway that is not started yet; `arguments` beside the address.
    init(_ arguments: [String] = []) throws {
        self.arguments = arguments
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        kill()
        do { try FileManager.default.removeItem(at: folder) } catch { print("\(folder.path) is left: \(error)") }
    }

    /// The programs of this build.
    static var programs: URL { URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent() }

    /// Without the neural engines: what is tested is the wire, and PocketSphinx hears the voice of the tests word by word.
    private static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(
            ["EXTENTOS_ENGINES": "/nonexistent", "XDG_DATA_HOME": "/nonexistent"]) { $1 }
    }

    /// The port, after the first start.
    var port: UInt16 { storage.withLock { $0.port } }

    /// Starts it, on the port that it had before, and returns when it listens with its engines; its base URL.
    @discardableResult
    func start(_ more: [String] = []) async throws -> URL {
        for _ in 1..<Self.attempts {
            if let url = try await startOnce(more) { return url }
            kill()
        }
        guard let url = try await startOnce(more) else { throw NotUp(output: "no engines") }
        return url
    }

    /// Nil when it came up without its engines.
    private func startOnce(_ more: [String]) async throws -> URL? {
        let output = storage.withLock { storage in
            storage.starts += 1
            return folder.appendingPathComponent("output-\(storage.starts)").path
        }
        let child = try ChildProcess(
            Self.programs.appendingPathComponent("glasses").path,
            ["gateway", "--listen", "127.0.0.1:\(port)", "--json"] + arguments + more, environment: Self.environment,
            output: output)
        storage.withLock { $0.child = child }
        let end = ContinuousClock.now + Self.startLimit
        while ContinuousClock.now < end, !child.hasEnded {
            let events = try Self.events(in: output)
            if let ready = events.first(where: { $0["event"] == "ready" }),
                let url = events.first?["url"]?.stringValue.flatMap({ URL(string: $0) }), let port = url.port
            {
                storage.withLock { $0.port = UInt16(port) }
                return ready["recogniser"] == .null || ready["voice"] == .null ? nil : url
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NotUp(output: try Self.events(in: output).map(\.jsonText).joined())
    }

    /// The whole lines that were printed.
    private static func events(in output: String) throws -> [JSONValue] {
        let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        guard let last = text.lastIndex(of: "\n") else { return [] }
        return try text[..<last].split(separator: "\n").map { try JSONValue(jsonText: String($0)) }
    }

    /// Kills it at once, as a crash would, and waits for that.
    func kill() {
        let child = storage.withLock { storage in
            defer { storage.child = nil }
            return storage.child
        }
        child?.end(SIGKILL)
    }

    /// Asks it to end, and answers its exit status.
    func end() -> Int32? {
        let child = storage.withLock { storage in
            defer { storage.child = nil }
            return storage.child
        }
        child?.send(SIGTERM)
        return child?.wait()
    }
}
