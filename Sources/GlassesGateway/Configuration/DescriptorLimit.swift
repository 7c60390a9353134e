import Glibc

/// How many sockets this process may have open.
enum DescriptorLimit {
    /// Asks for at least `wanted`, as far as the system's hard limit goes: many systems give a process 1,024 unless it asks.
    /// With fewer the server refuses connections sooner.
    static func raise(to wanted: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(wanted)
        else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
