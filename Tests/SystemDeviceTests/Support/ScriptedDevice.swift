import Glibc
import Synchronization

@testable import SystemDeviceStreams

/// A playback or capture device in memory that runs in real time, keeps the rules of a PCM, and fails where its script says.
final class ScriptedDevice: PCMDevice {
    /// What a device has seen; outlives it.
    final class Journal: Sendable {
        struct Entries {
            var played: [Int16] = []
            var writes = 0
            var calls = 0
            var failures: [Int64] = []
            var successes: [Int64] = []
            var resumes = 0
            var misuse: [String] = []
        }
        let entries = Mutex(Entries())
    }

    let periodFrames = 480
    let bufferFrames = 2_400
    private let journal: Journal
    /// The result of the n-th write, from 1 on; nil lets it through.
    private let script: @Sendable (Int) -> Int32?
    /// Results of `resume`, in order; then 0.
    private var resumeResults: [Int32]

    private var isSuspended = false
    private var needsPrepare = false
    private var handed: Int64 = 0
    private var startedAt: Int64?

    init(_ journal: Journal, resumeResults: [Int32] = [], script: @escaping @Sendable (Int) -> Int32?) {
        self.journal = journal
        self.resumeResults = resumeResults
        self.script = script
    }

    private var consumed: Int64 {
        guard let startedAt else { return 0 }
        return min(handed, (monotonicNow() - startedAt) * 48_000 / 1_000_000_000)
    }

    private func count() { journal.entries.withLock { $0.calls += 1 } }

    func available() -> Int {
        count()
        if needsPrepare { return -Int(EPIPE) }
        if isSuspended { return -Int(ESTRPIPE) }
        return bufferFrames - Int(handed - consumed)
    }

    func delay() -> Int { Int(handed - consumed) }

    func write(_ samples: UnsafePointer<Int16>, _ count: Int) -> Int {
        self.count()
        let index = journal.entries.withLock { entries in
            entries.writes += 1
            return entries.writes
        }
        if needsPrepare || isSuspended {
            journal.entries.withLock { $0.misuse.append("write to a device that is not prepared") }
        }
        if let result = script(index) {
            journal.entries.withLock { $0.failures.append(monotonicNow()) }
            needsPrepare = result == -EPIPE
            isSuspended = result == -ESTRPIPE
            return Int(result)
        }
        let taken = min(count, bufferFrames - Int(handed - consumed))
        guard taken > 0 else { return -Int(EAGAIN) }
        if startedAt == nil { startedAt = monotonicNow() }
        handed += Int64(taken)
        journal.entries.withLock { entries in
            entries.played += UnsafeBufferPointer(start: samples, count: taken)
            entries.successes.append(monotonicNow())
        }
        return taken
    }

    func read(_ samples: UnsafeMutablePointer<Int16>, _ count: Int) -> Int { -Int(EBADFD) }
    func start() -> Int32 { 0 }
    func drop() -> Int32 { prepare() }

    func prepare() -> Int32 {
        needsPrepare = false
        isSuspended = false
        handed = 0
        startedAt = nil
        return 0
    }

    func resume() -> Int32 {
        journal.entries.withLock { $0.resumes += 1 }
        guard resumeResults.isEmpty else { return resumeResults.removeFirst() }
        isSuspended = false
        return 0
    }

    func wait(isForDevice: Bool, _ first: Int32, _ second: Int32, nanoseconds: Int64) {
        count()
        var entries = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, 2, wholeMilliseconds(nanoseconds))
    }

    func close() {}
}
