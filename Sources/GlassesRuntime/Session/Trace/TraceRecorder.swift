import Dispatch
import GlassesAssistant
import Synchronization

/// Writes the trace of the first session that begins, on a queue of its own: the session never waits for it.
///
/// A trace with a hole cannot be replayed. So when something goes wrong nothing is left out: the trace ends there, and says why.
public final class TraceRecorder: Sendable {
    /// Steps that wait for a slow disk: minutes of a lively conversation. Their memory is the history that they share.
    static let waitingLimit = 4_096

    private struct Line {
        var isTaken = false
        var waiting = 0
        var hasFallenBehind = false
    }

    /// What only the queue touches.
    private struct Pen {
        var writer: TraceWriter?
        var bytes = 0
        var end: SessionTrace.End?
        var failure: String?
    }

    private let privacy: TracePrivacy
    private let limit: Int
    private let write: @Sendable (String) throws -> Void
    private let queue = DispatchQueue(label: "org.extentos.session.trace", qos: .utility)
    private let line = Mutex(Line())
    // because: only the queue's blocks read and write it.
    private nonisolated(unsafe) var pen = Pen()

    /// A recorder whose lines, each with its end, go to `write`, at most `limit` bytes of them.
    public init(
        privacy: TracePrivacy, limit: Int = TraceLimits.fileBytes, write: @escaping @Sendable (String) throws -> Void
    ) {
        self.privacy = privacy
        self.limit = limit
        self.write = write
    }

    /// The port that a runtime is given.
    public var port: SessionTracePort {
        SessionTracePort { [self] configuration in
            let isFirst = line.withLock { line in
                defer { line.isTaken = true }
                return !line.isTaken
            }
            guard isFirst else { return nil }
            queue.async { [self] in begin(configuration) }
            return { [self] step in add(step) }
        }
    }

    /// Ends the trace, and answers in one sentence why it is not complete; nil when it is.
    public func finish() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: close()) }
        }
    }

    private func add(_ step: TraceStep) {
        let isTaken = line.withLock { line in
            guard !line.hasFallenBehind else { return false }
            line.hasFallenBehind = line.waiting >= Self.waitingLimit
            guard !line.hasFallenBehind else {
                queue.async { [self] in end(.behind) }
                return false
            }
            line.waiting += 1
            return true
        }
        guard isTaken else { return }
        queue.async { [self] in
            put { try $0.line(for: step) }
            line.withLock { $0.waiting -= 1 }
        }
    }

    // MARK: - On the queue

    private func begin(_ configuration: SessionConfiguration) {
        pen.writer = TraceWriter(configuration, privacy: privacy)
        put { try $0.header() }
    }

    private func put(_ text: (inout TraceWriter) throws -> String) {
        guard pen.end == nil, pen.failure == nil, var writer = pen.writer else { return }
        do {
            // The end has to count what is in the file.
            let earlier = writer
            let line = try text(&writer) + "\n"
            guard pen.bytes + line.utf8.count <= limit else {
                pen.writer = earlier
                return end(.limit)
            }
            pen.writer = writer
            pen.bytes += line.utf8.count
            try write(line)
        } catch {
            pen.failure = "The trace could not be written: \(error)."
        }
    }

    private func end(_ end: SessionTrace.End) {
        guard pen.end == nil, pen.failure == nil, let writer = pen.writer else { return }
        pen.end = end
        do { try write(writer.end(end) + "\n") } catch { pen.failure = "The trace could not be written: \(error)." }
    }

    private func close() -> String? {
        end(.complete)
        if let failure = pen.failure { return failure }
        return switch pen.end {
        case .complete: nil
        case .limit: "The trace ends where it had \(limit >> 20) MiB; what came after is not in it."
        case .behind: "The trace ends where its disk was too slow; what came after is not in it."
        case nil: "The trace is empty: no session was made."
        }
    }
}
