import Glibc

/// What this process uses of the machine.
struct ProcessUsage: Sendable, Hashable {
    var threads: Int
    var descriptors: Int
    var residentBytes: Int

    /// Now.
    static func now() -> ProcessUsage {
        ProcessUsage(
            threads: names(in: "/proc/self/task").count, descriptors: names(in: "/proc/self/fd").count - 1,
            residentBytes: resident())
    }

    /// Waits until threads and descriptors are back to `before`, since a detached thread may need a moment to end.
    static func settled(at before: ProcessUsage, within limit: Duration) -> ProcessUsage {
        _ = Moment.wait(limit) {
            let current = now()
            return current.threads <= before.threads && current.descriptors <= before.descriptors
        }
        return now()
    }

    /// The device files that are open, without the harmless ones.
    static func openDevices() -> Set<String> {
        let harmless: Set = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty"]
        var devices: Set<String> = []
        for name in names(in: "/proc/self/fd") {
            var buffer = [CChar](repeating: 0, count: 512)
            let count = readlink("/proc/self/fd/" + name, &buffer, buffer.count - 1)
            guard count > 0 else { continue }
            let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if target.hasPrefix("/dev/"), !harmless.contains(target), !target.hasPrefix("/dev/pts/") {
                devices.insert(target)
            }
        }
        return devices
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func resident() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
