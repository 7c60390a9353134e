import Glibc
import Testing

@testable import GlassesPluginHost

/// What a confined child can no longer do. Skipped nowhere: a machine without seccomp and Landlock fails here.
@Suite("A confined child")
struct RefusalTests {
    /// Every attempt that a plugin without any permission is refused, with the error that it sees.
    static let refused: [String: Int32] = [
        "read_private": EACCES, "write_private": EACCES, "list_private": EACCES, "make_private": EACCES,
        "remove_private": EACCES, "chmod_private": EPERM, "truncate_private": EPERM, "environment_of_parent": EACCES,
        "read_granted": EACCES, "write_granted": EACCES, "make_granted": EACCES, "chmod_granted": EPERM,
        "move_granted": EACCES, "own_folder_write": EACCES, "camera": EACCES, "capture": EACCES, "playback": EACCES,
        "tcp": EPERM, "udp6": EPERM, "routes": EPERM, "uevents": EPERM, "local": EPERM, "bluetooth": EPERM,
        "packet": EPERM, "vsock": EPERM, "fork": EPERM, "spawn": EPERM, "exec": EPERM, "execveat": EPERM,
        "namespace": EPERM, "unshare": EPERM, "clone3": ENOSYS, "ptrace": EPERM, "process_vm_readv": EPERM,
        "kill_parent": EPERM, "kill_group": EPERM, "pidfd_open": EPERM, "prlimit_parent": EPERM, "set_owner": EPERM,
        "tiocsti": EPERM, "priority_of_group": EPERM, "mount": EPERM, "chroot": EPERM, "bpf": EPERM, "keyctl": EPERM,
        "perf": EPERM, "userfaultfd": EPERM, "io_uring": EPERM, "dumpable": EPERM, "shared_memory": EPERM,
        "too_large": EFBIG, "too_many_addresses": ENOMEM,
    ]

    /// What every plugin needs.
    static let allowed = [
        "thread", "memfd", "memfd_size", "socketpair", "kill_self", "prlimit_self", "own_folder", "null",
    ]

    /// Attempts whose success depends on the machine, so that an unconfined child says nothing of them.
    private static let unsure: Set<String> = [
        // need a driver or a module, or may be switched off for everybody
        "bluetooth", "vsock", "io_uring", "userfaultfd", "keyctl", "unshare", "namespace", "packet",
        // fail in any case, with another error
        "mount", "bpf", "perf", "clone3", "tiocsti", "process_vm_readv",
        // would not come back
        "exec", "execveat",
    ]
    /// What the system leaves to root.
    private static let roots: Set<String> = geteuid() == 0 ? [] : ["chroot", "ptrace"]

    @Test("a plugin without permissions is refused everything that reaches beyond it, with an error and no signal")
    func nothing() async throws {
        let lab = try SandboxLab()
        let outcome = try await lab.run(lab.profile())
        #expect(outcome.code == 0)
        for (name, error) in Self.refused { #expect(outcome.errors[name] == error, "\(name)") }
        for name in Self.allowed { #expect(outcome.errors[name] == 0, "\(name)") }
        #expect(outcome.errors["core"] == 0)
        #expect(outcome.errors["no_new_privs"] == 1)
        // Three are open already: the limit is 256.
        #expect((200...256).contains(outcome.errors["descriptors"] ?? 0))
    }

    @Test("the same attempts succeed in a child that is not confined, so it is the sandbox that refuses them")
    func unconfined() async throws {
        let lab = try SandboxLab()
        let outcome = try await lab.run(nil)
        #expect(outcome.code == 0)
        for name in Self.refused.keys where !Self.unsure.union(Self.roots).contains(name) {
            #expect(outcome.errors[name] == 0, "\(name)")
        }
        #expect(outcome.errors["no_new_privs"] == 0)
    }

    @Test(
        "a permission lets through what it names and nothing else",
        arguments: [
            (["network"], ["tcp", "udp6", "routes", "resolve"]),
            (["camera"], ["camera"]),
            (["microphone"], ["capture", "local", "shared_memory"]),
            (["speaker"], ["playback", "local", "shared_memory"]),
            (["microphone", "speaker"], ["capture", "playback", "local", "shared_memory"]),
            (["bluetooth"], ["local", "shared_memory", "bluetooth"]),
            (["files:read:~/granted"], ["read_granted"]),
            (
                ["files:write:~/granted"],
                ["read_granted", "write_granted", "make_granted", "chmod_granted", "move_granted"]
            ),
        ])
    func granted(permissions: [String], succeed: [String]) async throws {
        let lab = try SandboxLab()
        let outcome = try await lab.run(lab.profile(permissions))
        for (name, error) in Self.refused where !succeed.contains(name) && !Self.isSideEffect(name, of: permissions) {
            #expect(outcome.errors[name] == error, "\(name) with \(permissions)")
        }
        for name in succeed where name != "bluetooth" {
            #expect(outcome.errors[name] == 0, "\(name) with \(permissions)")
        }
        if succeed.contains("bluetooth") {
            // A machine without a Bluetooth module does not know the family; the sandbox lets the question through.
            #expect([0, EAFNOSUPPORT].contains(outcome.errors["bluetooth"] ?? -1))
        }
    }

    /// Attributes of files have no owner in the filter: with any files to write, it lets Landlock decide about truncation alone.
    private static func isSideEffect(_ name: String, of permissions: [String]) -> Bool {
        permissions.contains { $0.hasPrefix("files:write") } && ["chmod_private", "truncate_private"].contains(name)
    }

    @Test("with files to write, those outside cannot be cut to length on a kernel that looks at it")
    func truncation() async throws {
        let lab = try SandboxLab()
        let outcome = try await lab.run(lab.profile(["files:write:~/granted"]))
        #expect(outcome.errors["truncate_private"] == EACCES)
    }

    #if arch(x86_64)
        @Test("calls by the numbers of another architecture are refused", arguments: ["x32", "i386"])
        func otherNumbers(_ name: String) async throws {
            let lab = try SandboxLab()
            #expect(try await lab.run(lab.profile()).errors[name] == EPERM)
            #expect(try await lab.run(nil).errors[name] != EPERM)
        }
    #endif
}
