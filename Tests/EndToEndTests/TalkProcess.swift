import Foundation
import GlassesDomain
import SoundServer

/// A running `glasses talk --json`, and what it has printed so far.
final class TalkProcess {
    private let child: ChildProcess
    private let output: URL

    /// Starts `glasses` beside the test bundle on a private sound server; it finds the engines that the tests' user has.
    init(_ pulse: PrivatePulse, _ arguments: [String], variables: [String: String] = [:]) throws {
        let home = ProcessInfo.processInfo.environment
        let data = home["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        output = SoundLab.folder.appendingPathComponent("talk-\(UUID().uuidString)")
        child = try pulse.launch(
            folder.appendingPathComponent("glasses").path, ["talk", "--json"] + arguments, output: output.path,
            variables: variables.merging(["EXTENTOS_ENGINES": home["EXTENTOS_ENGINES"] ?? data + "/extentos/engines"]) {
                own, _ in own
            })
    }

    /// The events so far, oldest first; a line that is not finished is left out.
    var events: [JSONValue] {
        let text = String(decoding: FileManager.default.contents(atPath: output.path) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: true).compactMap { line in
            do { return try JSONValue(jsonText: String(line)) } catch { return nil }
        }
    }

    /// The events of one name.
    func events(_ name: String) -> [JSONValue] { events.filter { $0["event"]?.stringValue == name } }

    /// Waits until it has printed `count` events of one name, at most `limit`; whether it has.
    func prints(_ count: Int = 1, of name: String, within limit: Duration) async -> Bool {
        let end = ContinuousClock.now + limit
        while events(name).count < count {
            if ContinuousClock.now >= end || hasEnded { return events(name).count >= count }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return false }
        }
        return true
    }

    /// The number of its process.
    var process: pid_t { child.id }

    /// Whether it has ended.
    var hasEnded: Bool { child.hasEnded }

    /// Asks it to end and waits for that; its exit status.
    func end() -> Int32? {
        child.send(SIGINT)
        return child.wait()
    }
}
