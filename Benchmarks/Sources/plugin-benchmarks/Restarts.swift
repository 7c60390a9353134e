import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization

/// How long a microphone is silent when its child is killed.
enum Restarts {
    /// From SIGKILL to the first block of the next child, in milliseconds. Far enough apart that no death counts.
    static func run(_ plugin: String, count: Int) async -> [Double] {
        guard let transport = await Round.open(plugin, .process), await transport.connect(deviceId: nil).success != nil
        else { return [] }
        let firstAfter = Mutex<(kill: Int64?, first: Int64?)>((nil, nil))
        _ = await transport.microphone?.open { block in
            let arrival = Round.now()
            firstAfter.withLock { state in
                guard let kill = state.kill, state.first == nil, block.time.map({ $0.nanoseconds > kill }) ?? false
                else {
                    return
                }
                state.first = arrival
            }
        }
        var times: [Double] = []
        for _ in 0..<count {
            try? await Task.sleep(for: .milliseconds(5_200))
            guard let child = children().first else { continue }
            firstAfter.withLock { $0 = (Round.now(), nil) }
            kill(child, SIGKILL)
            try? await Task.sleep(for: .milliseconds(800))
            let state = firstAfter.withLock { $0 }
            if let kill = state.kill, let first = state.first { times.append(Double(first - kill) / 1e6) }
        }
        await transport.shutdown()
        return times
    }

    /// The processes whose parent is this one.
    static func children() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let process = pid_t(name), let fields = fields(of: process), fields.count > 1,
                pid_t(fields[1]) == getpid()
            else { return nil }
            return process
        }
    }

    /// What /proc tells of a process, behind its name: the state, its parent, and so on.
    static func fields(of process: pid_t) -> [Substring]? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return nil }
        return status[end...].dropFirst(2).split(separator: " ")
    }
}
