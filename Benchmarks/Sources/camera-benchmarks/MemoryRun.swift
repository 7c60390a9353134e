import Foundation
import GlassesDomain
import GlassesPluginHost

/// Whether memory grows while a camera streams for minutes.
enum MemoryRun {
    /// The resident memory of both processes after each minute from the second one on, and by how much the last exceeds the second.
    static func run(_ library: String, _ mode: CameraMode, minutes: Int) async -> String? {
        guard let transport = await CameraRun.open(library, .process), let camera = transport.camera,
            await camera.open(mode, onFrame: { _ in }, onChange: { _ in }).failure == nil
        else { return nil }
        var figures: [Figures] = []
        for minute in 1...minutes {
            try? await Task.sleep(for: .seconds(60))
            if minute >= 2 { figures.append(Figures()) }
        }
        await camera.close()
        await transport.shutdown()
        guard let first = figures.first, let last = figures.last else { return nil }
        let grown = { (member: KeyPath<Figures, Int>) in
            String(format: "%.2f MiB", Double(last[keyPath: member] - first[keyPath: member]) / 1_024)
        }
        return "memory, kB here/child, from minute 2 to \(minutes): "
            + figures.map { "\($0.own)/\($0.child)" }.joined(separator: " ")
            + "; grown by \(grown(\.own)) here, \(grown(\.child)) in the child; private memory of both by \(grown(\.ofBoth))"
    }

    /// Resident memory of both sides. The ring's eight slots are in both, each from its first use on: one that a late reader brings into
    /// use is no leak, so that private memory is told too.
    private struct Figures {
        let own = ProcessFigures.kilobytes(getpid(), "VmRSS:")
        let child = ProcessFigures.children().map { ProcessFigures.kilobytes($0, "VmRSS:") }.reduce(0, +)
        let ofBoth = (ProcessFigures.children() + [getpid()]).map { ProcessFigures.kilobytes($0, "RssAnon:") }.reduce(
            0, +)
    }
}

/// What /proc tells of processes.
enum ProcessFigures {
    static func ownCPU() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// In steps of a hundredth of a second.
    static func childCPU() -> Double {
        children().compactMap { child -> Double? in
            guard let fields = fields(child), fields.count > 12, let user = Double(fields[11]),
                let system = Double(fields[12])
            else { return nil }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }.reduce(0, +)
    }

    /// One figure of a process's memory.
    static func kilobytes(_ process: pid_t, _ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { $0.split(separator: " ").compactMap { Int($0) }.first } ?? 0
    }

    static func children() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let process = pid_t(name), let fields = fields(process), fields.count > 1,
                pid_t(fields[1]) == getpid()
            else { return nil }
            return process
        }
    }

    private static func fields(_ process: pid_t) -> [Substring]? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return nil }
        return status[end...].dropFirst(2).split(separator: " ")
    }
}
