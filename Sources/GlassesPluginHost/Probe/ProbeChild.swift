import CShims
import Foundation
import GlassesDomain
import Synchronization

/// Runs the probe program on one library: whatever the library does, it does it to that process.
///
/// The report comes through descriptor 3, so that a library that prints cannot forge or garble it by accident; standard
/// input and output are the null device. The child is its own process group and gets SIGKILL at its limit.
struct ProbeChild: Sendable {
    /// The probe program's path.
    var program: String
    /// The limit from start to end.
    var limit: Duration

    /// Far more than a report needs.
    private static let reportLimit = 65_536

    /// Starts the probe on `library` and waits on a thread of its own.
    func run(_ library: String) async -> Result<ProbeReport, PluginProbeError> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: runBlocking(library)) }
        }
    }

    private func runBlocking(_ library: String) -> Result<ProbeReport, PluginProbeError> {
        var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)
        guard cshims_pipe(&readEnd, &writeEnd) == 0 else {
            return .failure(.notStarted(reason: SystemError(errno).description))
        }
        defer { close(readEnd) }
        let spawned = ChildSpawner.spawn(
            program, arguments: [library], environment: PluginEnvironment(.none, from: [:]).variables,
            descriptor: writeEnd)
        close(writeEnd)
        switch spawned {
        case .failure(let error): return .failure(.notStarted(reason: error.description))
        case .success(let process): return watch(process, report: readEnd)
        }
    }

    private func watch(_ process: pid_t, report: Int32) -> Result<ProbeReport, PluginProbeError> {
        let ended = cshims_pidfd_open(process)
        defer { if ended >= 0 { close(ended) } }
        let text = collect(report: report, ended: ended)
        // Whatever the library started in the child's process group ends with it.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        var reaped = waitpid(process, &status, 0)
        while reaped < 0, errno == EINTR { reaped = waitpid(process, &status, 0) }
        guard let text else { return .failure(.timedOut(limit: limit)) }
        return Self.verdict(report: text, status: reaped == process ? status : 0)
    }

    /// What the child wrote until it ended; nil when the limit came first.
    private func collect(report: Int32, ended: Int32) -> [UInt8]? {
        let deadline = SystemClock.now().advanced(by: limit)
        var text: [UInt8] = []
        while true {
            let rest = SystemClock.now().duration(to: deadline).wholeMilliseconds
            guard rest > 0 else { return nil }
            var sources = [
                pollfd(fd: report, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&sources, 2, Int32(rest)) > 0 else { continue }
            if sources[0].revents & Int16(POLLIN) != 0 {
                text += Self.readSome(report)
                if text.count > Self.reportLimit { return text }
                continue
            }
            if sources[1].revents != 0 { return text }
            if sources[0].revents != 0 {
                // The child closed its end; without a pidfd that is all there is to know.
                guard ended >= 0 else { return text }
                var only = sources[1]
                poll(&only, 1, Int32(rest))
                return only.revents != 0 ? text : nil
            }
        }
    }

    private static func readSome(_ descriptor: Int32) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &chunk, chunk.count)
        return Array(chunk.prefix(max(count, 0)))
    }

    /// The report counts only with a clean end: a library may still crash when it is shut down.
    static func verdict(report: [UInt8], status: Int32) -> Result<ProbeReport, PluginProbeError> {
        let signal = status & 0x7F
        guard signal == 0 else { return .failure(.crashed(signal: signal)) }
        let exitStatus = (status >> 8) & 0xFF
        guard let value = value(of: report) else { return .failure(.exited(status: exitStatus)) }
        if let code = value["code"]?.stringValue, let message = value["message"]?.stringValue {
            return .failure(.refused(code: code, message: message))
        }
        guard exitStatus == 0, let factories = value["factories"]?.arrayValue else {
            return .failure(.exited(status: exitStatus))
        }
        return .success(ProbeReport(factories: factories.compactMap(\.stringValue)))
    }

    private static func value(of report: [UInt8]) -> JSONValue? {
        guard report.count <= reportLimit else { return nil }
        do { return try JSONValue(jsonText: report) } catch { return nil }
    }
}
