import Foundation

/// What a process holds at one moment, as the kernel tells it.
struct ProcessFigures: Sendable {
    /// Open descriptors.
    let descriptors: Int
    /// Its children, by number.
    let children: [pid_t]
    /// Threads.
    let threads: Int
    /// Memory of its own, in KiB.
    let kilobytes: Int

    /// The figures of `process`; nothing for one that has ended.
    init(of process: pid_t) {
        let status = Self.content("/proc/\(process)/status")
        descriptors = Self.entries("/proc/\(process)/fd").count
        children = Self.children(of: process)
        threads = Self.number("Threads", in: status)
        kilobytes = Self.number("RssAnon", in: status)
    }

    /// The figures in words.
    var text: String {
        "\(descriptors) descriptors, \(children.count) children, \(threads) threads, \(kilobytes) KiB"
    }

    /// The children of `process` that carry plugins.
    static func children(of process: pid_t) -> [pid_t] {
        entries("/proc").compactMap { name in
            guard let child = pid_t(name) else { return nil }
            let status = content("/proc/\(name)/stat")
            guard let end = status.lastIndex(of: ")"), status.contains("(glasses-plugin-"),
                let parent = status[end...].dropFirst(2).split(separator: " ").dropFirst().first,
                pid_t(parent) == process
            else { return nil }
            return child
        }
    }

    private static func number(_ name: String, in status: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { " \t:".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// A process may end while it is looked at.
    private static func content(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private static func entries(_ folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }
}
