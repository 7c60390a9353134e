import Glibc

/// CLOCK_MONOTONIC, and the clocks of processes' CPU time.
enum MonotonicClock {
    /// Now, in nanoseconds.
    static func now() -> Int64 { read(CLOCK_MONOTONIC) }

    /// What this process has used, in seconds.
    static func ownCPU() -> Double { Double(read(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

    /// What a child that still runs has used, in seconds.
    static func cpu(of process: pid_t) -> Double {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
        return Double(read(clock)) / 1e9
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
