import CShims
import Glibc

/// Memory that is handed to a plugin, with every byte around it watched: whole pages of its own, a canary behind what is used, and
/// an inaccessible page behind that. Never freed: a broken plugin may still write there.
final class WatchedMemory {
    let start: UnsafeMutableRawPointer
    private let length: Int
    private let used: Int

    private static let canary: UInt8 = 0xC5

    /// So many zeroed bytes.
    init(_ used: Int) throws(CaseEnd) {
        self.used = used
        let page = Int(getpagesize())
        length = (used + 64 + page - 1) / page * page
        start = try GuardedMemory.pages(length + page)
        guard mprotect(start + length, page, PROT_NONE) == 0 else { throw .skipped("the system gave no guard page") }
        memset(start + used, Int32(Self.canary), length - used)
    }

    /// Whether nothing was written behind what is used.
    var isWhole: Bool { (used..<length).allSatisfy { start.load(fromByteOffset: $0, as: UInt8.self) == Self.canary } }

    /// From now on every touch by the plugin is noted, or with `writes` only those that write.
    func watch(writes: Bool) throws(CaseEnd) {
        guard cshims_watch_begin(start, length, writes ? PROT_READ : PROT_NONE) == 0 else {
            throw .skipped("the system does not let memory be watched")
        }
    }

    /// Gives the plugin all access back.
    func endWatch() { cshims_watch_end() }

    /// The threads that touched it while it was watched.
    var touches: [Int32] {
        var threads = [Int32](repeating: 0, count: 64)
        let count = cshims_watch_touches(&threads, Int32(threads.count))
        return Array(threads.prefix(Int(count)))
    }

    /// Fails when the plugin touches it within a third of a second.
    func checkUntouched(after what: String) throws(CaseEnd) {
        try watch(writes: false)
        Moment.pause(Endings.silence)
        let threads = touches
        endWatch()
        try expect(threads.isEmpty, "The plugin touched the ring after \(what).")
    }
}
