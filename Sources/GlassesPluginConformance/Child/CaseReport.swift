import GlassesDomain
import GlassesPluginHost
import Glibc
import Synchronization

/// The child's side of the line protocol on one descriptor: `step FUNCTION`, `log TEXT`, and at last `end JSON`.
final class CaseReport: Sendable {
    /// The descriptor of the pipe to the runner.
    static let descriptor = ChildSpawner.descriptorInChild
    /// A plugin that logs without end must not fill the pipe: the first lines tell the most.
    private static let logLimit = 100
    /// Lines stay shorter than PIPE_BUF, so that writes of two threads never mix.
    private static let lineLimit = 2_048

    private let logged = Mutex(0)

    /// The main thread is about to do this.
    func step(_ what: String) { write("step " + what) }

    /// The plugin logged a line. [any]
    func log(_ line: String) {
        let isWanted = logged.withLock { count in
            count += 1
            return count <= Self.logLimit
        }
        if isWanted { write("log " + line) }
    }

    /// The case is over.
    func end(_ verdict: ConformanceVerdict, _ reason: String?) {
        var members: [String: JSONValue] = ["verdict": .string(verdict.rawValue)]
        if let reason { members["reason"] = .string(String(reason.prefix(500))) }
        write("end " + JSONValue.object(members).jsonText)
    }

    private func write(_ line: String) {
        let oneLine = line.utf8.prefix(Self.lineLimit).map { $0 < 0x20 ? 0x20 : $0 }
        var rest = (oneLine + [0x0A])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(Self.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Without a runner there is nobody to tell.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
