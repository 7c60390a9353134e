import CShims
import Glibc
import MWDATCore

/// Both sides of a child's standard streams; -1 for what is not open.
struct PipeEnds {
    var input: Int32 = -1
    var output: Int32 = -1
    var complaints: Int32 = -1
    fileprivate var childInput: Int32 = -1
    fileprivate var childOutput: Int32 = -1
    fileprivate var childComplaints: Int32 = -1

    /// Opens them, ours without blocking; false without descriptors.
    mutating func open(takesInput: Bool) -> Bool {
        guard cshims_pipe(&output, &childOutput) == 0, cshims_pipe(&complaints, &childComplaints) == 0 else {
            return false
        }
        if takesInput {
            var pair: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return false }
            (input, childInput) = (pair[0], pair[1])
        }
        return fcntl(output, F_SETFL, O_NONBLOCK) == 0 && fcntl(complaints, F_SETFL, O_NONBLOCK) == 0
    }

    mutating func closeChildSide() {
        for descriptor in [childInput, childOutput, childComplaints] where descriptor >= 0 { close(descriptor) }
        (childInput, childOutput, childComplaints) = (-1, -1, -1)
    }

    mutating func closeAll() {
        closeChildSide()
        for descriptor in [input, output, complaints] where descriptor >= 0 { close(descriptor) }
        (input, output, complaints) = (-1, -1, -1)
    }
}

extension MediaChild {
    /// Starts a program that inherits nothing but its standard streams; nil when that fails.
    static func spawn(_ program: String, _ arguments: [String], _ ends: PipeEnds) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let descriptors = [ends.childInput, ends.childOutput, ends.childComplaints]
        // By way of numbers above all of them: they may be 0, 1 or 2 themselves.
        let parking = (descriptors.max() ?? 2) + 3
        for (standard, descriptor) in descriptors.enumerated() where descriptor >= 0 {
            posix_spawn_file_actions_adddup2(&actions, descriptor, parking + Int32(standard))
        }
        for (standard, descriptor) in descriptors.enumerated() {
            if descriptor >= 0 {
                posix_spawn_file_actions_adddup2(&actions, parking + Int32(standard), Int32(standard))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(standard), "/dev/null", O_RDONLY, 0)
            }
        }
        _ = cshims_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let result = withCStrings([program] + arguments) { words in
            withCStrings(["PATH=/usr/bin:/bin", "LC_ALL=C"]) { variables in
                posix_spawn(&process, program, &actions, &attributes, words, variables)
            }
        }
        return result == 0 ? process : nil
    }

    /// Runs `body` with a null-terminated array of C strings, valid only during the call.
    private static func withCStrings<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}

extension Refusal {
    static func decoderFailed(_ reason: String) -> Refusal {
        Refusal(
            .media, "The decoder ffmpeg made no pictures: \(reason). Name another file or camera.", isRetryable: true)
    }
}
