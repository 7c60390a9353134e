import Foundation
import GlassesCore

/// The CPU time and memory of this process.
struct ProcessUsage: Sendable, Hashable {
    /// User and system time of all threads, in seconds.
    let cpuSeconds: Double
    /// The most memory that was ever resident, in KiB.
    let maximumResidentKilobytes: Int

    /// Up to now.
    static var current: ProcessUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return ProcessUsage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), maximumResidentKilobytes: usage.ru_maxrss)
    }
}

/// What a run of the bench client measured.
struct BenchReport: Sendable {
    /// A moment with the CPU time used by then.
    struct Moment: Sendable, Hashable {
        let time: MonotonicTime
        let usage: ProcessUsage

        /// Now.
        static var current: Moment { Moment(time: Stopwatch.now, usage: .current) }
    }

    let started: MonotonicTime
    let ready: Moment
    let ended: Moment
    let sessions: [BenchSessionRecord]

    /// The report as JSON.
    var json: [UInt8] {
        var out = Array(
            """
            {"client":"extentos","version":"\(Extentos.version)","t_main_ns":\(started.nanoseconds),\
            "t_ready_ns":\(ready.time.nanoseconds),"t_end_ns":\(ended.time.nanoseconds),\
            "cpu_ready_s":\(ready.usage.cpuSeconds),"cpu_end_s":\(ended.usage.cpuSeconds),\
            "maxrss_kb":\(ended.usage.maximumResidentKilobytes),"sessions":[
            """.utf8)
        for (index, session) in sessions.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            Self.write(session, to: &out)
        }
        out += "]}\n".utf8
        return out
    }

    /// Writes the report to `path`, whole or not at all.
    func write(to path: String) throws(Problem) {
        do {
            try Data(json).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Problem(
                code: "report_not_written", "The report cannot be written to \(path). \(error.localizedDescription)")
        }
    }

    private static func write(_ session: BenchSessionRecord, to out: inout [UInt8]) {
        out += "{\"ready_ns\":\(session.readyTime)".utf8
        for (name, pairs) in [
            ("mic", session.microphone), ("delivered", session.delivered), ("played", session.played),
            ("tool", session.tools),
        ] {
            out += ",\"\(name)\":[".utf8
            for (index, pair) in pairs.enumerated() {
                out += "\(index > 0 ? "," : "")[\(pair.first),\(pair.second)]".utf8
            }
            out += "]".utf8
        }
        out += ",\"flush\":[".utf8
        out += session.flushes.map(String.init).joined(separator: ",").utf8
        out += "],\"errors\":".utf8
        out += JSONValue.array(session.errors.map(JSONValue.string)).jsonText.utf8
        out += "}".utf8
    }
}
