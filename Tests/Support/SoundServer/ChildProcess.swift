import Glibc

/// A process that a test started and ends by its id. (Foundation's Process waits on run loops of pool threads, which hangs.)
public final class ChildProcess: @unchecked Sendable {
    // because it belongs to the test that started it, and `status` changes once, in its own calls
    /// Why it could not be started.
    public struct Failed: Error {
        let path: String
        let code: Int32
    }

    /// Its process id.
    public let id: pid_t
    private var status: Int32?

    /// Starts `path`. Its output goes to the file `output`, errors and input to and from nothing. `environment` nil keeps ours.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, output: String = "/dev/null"
    )
        throws
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Threads of the pool block signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var names: [UnsafeMutablePointer<CChar>?] = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + names { free(word) } }
        var id = pid_t()
        let code =
            environment == nil
            ? posix_spawn(&id, path, &actions, &attributes, &words, environ)
            : posix_spawn(&id, path, &actions, &attributes, &words, &names)
        guard code == 0 else { throw Failed(path: path, code: code) }
        self.id = id
    }

    deinit { end(SIGKILL) }

    /// Whether it has ended by itself or by ``end(_:)``.
    public var hasEnded: Bool {
        if status != nil { return true }
        var code: Int32 = 0
        guard waitpid(id, &code, WNOHANG) == id else { return false }
        status = code
        return true
    }

    /// Sends a signal to it, if it still runs.
    public func send(_ signal: Int32) {
        if !hasEnded { kill(id, signal) }
    }

    /// Ends it and waits for that.
    public func end(_ signal: Int32 = SIGTERM) {
        guard !hasEnded else { return }
        kill(id, SIGCONT)
        kill(id, signal)
        var code: Int32 = 0
        while waitpid(id, &code, 0) < 0 && errno == EINTR {}
        status = code
    }

    /// Waits for its end; its exit status, or nil when it was ended by a signal.
    public func wait() -> Int32? {
        var code: Int32 = status ?? 0
        if status == nil {
            while waitpid(id, &code, 0) < 0 && errno == EINTR {}
            status = code
        }
        return code & 0x7f == 0 ? (code >> 8) & 0xff : nil
    }
}
