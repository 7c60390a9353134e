import CShims
import Glibc

/// Starts a program as a child that inherits nothing but one descriptor.
package enum ChildSpawner {
    /// The number under which the child finds its descriptor.
    package static let descriptorInChild: Int32 = 3

    /// Starts `program` in a process group of its own, with the null device as standard input and outputs, an empty signal
    /// mask, exactly this environment, and `descriptor` as descriptor 3.
    package static func spawn(
        _ program: String, arguments: [String], environment: [String: String], descriptor: Int32
    ) -> Result<pid_t, SystemError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        // By way of 30, since the descriptor may be 3 itself, where dup2 would leave close-on-exec set.
        posix_spawn_file_actions_adddup2(&actions, descriptor, 30)
        posix_spawn_file_actions_adddup2(&actions, 30, descriptorInChild)
        _ = cshims_spawn_close_from(&actions, descriptorInChild + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let result = withCStrings([program] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&process, program, &actions, &attributes, arguments, variables)
            }
        }
        return result == 0 ? .success(process) : .failure(SystemError(result))
    }

    /// Runs `body` with a null-terminated array of C strings, valid only during the call.
    private static func withCStrings<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}
