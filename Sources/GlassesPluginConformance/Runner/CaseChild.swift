import CShims
import GlassesDomain
import GlassesPluginHost
import Glibc

/// Runs the validator program on one case: whatever the plugin does, it does it to that process.
///
/// The child is its own process group and gets SIGKILL at its limit. Its standard input and output are the null device, so
/// that a plugin that prints cannot disturb anyone.
struct CaseChild: Sendable {
    /// The validator program's path.
    var program: String
    /// Its arguments.
    var arguments: [String]
    /// Its whole environment.
    var environment: [String: String]
    /// From start to end.
    var limit: Duration

    /// The line protocol of one case fits many times; a child that writes more is broken.
    private static let reportLimit = 4 << 20

    /// How a child ended, with the transcript of what it told.
    struct Ending: Sendable {
        /// `wait`'s status; nil when the limit came first.
        var status: Int32?
        /// What it told.
        var transcript: CaseTranscript
    }

    /// Starts the child and waits for its end; throws the system's refusal to start it. Blocks its thread.
    func run() throws(ConformanceError) -> Ending {
        var (readEnd, writeEnd): (Int32, Int32) = (-1, -1)
        guard cshims_pipe(&readEnd, &writeEnd) == 0 else { throw .notStarted(errno) }
        defer { close(readEnd) }
        let spawned = ChildSpawner.spawn(
            program, arguments: arguments, environment: environment, descriptor: writeEnd)
        close(writeEnd)
        switch spawned {
        case .failure(let error): throw .notStarted(error.number)
        case .success(let process): return watch(process, report: readEnd)
        }
    }

    private func watch(_ process: pid_t, report: Int32) -> Ending {
        let ended = cshims_pidfd_open(process)
        defer { if ended >= 0 { close(ended) } }
        let (text, isEnded) = collect(report: report, ended: ended)
        // Whatever the plugin started in the child's process group ends with it.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return Ending(status: isEnded ? status : nil, transcript: CaseTranscript(text))
    }

    /// What the child wrote, and whether it ended before the limit.
    private func collect(report: Int32, ended: Int32) -> ([UInt8], Bool) {
        let deadline = Moment.now() + limit
        var text: [UInt8] = []
        var isOpen = true
        while true {
            let rest = (deadline - Moment.now()).inMilliseconds
            guard rest > 0, text.count <= Self.reportLimit else { return (text, false) }
            var sources = [
                pollfd(fd: isOpen ? report : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&sources, 2, Int32(rest)) > 0 else { continue }
            if sources[0].revents != 0 {
                let piece = Self.readSome(report)
                text += piece
                isOpen = !piece.isEmpty
                // Without a pidfd the closed pipe is all there is to know.
                if !isOpen, ended < 0 { return (text, true) }
            } else if sources[1].revents != 0 {
                return (text, true)
            }
        }
    }

    private static func readSome(_ descriptor: Int32) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &chunk, chunk.count)
        return Array(chunk.prefix(max(count, 0)))
    }
}
