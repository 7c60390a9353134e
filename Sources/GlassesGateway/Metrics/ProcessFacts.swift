import Glibc

/// What the kernel says of this process, under the names that Prometheus' client libraries use.
struct ProcessFacts: Sendable, Hashable {
    var cpuSeconds: Double
    var residentBytes: Int
    var openDescriptors: Int
    var descriptorLimit: Int

    /// The present values; nil where `/proc` is not mounted.
    static func now() -> ProcessFacts? {
        guard let status = read("/proc/self/statm"), let descriptors = count("/proc/self/fd"),
            let pages = status.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        var usage = rusage()
        var limit = rlimit()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0,
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        else { return nil }
        return ProcessFacts(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))), openDescriptors: descriptors,
            descriptorLimit: Int(clamping: limit.rlim_cur))
    }

    func add(to text: inout MetricsText) {
        text.add(
            "process_cpu_seconds_total", .counter, "Time of processors that was used, in seconds.", cpuSeconds)
        text.add(
            "process_resident_memory_bytes", .gauge, "Memory that is resident, in bytes.", Double(residentBytes))
        text.add("process_open_fds", .gauge, "File descriptors that are open.", Double(openDescriptors))
        text.add("process_max_fds", .gauge, "File descriptors that may be open.", Double(descriptorLimit))
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// The entries of a folder, without the descriptor that reads it.
    private static func count(_ folder: String) -> Int? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return count - 1
    }
}
