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
        var kilobytes: [(own: Int, child: Int)] = []
        for minute in 1...minutes {
            try? await Task.sleep(for: .seconds(60))
            let child = ProcessFigures.children().map(ProcessFigures.residentKilobytes).reduce(0, +)
            if minute >= 2 { kilobytes.append((ProcessFigures.residentKilobytes(getpid()), child)) }
        }
        await camera.close()
        await transport.shutdown()
        guard let first = kilobytes.first, let last = kilobytes.last else { return nil }
        let grown = Double(last.own + last.child - first.own - first.child) / 1_024
        let list = kilobytes.map { "\($0.own)+\($0.child)" }.joined(separator: " ")
        return "memory, kB here + in the child, from minute 2 to \(minutes): \(list); grown by "
            + String(format: "%.2f MiB", grown)
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

    static func residentKilobytes(_ process: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
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
