import Glibc

/// A plugin that crashes in a child is expected; its core file helps nobody, and would hold what it heard.
enum ChildCore {
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
